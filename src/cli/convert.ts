/** `tierwise convert`: models from and to other tools; models written for other tools come with rows and scores (.parity.json) to check them. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Command } from "commander";
import { checkWritable } from "../formats/check-paths.ts";
import { writeDurably } from "../formats/durable.ts";
import { checkModel, type ExportOptions, exportModel } from "../formats/models/export.ts";
import { type FeatureStore, featureStore, parseFeatureDefinitions } from "../formats/models/feature-store.ts";
import { bytesOf, readModel, writeModel } from "../formats/models/files.ts";
import { formatForName, modelFormat, modelFormats, sniff } from "../formats/models/formats.ts";
import { importModel, withBase, withNames } from "../formats/models/import.ts";
import type { ModelFile } from "../formats/models/native.ts";
import { compareParity, type Parity, type ParityCheck, parityRows, parityText, parseParity } from "../formats/models/parity.ts";
import { textOfSmall } from "../formats/small-files.ts";
import { InputError, quote } from "../input-error.ts";
import { MissingTransform } from "../models/transform.ts";
import { checkDistinct, FileOption } from "./files.ts";
import { figure, notice, print, printJson } from "./output.ts";

interface Options {
  readonly from?: string;
  readonly to?: string;
  readonly features?: string;
  readonly indexBase?: string;
  readonly missing?: string;
  readonly name?: string;
  readonly check?: string;
  readonly definitions?: string;
  readonly json?: true;
  readonly quiet?: true;
}

export function convertCommand(program: Command): void {
  program
    .command("convert")
    .summary("convert models from and to other tools")
    .description(
      `Writes a model in the format of another tool, or reads one from there. Formats: tierwise, ${modelFormats.map(({ id }) => id).join(", ")}.`,
    )
    .argument("[in]", "model file; its format is seen from its content")
    .argument("[out]", "file to write; its format is seen from its ending")
    .option("--from <format>", "the format of the model file")
    .option("--to <format>", "the format to write")
    .addOption(new FileOption("--features <file>", "names of the features, one on each line", "reads"))
    .option(
      "--index-base <number>",
      "number of the model's first feature, 0 or 1, where features have no names: 1 for a model trained on arrays and data files that begin with feature 1",
    )
    .option("--missing <what>", "zero: write a model whose target counts missing values as 0 even where the model does not")
    .option("--name <name>", "the name under which a search engine keeps the model (default: tierwise)")
    .addOption(
      new FileOption(
        "--definitions <file>",
        "JSON of how a search engine computes the features; writes OUT.features and OUT.query beside the model",
        "reads",
      ),
    )
    .addOption(new FileOption("--check <file>", "score the rows of FILE.parity.json with a converted file, and compare", "reads"))
    .option("--json", "print the result as one line of JSON")
    .option("--quiet", "no remarks, only the result")
    .action(run);
}

async function run(from: string | undefined, to: string | undefined, options: Options): Promise<void> {
  if (options.check !== undefined) {
    if (from !== undefined) throw new InputError(`convert --check takes one file, and ${quote(from)} is given too`);
    await check(options.check, options);
  } else if (from === undefined || to === undefined)
    throw new InputError("convert: expected a model file and a file to write (tierwise convert --help)");
  else convert(from, to, options);
}

const PARITY = ".parity.json";

function convert(from: string, to: string, options: Options): void {
  const target = targetOf(to, options);
  if (options.missing !== undefined && options.missing !== "zero" && options.missing !== "refuse")
    throw new InputError(`--missing: expected zero or refuse, got ${quote(options.missing)}`);
  if (options.definitions !== undefined && target === "tierwise")
    throw new InputError("--definitions are for search engines, and the model is written in the format tierwise");
  const outputs = [
    to,
    ...(target === "tierwise" ? [] : [to + PARITY]),
    ...(options.definitions ? [`${to}.features`, `${to}.query`] : []),
  ];
  for (const path of outputs) checkWritable(path);
  checkDistinct(
    [from, options.features, options.definitions].filter((path) => path !== undefined),
    outputs.map((path) => ({ path, what: "the output" })),
  );
  const { file, source, notes } = read(from, options);
  const allNotes = [...notes];
  if (target === "tierwise") writeModel(to, file);
  else {
    const given: ExportOptions = {
      to: target,
      ...(options.missing ? { missing: options.missing } : {}),
      ...(options.name === undefined ? {} : { name: options.name }),
    };
    const written = within(from, () => exportModel(file.model, given));
    const store =
      options.definitions === undefined
        ? undefined
        : storeFor(options.definitions, target, written.parity.features, options.name);
    writeDurably(to, written.content);
    writeDurably(to + PARITY, parityText(written.parity));
    if (store) {
      writeDurably(`${to}.features`, store.store);
      writeDurably(`${to}.query`, store.query);
    }
    allNotes.push(...written.notes);
  }
  const trees = file.model.describe().facts.trees;
  const facts = {
    in: from,
    from: source,
    out: to,
    to: target,
    features: file.model.columns.count,
    ...(trees === undefined ? {} : { trees }),
  };
  if (options.json) printJson({ ...facts, ...(target === "tierwise" ? {} : { parity: to + PARITY }), notes: allNotes });
  else {
    if (!options.quiet) for (const note of allNotes) notice(`${note.charAt(0).toUpperCase()}${note.slice(1)}.`);
    print(`The model is in ${to}${target === "tierwise" ? "" : `, and rows to check it by are in ${to}${PARITY}`}.`);
  }
}

function storeFor(path: string, target: string, features: readonly string[], name: string | undefined): FeatureStore {
  const definitions = parseFeatureDefinitions(textIn(path, "the feature definitions"), path);
  return within(path, () => featureStore(definitions, { to: target, features, ...(name === undefined ? {} : { name }) }));
}

/** Errors name the option of the command line and the file. */
function within<R>(path: string, act: () => R): R {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(`${path}: ${error.message.replace("The option missing=zero writes", "--missing zero writes")}`);
  }
}

function targetOf(path: string, { to }: Options): string {
  if (to === "tierwise") return to;
  if (to !== undefined) return modelFormat(to).id;
  const format = formatForName(path);
  if (format) return format.id;
  if (path.endsWith(".json")) return "tierwise";
  throw new InputError(
    `${path}: no format has files of such an ending; name it by --to (tierwise, ${modelFormats
      .filter(({ write }) => write)
      .map(({ id }) => id)
      .join(", ")})`,
  );
}

function read(
  path: string,
  { from, features, indexBase }: Options,
): { file: ModelFile; source: string; notes: readonly string[] } {
  const names = features === undefined ? undefined : namesIn(features);
  if (indexBase !== undefined && indexBase !== "0" && indexBase !== "1")
    throw new InputError(`--index-base: expected 0 or 1, got ${quote(indexBase)}`);
  const base = indexBase === undefined ? undefined : indexBase === "0" ? 0 : 1;
  const bytes = existsSync(path) && !path.startsWith("/dev/") ? sniffable(path) : undefined;
  const foreign = from !== undefined ? from !== "tierwise" : bytes && sniff(bytes) !== undefined;
  if (foreign) {
    const imported = importModel(bytes ?? bytesOf(path), {
      path,
      ...(from === undefined ? {} : { from }),
      ...(names ? { features: names } : {}),
      ...(base === undefined ? {} : { base }),
    });
    return { file: imported, source: imported.format, notes: imported.notes };
  }
  const file = modelIn(path);
  const model = base === undefined ? file.model : withBase(file.model, base);
  return { file: { ...file, model: names ? withNames(model, names) : model }, source: "tierwise", notes: [] };
}

function modelIn(path: string): ModelFile {
  try {
    return readModel(path);
  } catch (error) {
    if (!(error instanceof MissingTransform)) throw error;
    throw new InputError(
      `${error.what}, which is code, and a model file of another tool has no place for code; train without --transform on features that the transform has computed`,
    );
  }
}

function sniffable(path: string): Uint8Array | undefined {
  try {
    return bytesOf(path);
  } catch {
    return undefined; // readModel reports the error
  }
}

function textIn(path: string, what: string): string {
  try {
    return textOfSmall(path);
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(`${path}: ${what} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

function namesIn(path: string): string[] {
  const names = textIn(path, "the names of features")
    .split(/\r?\n/)
    .map((line) => line.trim());
  while (names.at(-1) === "") names.pop();
  const empty = names.indexOf("");
  if (empty >= 0) throw new InputError(`${path}:${empty + 1}: expected the name of a feature, got an empty line`);
  return names;
}

async function check(path: string, options: Options): Promise<void> {
  const beside = path + PARITY;
  if (!existsSync(beside)) throw new InputError(`${beside}: there is no such file, by which ${path} could be checked`);
  const parity = parseParity(textOfSmall(beside), beside);
  const target = options.from ?? parity.target;
  const result = await checked(path, { ...parity, target });
  const missing = `${result.identical} of ${result.rows} rows give the expected score to the last bit`;
  if (options.json) printJson({ file: path, format: target, ...result });
  else
    print(
      `${result.passed ? "passed" : "failed"}: ${missing}${result.worst > 0 ? `, the largest difference is ${figure(result.worst)}` : ""}.`,
    );
  if (result.passed) return;
  const why = result.unchanged
    ? `the scores are not those of ${beside}`
    : `the file was changed after it was written: its digest is not that of ${beside}; convert the model again`;
  throw new InputError(`${path}: ${why}`);
}

async function checked(path: string, parity: Parity): Promise<ParityCheck> {
  if (parity.target === "js") return compareParity(parity, await runJs(path, parity), bytesOf(path));
  if (parity.target === "c") return compareParity(parity, runC(path, parity), bytesOf(path));
  return checkModel(bytesOf(path), parity, path);
}

async function runJs(path: string, parity: Parity): Promise<number[]> {
  const { score } = (await import(pathToFileURL(resolve(path)).href)) as { score?: (features: Float32Array) => number };
  if (typeof score !== "function") throw new InputError(`${path}: expected a module that exports score(features)`);
  const rows = parityRows(parity);
  return parity.rows.map((_, r) => score(rows.subarray(r * parity.count, (r + 1) * parity.count)));
}

function runC(path: string, parity: Parity): number[] {
  const folder = mkdtempSync(join(tmpdir(), "tierwise-"));
  try {
    const program = join(folder, "score");
    const compiled = spawnSync("cc", ["-O1", "-DTIERWISE_CHECK", "-o", program, resolve(path), "-lm"], { encoding: "utf8" });
    if (compiled.error) throw new InputError(`${path}: a C file is checked by compiling it, and there is no compiler cc`);
    if (compiled.status !== 0)
      throw new InputError(
        `${path}: does not compile: ${compiled.stderr.split("\n").find((line) => line.includes("error")) ?? ""}`,
      );
    const input = Array.from(parityRows(parity), String).join(" ").replaceAll("NaN", "nan");
    const { stdout } = spawnSync(program, [], { input, encoding: "utf8", maxBuffer: 1 << 26 });
    return stdout.trim().split("\n").map(Number);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
