/**
 * The default that the comment of an option states stands in the code, `const { most = 1000 } = options`. Calls with and without an option are
 * compared in library-defaults.test.ts; this also sees defaults that no small call shows, such as a number of lists.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts") && !path.includes("wasm"))
  .map((path) => `src/${path.replaceAll("\\", "/")}`)
  .sort();

/** A literal, or the constant of the file that a name stands for; undefined for anything else. */
function literal(node: ts.Expression, constants: ReadonlyMap<string, ts.Expression>): unknown {
  if (ts.isNumericLiteral(node)) return Number(node.text.replaceAll("_", ""));
  if (ts.isStringLiteral(node)) return node.text;
  if (node.kind === ts.SyntaxKind.TrueKeyword || node.kind === ts.SyntaxKind.FalseKeyword)
    return node.kind === ts.SyntaxKind.TrueKeyword;
  if (ts.isIdentifier(node)) {
    const value = constants.get(node.text);
    return value && !ts.isIdentifier(value) ? literal(value, constants) : undefined;
  }
  return undefined;
}

/** What a comment says after "Default:", where that is a number, a text or yes or no. */
function stated(comment: string): unknown {
  const [, text] = /Default: ("[^"]*"|true|false|-?\d+(?:\.\d+)?)\.(?:\s|$)/.exec(comment) ?? [];
  return text === undefined ? undefined : JSON.parse(text);
}

/** Each default that is a value, with those that comments of the same file state for an option of that name. */
const found = sources.flatMap((path) => {
  const file = ts.createSourceFile(path, readFileSync(join(root, path), "utf8"), ts.ScriptTarget.Latest, true);
  const constants = new Map<string, ts.Expression>();
  const defaults: { name: string; value: unknown }[] = [];
  const comments = new Map<string, unknown[]>();
  for (const statement of file.statements)
    for (const { name, initializer } of ts.isVariableStatement(statement) ? statement.declarationList.declarations : [])
      if (ts.isIdentifier(name) && initializer) constants.set(name.text, initializer);
  const visit = (node: ts.Node): void => {
    if (ts.isPropertySignature(node) && ts.isIdentifier(node.name)) {
      const value = stated(node.getFullText());
      if (value !== undefined) comments.set(node.name.text, [...(comments.get(node.name.text) ?? []), value]);
    }
    if (ts.isBindingElement(node) && node.initializer && ts.isObjectBindingPattern(node.parent)) {
      const name = node.propertyName ?? node.name;
      const value = literal(node.initializer, constants);
      if (ts.isIdentifier(name) && value !== undefined) defaults.push({ name: name.text, value });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return defaults.flatMap(({ name, value }) => {
    const wanted = comments.get(name);
    return wanted ? [{ option: `${path}: ${name}`, value, wanted }] : [];
  });
});

it("defaults in the code are those that comments state", () => {
  expect(found.filter(({ value, wanted }) => !wanted.includes(value))).toEqual([]);
  expect(found.length).toBeGreaterThan(100);
});
