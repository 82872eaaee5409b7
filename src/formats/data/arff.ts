/**
 * ARFF as Mulan writes multi-label data: attributes, some of which an XML file names as labels, then rows, sparse `{number value, ...}` or
 * with a value for each attribute. A label with another value than 0 is relevant, and values above 1 are grades. Without the XML file,
 * `-C n` in the relation's name gives the labels as Meka does: the first n attributes, or the last -n. http://mulan.sourceforge.net/format.html
 *
 * A nominal attribute whose values are numbers has those; one of two words is 0 or 1 in their order, and one of more is refused, as are
 * strings and dates. What a sparse row leaves out is 0, and `?` is a missing value, which becomes 0.
 */
import { counted } from "../../counted.ts";
import type { FeatureStorage } from "../../data/blocks.ts";
import { MultiLabelBuilder } from "../../data/multilabel-builder.ts";
import { InputError, quote } from "../../input-error.ts";
import { asText } from "../../numeric/numeral.ts";
import type { MultiLabelFormat, MultiLabelParser } from "./format.ts";
import { lines } from "./lines.ts";
import { emptySummary, TOO_LARGE } from "./parse-summary.ts";
import type { SideFile } from "./side-files.ts";

interface Attribute {
  readonly name: string;
  readonly words: ReadonlyMap<string, number> | undefined; // values of a nominal attribute
}

export const arff: MultiLabelFormat<"arff"> = {
  id: "arff",
  about: "multi-label ARFF as written by Mulan, with an XML file of label names",
  extensions: [".arff"],
  options: ["split"],
  kind: "multi-label",
  sniff: (line) => /^\s*(%|@relation\b)/i.test(line),
  labelFiles,
  parser,
};

function parser(file: string, before: MultiLabelBuilder | undefined, storage: FeatureStorage, side?: SideFile): MultiLabelParser {
  const summary = emptySummary("a list per row");
  const attributes: Attribute[] = [];
  let relation = "";
  let line = 0;
  let builder = before;
  let places: Int32Array | undefined; // of attribute a: its feature, or -1 - its label

  const fail = (text: string): never => {
    throw new InputError(`${file}:${line}: ${text}`);
  };

  const declare = (text: string): void => {
    const found = /^@(\w+)\s*(.*)$/s.exec(text);
    const [, key = "", rest = ""] = found ?? [];
    if (key.toLowerCase() === "relation") relation = rest;
    else if (key.toLowerCase() === "attribute") attributes.push(attribute(rest, fail));
    else if (key.toLowerCase() === "data") begin();
    else fail(`expected @relation, @attribute or @data, got ${quote(text)}`);
  };

  const begin = (): void => {
    const labels = labelNames(file, attributes, relation, side);
    const names = new Set(labels);
    const features = attributes.filter(({ name }) => !names.has(name)).map(({ name }) => name);
    const item = new Map(labels.map((name, i) => [name, i]));
    const feature = new Map(features.map((name, i) => [name, i]));
    if (feature.size < features.length || item.size < labels.length) fail("two attributes have the same name");
    places = Int32Array.from(attributes, ({ name }) => (item.has(name) ? -1 - item.get(name)! : feature.get(name)!));
    builder ??= new MultiLabelBuilder({
      ...{ items: labels.length, columns: features.length, storage },
      ...{ itemNames: labels, featureNames: features },
    });
    const { itemNames, featureNames } = builder.options;
    if (String(itemNames) !== String(labels) || String(featureNames) !== String(features))
      fail("its attributes or labels differ from those of the preceding files");
    summary.details.push(side ? `labels named in ${side.name}` : "labels from the relation's -C");
  };

  const put = (number: number, text: string) => {
    const found = attributes[number];
    if (!found) return fail(`there is no attribute ${number} among ${attributes.length}`);
    if (text === "?") {
      summary.missing++;
      return;
    }
    const word = unquoted(text);
    const value = found.words ? found.words.get(word) : word === "" ? undefined : Number(word);
    if (value === undefined || !(value < TOO_LARGE && value > -TOO_LARGE))
      return fail(`attribute ${quote(found.name)}: unexpected value ${quote(text)}`);
    const place = places![number]!;
    if (place >= 0) {
      if (value !== 0) builder!.cells.add(place, value);
    } else if (value < 0) fail(`label ${quote(found.name)}: expected a grade of at least 0, got ${value}`);
    else builder!.addLabel(-1 - place, value);
  };

  const row = (text: string): void => {
    if (text.startsWith("{")) {
      if (!text.endsWith("}")) fail(`expected "}" at the end of a sparse row, got ${quote(text.slice(-20))}`);
      for (const cell of cells(text.slice(1, -1))) {
        const found = /^(\d+)\s+(.+)$/.exec(cell);
        if (!found) fail(`expected "number value", got ${quote(cell)}`);
        put(Number(found![1]), found![2]!);
      }
    } else {
      const values = cells(text);
      if (values.length !== attributes.length) fail(`expected ${attributes.length} values, got ${values.length}`);
      values.forEach((value, number) => void put(number, value));
    }
    const twice = builder!.end();
    if (twice)
      fail(`${"item" in twice ? "label" : "feature"} number ${"item" in twice ? twice.item : twice.feature} is given twice`);
    summary.rows++;
  };

  const splitter = lines(
    (bytes, from, to) => {
      line++;
      const text = asText(bytes, from, to).trim();
      if (text === "" || text.startsWith("%")) return;
      if (places) row(text);
      else declare(text);
    },
    () => `${file}:${line + 1}`,
  );
  return {
    summary,
    push: splitter.push,
    end() {
      splitter.end();
      if (!places) throw new InputError(`${file}: expected @data, and there is none; the file is truncated`);
      if (summary.missing > 0) summary.notices.push(`${counted(summary.missing, "value")} missing, taken as 0`);
    },
    builder: () => builder!,
  };
}

const unquoted = (text: string) => (/^(['"]).*\1$/s.test(text) ? text.slice(1, -1).replace(/\\(.)/g, "$1") : text);

/** Splits at commas outside quotes, character by character: a pattern would run out of stack on a long cell. */
function cells(text: string): string[] {
  if (text.trim() === "") return [];
  if (!/['"]/.test(text)) return text.split(",").map((one) => one.trim());
  const found: string[] = [];
  let from = 0;
  let open = "";
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]!;
    if (open !== "") {
      if (letter === "\\") at++;
      else if (letter === open) open = "";
    } else if (letter === "'" || letter === '"') open = letter;
    else if (letter === ",") {
      found.push(text.slice(from, at).trim());
      from = at + 1;
    }
  }
  return [...found, text.slice(from).trim()];
}

function attribute(text: string, fail: (text: string) => never): Attribute {
  const found = /^('[^'\\]*(?:\\.[^'\\]*)*'|"[^"\\]*(?:\\.[^"\\]*)*"|[^\s'"{]\S*)\s+(.+)$/s.exec(text);
  if (!found) return fail(`expected "@attribute name type", got ${quote(text)}`);
  const [name, type] = [unquoted(found[1]!), found[2]!.trim()];
  if (/^(numeric|real|integer)\b/i.test(type)) return { name, words: undefined };
  if (!/^\{.*\}$/s.test(type)) return fail(`attribute ${quote(name)}: expected numbers or {values}, got ${quote(type)}`);
  const values = cells(type.slice(1, -1)).map(unquoted);
  if (values.every((value) => value !== "" && Number.isFinite(Number(value)))) return { name, words: undefined };
  if (values.length > 2)
    return fail(`attribute ${quote(name)} has ${values.length} values that are not numbers; use one column per value`);
  return { name, words: new Map(values.map((value, i) => [value, i])) };
}

function labelNames(file: string, attributes: readonly Attribute[], relation: string, side: SideFile | undefined): string[] {
  const names = attributes.map(({ name }) => name);
  if (side) {
    const text = new TextDecoder().decode(side.bytes);
    const found = Array.from(text.matchAll(/<label\s[^<>]*?name\s*=\s*(?:"([^"]*)"|'([^']*)')/g), ([, a, b]) =>
      entities(a ?? b ?? ""),
    );
    if (found.length === 0) throw new InputError(`${side.name}: expected <label name="..."> elements, found none`);
    const known = new Set(names);
    const strange = found.find((name) => !known.has(name));
    if (strange !== undefined) throw new InputError(`${side.name}: no attribute of ${file} is called ${quote(strange)}`);
    const labels = new Set(found);
    return names.filter((name) => labels.has(name));
  }
  const count = Number(/-C\s+(-?\d+)/.exec(relation)?.[1] ?? 0);
  if (count === 0)
    throw new InputError(
      `${file}: the labels are unknown among the attributes; add an XML file with <label name="..."> elements, such as ${file.replace(/\.arff(\.gz)?$/i, "")}.xml`,
    );
  return count > 0 ? names.slice(0, count) : names.slice(count);
}

const entities = (text: string) =>
  text.replace(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => ({ lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" })[name]!);

/** Where the XML file of labels may be: `data.xml` or `data-labels.xml`, also beside data-train.arff and data-test.arff.gz. */
function labelFiles(path: string): string[] {
  if (!/\.arff(\.gz)?$/i.test(path)) return [];
  const stem = path.replace(/\.gz$/i, "").replace(/\.arff$/i, "");
  const whole = stem.replace(/[-_.](train|test|valid|validation|dev|vali)$/i, "");
  return [...new Set([stem, whole])].flatMap((one) => [`${one}.xml`, `${one}-labels.xml`]);
}
