// The places of a source file that a small change makes wrong, found in its syntax tree, with the changes that are possible there.
import ts from "typescript";

const K = ts.SyntaxKind;

/** Operators and what each becomes. */
const OPERATORS = new Map([
  [K.PlusToken, ["-"]],
  [K.MinusToken, ["+"]],
  [K.AsteriskToken, ["/"]],
  [K.SlashToken, ["*"]],
  [K.PercentToken, ["*"]],
  [K.AsteriskAsteriskToken, ["*"]],
  [K.LessThanToken, ["<=", ">"]],
  [K.LessThanEqualsToken, ["<", ">"]],
  [K.GreaterThanToken, [">=", "<"]],
  [K.GreaterThanEqualsToken, [">", "<"]],
  [K.EqualsEqualsEqualsToken, ["!=="]],
  [K.ExclamationEqualsEqualsToken, ["==="]],
  [K.EqualsEqualsToken, ["!="]],
  [K.ExclamationEqualsToken, ["=="]],
  [K.AmpersandAmpersandToken, ["||"]],
  [K.BarBarToken, ["&&"]],
  [K.AmpersandToken, ["|"]],
  [K.BarToken, ["&"]],
  [K.CaretToken, ["&"]],
  [K.LessThanLessThanToken, [">>"]],
  [K.GreaterThanGreaterThanToken, ["<<"]],
  [K.GreaterThanGreaterThanGreaterThanToken, ["<<"]],
  [K.PlusEqualsToken, ["-="]],
  [K.MinusEqualsToken, ["+="]],
  [K.AsteriskEqualsToken, ["/="]],
  [K.SlashEqualsToken, ["*="]],
  [K.BarEqualsToken, ["&="]],
  [K.AmpersandEqualsToken, ["|="]],
]);

const METHODS = { min: "max", max: "min", floor: "ceil", ceil: "floor", every: "some", some: "every" };
/** Instructions of vectors in kernels. */
const VECTORS = {
  add: "sub",
  sub: "add",
  mul: "add",
  min: "max",
  max: "min",
  lt: "le",
  le: "lt",
  gt: "ge",
  ge: "gt",
  eq: "ne",
  ne: "eq",
};

/** The numeral with its last digit off by one, or an earlier digit where that rounds to the same number. */
export function nearby(text, step) {
  if (/^-?\d+n$/.test(text)) return `${BigInt(text.slice(0, -1)) + BigInt(step)}n`;
  const value = Number(text);
  if (/^(0x[\da-f]+|0b[01]+|\d+)$/i.test(text)) return value + step < 0 ? String(value + 1) : String(value + step);
  const [, digits, exponent = ""] = /^([\d.]+)(e[+-]?\d+)?$/i.exec(text) ?? [];
  if (digits === undefined) return undefined;
  for (let i = digits.length - 1; i >= 0; i--) {
    if (digits[i] === ".") continue;
    const digit = Number(digits[i]);
    const other = digit + step < 0 || digit + step > 9 ? digit - step : digit + step;
    const changed = `${digits.slice(0, i)}${other}${digits.slice(i + 1)}${exponent}`;
    if (Number(changed) !== value) return changed;
  }
  return undefined;
}

/**
 * The sites of a parsed file: `{ kind, start, end, changes, probe }`. A change is the text that takes the place of start..end; `probe` is the node
 * that runs when the site does. With a checker of types, + of texts and swapped arguments of different types are left out.
 */
export function sitesOf(source, checker) {
  const sites = [];
  const textOf = (node) => node.getText(source);
  const typeOf = (node) => (checker ? checker.typeToString(checker.getTypeAtLocation(node)) : "number");
  const isNumber = (node) => !checker || /^(number|bigint|-?[\d.]+n?)$/.test(typeOf(node));
  const add = (kind, node, changes, probe = node) => {
    const [start, end] = [node.getStart(source), node.end];
    const different = changes.filter((change) => change !== undefined && change !== source.text.slice(start, end));
    if (different.length > 0) sites.push({ kind, start, end, changes: different, probe: probeOf(probe, source) });
  };

  const visitors = {
    [K.BinaryExpression](node) {
      const { left, operatorToken, right } = node;
      const changes = OPERATORS.get(operatorToken.kind);
      const isSum = operatorToken.kind === K.PlusToken || operatorToken.kind === K.PlusEqualsToken;
      if (changes && !(isSum && !(isNumber(left) && isNumber(right)))) add("operator", operatorToken, changes, node);
      if (operatorToken.kind === K.QuestionQuestionToken) add("dropped branch", node, [textOf(right)]);
    },
    [K.PrefixUnaryExpression](node) {
      const { operator, operand } = node;
      if (operator === K.MinusToken && !ts.isNumericLiteral(operand)) add("sign", node, [`(${textOf(operand)})`]);
      if (operator === K.ExclamationToken) add("negation", node, [`!!${textOf(operand)}`]);
      step(node);
    },
    [K.PostfixUnaryExpression]: step,
    [K.NumericLiteral](node) {
      add("constant", node, [nearby(textOf(node), 1), nearby(textOf(node), -1)]);
    },
    [K.BigIntLiteral](node) {
      add("constant", node, [nearby(textOf(node), 1), nearby(textOf(node), -1)]);
    },
    [K.TrueKeyword]: (node) => add("constant", node, ["false"]),
    [K.FalseKeyword]: (node) => add("constant", node, ["true"]),
    [K.ElementAccessExpression]({ argumentExpression: index }) {
      if (!ts.isNumericLiteral(index) && isNumber(index))
        add("index", index, [`(${textOf(index)}) + 1`, `(${textOf(index)}) - 1`]);
    },
    [K.ConditionalExpression](node) {
      add("dropped branch", node, [`(${textOf(node.whenTrue)})`, `(${textOf(node.whenFalse)})`]);
    },
    [K.IfStatement](node) {
      const { thenStatement, elseStatement } = node;
      add("dropped branch", node, elseStatement ? [textOf(thenStatement), textOf(elseStatement)] : ["{}"]);
    },
    [K.ReturnStatement]: (node) => add("dropped statement", node, [";"]),
    [K.ContinueStatement]: (node) => add("dropped statement", node, [";"]),
    [K.BreakStatement]: (node) => add("dropped statement", node, [";"]),
    [K.ExpressionStatement](node) {
      const isSuper = ts.isCallExpression(node.expression) && node.expression.expression.kind === K.SuperKeyword;
      if (!isSuper) add("dropped statement", node, [";"]);
    },
    [K.CallExpression](node) {
      const { expression, arguments: given } = node;
      for (let i = 0; i + 1 < given.length; i++) {
        const [a, b] = [given[i], given[i + 1]];
        if ([a, b].some((one) => ts.isSpreadElement(one) || ts.isFunctionLike(one)) || typeOf(a) !== typeOf(b)) continue;
        const [start, end] = [a.getStart(source), b.end];
        const swapped = `${textOf(b)}, ${textOf(a)}`;
        if (textOf(a) !== textOf(b))
          sites.push({ kind: "swapped arguments", start, end, changes: [swapped], probe: probeOf(node, source) });
      }
      if (!ts.isPropertyAccessExpression(expression)) return;
      const { name, expression: object } = expression;
      const isVector = /^([iuf]\d+x\d+|v128)$/.test(textOf(object));
      const other = (isVector ? VECTORS : METHODS)[textOf(name)];
      if (other && Object.hasOwn(isVector ? VECTORS : METHODS, textOf(name))) add("method", name, [other], node);
    },
  };

  /** Not the step of a loop, which would never end or never begin: every test of the loop catches that. */
  function step(node) {
    if (node.operator !== K.PlusPlusToken && node.operator !== K.MinusMinusToken) return;
    if (ts.isForStatement(node.parent) && node.parent.incrementor === node) return;
    const [from, to] = node.operator === K.PlusPlusToken ? ["++", "--"] : ["--", "++"];
    add("operator", node, [textOf(node).replace(from, to)]);
  }

  const visit = (node) => {
    if (isSkipped(node)) return;
    visitors[node.kind]?.(node);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return sites;
}

/** Types, imports and exports, and the names of properties are not run. */
function isSkipped(node) {
  if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return true;
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isDecorator(node)) return true;
  if (ts.canHaveModifiers(node) && ts.getModifiers(node)?.some(({ kind }) => kind === K.DeclareKeyword)) return true;
  const { parent } = node;
  return parent !== undefined && (ts.isPropertyAssignment(parent) || ts.isPropertySignature(parent)) && parent.name === node;
}

/** The node as a range, and whether it is a statement. */
const probeOf = (node, source) => ({ start: node.getStart(source), end: node.end, statement: ts.isStatement(node) });
