/** What the papers use that the package does not export: the one place in this folder that imports from inside `src`. */
export { splitIntoParts, splitUnits, trainTestSplits } from "../src/data/parts.ts";
export { labelFrequency } from "../src/data/top-lists.ts";
export { appendDurably, makeFolder, writeDurably } from "../src/formats/durable.ts";
export { checkNesting } from "../src/formats/json.ts";
export { quote } from "../src/input-error.ts";
export { columnsOf } from "../src/models/shared/columns.ts";
export { exp, expm1, log } from "../src/numeric/functions.ts";
export { descending } from "../src/numeric/order.ts";
export { below, random } from "../src/numeric/random.ts";
export { type LinesOptions, lines, type Series, traces } from "../src/report/lines.ts";
export { drawing, label, line, PAPER, round, ticks } from "../src/report/svg.ts";
export { runSolo } from "../src/teams/solo.ts";
