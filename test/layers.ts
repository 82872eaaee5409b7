/**
 * The layers of the project. A module may import its own folder and folders of lower layers, never a folder of the same layer; types.ts may
 * be imported for its types anywhere. `node:*` belongs to the command line, the server, the papers, the teams and where formats open files.
 * Papers import what the package exports, as users do, and anything else through papers/internal.ts.
 */
import ts from "typescript";

/** From the top. Registries that share a line are in the same layer. */
const LAYERS: readonly (readonly string[])[] = [
  ["examples", "bench"],
  ["cli"],
  ["server"],
  ["papers"],
  ["report", "testing"],
  ["index"],
  ["browser"],
  ["verbs"],
  ["formats"],
  ["models"],
  ["clicks"],
  ["data", "objectives", "metrics", "statistics", "optimizers", "ratings", "teams"],
  ["numeric"],
  [
    ...["types", "part", "fields", "similar-names", "input-error", "memory-budget", "printable", "arguments", "members"],
    ...["modules", "version", "counted"],
  ],
];

const VERBS = [
  ...["auto", "auto-blend", "auto-budget", "auto-folds", "auto-selection", "auto-sequence", "auto-trial"],
  ...[
    "baselines",
    "blend",
    "bootstrap",
    "calibrate",
    "chain-diagnostics",
    "check-training",
    "checkpoint",
    "checkpoint-identity",
    "checkpoint-loop",
    "click-data",
    "position-bias",
    "compare",
    "compare-ties",
    "counterfactual",
    "cv",
    "cv-checkpoint",
    "default-objective",
    "effects",
    "evaluate",
    "explain",
    "fit",
    "gather-scores",
    "held-out",
    "history",
    "inspect",
    "inspect-drift",
    "inspect-duplicates",
    "inspect-leaks",
    "inspect-orders",
    "inspect-same-in-lists",
    "interleave",
    "interleaving-log",
    "leaderboard",
    "leaderboard-changes",
    "leaderboard-compare",
    "leaderboard-cycles",
    "leaderboard-drift",
    "leaderboard-errors",
    "leaderboard-influence",
    "leaderboard-judges",
    "leaderboard-features",
    "leaderboard-fit",
    "leaderboard-periods",
    "leaderboard-rankings",
    "leaderboard-rankings-design",
    "leaderboard-ratings",
    "leaderboard-rows",
    "leaderboard-shrinkage",
    "leaderboard-slices",
    "leaderboard-split",
  ],
  ...[
    "metric-differences",
    "next-pairs",
    "online-ratings",
    "online-compare",
    "permutation-importance",
    "probabilities",
    "rank",
    "rank-client",
    "score-rows",
    "stop-on",
    "search-space",
    "shared-checkpoints",
    "temperature",
    "tie-exposure",
    "train",
    "training-record",
    "train-worker",
    "training-record",
    "tune",
    "validation-metrics",
    "voter-clusters",
    "what-if",
  ],
];
const FILE_EDGES = [
  "src/formats/checkpoint-directory.ts",
  "src/formats/data/cache.ts",
  "src/formats/data/file-bytes.ts",
  "src/formats/data/paths.ts",
  "src/formats/data/read-binned.ts",
  "src/formats/data/read.ts",
  "src/formats/data/parallel-read-worker.ts",
  "src/formats/durable.ts",
  "src/formats/writable.ts",
  "src/formats/models/files.ts",
  "src/formats/small-files.ts",
  "src/formats/temporary.ts",
  "src/formats/data/list-cuts.ts",
  "src/formats/data/read-binned-shard.ts",
  "src/formats/data/read-shard.ts",
  "src/formats/data/shard-pieces.ts",
  "src/formats/data/table-cuts.ts",
];
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  cli: ["commander"],
  formats: ["@duckdb/node-api", "apache-arrow", "parquet-wasm"],
  server: ["fastify", "@fastify/swagger", "libsql", "typebox", "typebox/compile"],
  report: ["@observablehq/plot", "jsdom"],
  teams: ["koffi"],
};

/** What users can import, as papers do. */
const ENTRIES = ["src/index.ts", "src/report/report.ts", "src/testing/index.ts"];
const PAPERS_INTERNAL = "papers/internal.ts";

export interface Import {
  readonly target: string; // as it is written
  readonly typesOnly: boolean;
}

/** Every import and re-export of a module, also by `import()` and `new URL(..., import.meta.url)`, by which threads find their program. */
export function importsOf(path: string, text: string): Import[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: Import[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
      const { importClause: clause } = node;
      const named = clause?.namedBindings && ts.isNamedImports(clause.namedBindings) ? clause.namedBindings.elements : [];
      const allTypes = named.length > 0 && !clause?.name && named.every(({ isTypeOnly }) => isTypeOnly);
      found.push({
        target: node.moduleSpecifier.text,
        typesOnly: clause?.phaseModifier === ts.SyntaxKind.TypeKeyword || allTypes,
      });
    } else if (ts.isExportDeclaration(node) && node.moduleSpecifier && ts.isStringLiteral(node.moduleSpecifier)) {
      found.push({ target: node.moduleSpecifier.text, typesOnly: node.isTypeOnly });
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument) && ts.isStringLiteral(node.argument.literal)) {
      found.push({ target: node.argument.literal.text, typesOnly: true });
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [what] = node.arguments;
      if (what && ts.isStringLiteralLike(what)) found.push({ target: what.text, typesOnly: false });
    } else if (ts.isNewExpression(node) && node.expression.getText(file) === "URL") {
      const [what, base] = node.arguments ?? [];
      if (what && ts.isStringLiteralLike(what) && base?.getText(file) === "import.meta.url" && what.text.endsWith(".js"))
        found.push({ target: what.text.replace(/\.js$/, ".ts"), typesOnly: false });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** The folder that a module belongs to, or undefined. */
export function folderOf(path: string): string | undefined {
  const [top, name, ...rest] = path.split("/");
  if (top !== "src") return ["papers", ...LAYERS[0]!].find((folder) => folder === top);
  if (rest.length > 0) return known(name!);
  const stem = name!.replace(/\.ts$/, "");
  return VERBS.includes(stem) ? "verbs" : known(stem);
}

const layerOf = (folder: string) => LAYERS.findIndex((folders) => folders.includes(folder));
const known = (folder: string) => (layerOf(folder) >= 0 ? folder : undefined);

/** What is wrong with the imports of a module, a line each. */
export function violations(path: string, text: string): string[] {
  const folder = folderOf(path);
  if (!folder) return [`${path}: no layer contains it; add it in test/layers.ts`];
  return importsOf(path, text).flatMap(({ target, typesOnly }) => {
    const why = wrong(path, folder, target, typesOnly);
    return why ? [`${path} imports ${target}: ${why}`] : [];
  });
}

function wrong(path: string, folder: string, target: string, typesOnly: boolean): string | undefined {
  if (target.startsWith("node:")) {
    const open = layerOf(folder) <= layerOf("papers") || folder === "teams" || FILE_EDGES.includes(path);
    return open ? undefined : "node:* would keep it from running in a browser";
  }
  if (!target.startsWith("."))
    return PACKAGES[folder]?.includes(target) || layerOf(folder) === 0 ? undefined : `${folder} uses no package of that name`;
  if (!target.endsWith(".ts")) return "modules are named with their ending, .ts";
  const there = new URL(target, `file:///${path}`).pathname.slice(1);
  const other = folderOf(there);
  if (!other) return "no layer contains it";
  if (other === folder) return undefined;
  if (folder === "papers" && path !== PAPERS_INTERNAL && !ENTRIES.includes(there))
    return `papers import public names; others come through ${PAPERS_INTERNAL}`;
  if (other === "types") return typesOnly ? undefined : "types.ts holds types alone";
  const [from, to] = [layerOf(folder), layerOf(other)];
  if (from === to && from !== LAYERS.length - 1) return `${folder} and ${other} are in the same layer`;
  return to < from ? `${other} is above ${folder}` : undefined;
}
