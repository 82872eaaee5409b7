/** Assigns roles to the columns of a table: label, qid, weight, document id, feature, or ignored. */
import { ignoredNotice, type UnknownFeatures } from "../../data/align.ts";
import { widthOf } from "../../data/table/encode.ts";
import { InputError, quote } from "../../input-error.ts";
import { suggest } from "../../part.ts";
import type { ColumnEncoding } from "../../types.ts";

export interface ColumnOptions {
  /** Empty: the first of the usual names. */
  readonly label?: string;
  readonly qid?: string;
  /** Empty: none. */
  readonly weight?: string;
  readonly id?: string;
  readonly ignore?: readonly string[];
  /** Whether the table has a header; columns of one without are called 0, 1, 2 and so on, and the first is the label by default. */
  readonly header?: boolean;
  readonly labels?: "required" | "optional";
  readonly scorer?: Scorer;
}

/** What is known of the model that will score the rows: which columns it needs, and what explains errors. */
export interface Scorer {
  /** Whether it knows features by number rather than by name. */
  readonly numbered?: boolean;
  /** Options of reading that it was trained with and that were not given again. */
  readonly remembered?: readonly string[];
  /** How its features are made of the columns of a table; absent where it has numbered features or none. */
  readonly encoding?: readonly ColumnEncoding[];
  /** What columns are that the encoding does not have: left out with a notice (the default), or an error. */
  readonly unknownFeatures?: UnknownFeatures;
}

export interface Roles {
  /** The column, or -1. */
  readonly label: number;
  /** The first column of the list. */
  readonly qid: number;
  /** All columns of the list: rows in which all of them agree are one. */
  readonly keys: readonly number[];
  readonly weight: number;
  readonly id: number;
  readonly features: readonly number[];
  /** Columns that would be features, and that the model does not know. */
  readonly unknown: readonly number[];
  readonly notices: readonly string[];
}

export const DEFAULT_NAMES = {
  label: ["label", "relevance", "rel", "grade", "rating", "target"],
  qid: ["qid", "query", "query_id", "queryid", "group", "list"],
  id: ["docid", "doc_id", "document", "doc", "id"],
} as const;

/** Names that pandas gives to an index when it writes it, and to a column without a name when it reads one; and R to the names of rows. */
const INDEX = /^(__index_level_\d+__|Unnamed: \d+(_level_\d+)?|row\.?names|_row)$/;

/** Where a column is among those of a table, in letters of any case unless one has exactly this name; or -1. */
const findColumn = (names: readonly string[], name: string): number =>
  names.includes(name) ? names.indexOf(name) : names.findIndex((one) => one.toLowerCase() === name.toLowerCase());

/** The column that has a role if none is chosen: the first of the usual names, or -1. */
export const columnByDefault = (names: readonly string[], known: readonly string[]): number =>
  known.map((name) => findColumn(names, name)).find((column) => column >= 0) ?? -1;

/** Names under which tables keep what is to be learned. */
const LIKE_A_LABEL = /^(is_?)?(labels?|rel|relevan(ce|t)|grades?|target|ratings?|click(s|ed)?|judge?ments?|y_?true)$/i;

/** Whether a table has a column of this name, in letters of any case. */
export const hasColumn = (names: readonly string[], name: string): boolean =>
  names.some((one) => one.toLowerCase() === name.toLowerCase());

/** The columns that the option qid names: one, or several with commas between them, unless a column has all of it as its name. */
export function keyNames(qid: string, columns: readonly string[]): readonly string[] {
  const isOne = columns.some((name) => name.toLowerCase() === qid.toLowerCase());
  return isOne || !qid.includes(",") ? [qid] : qid.split(",").map((name) => name.trim());
}

/** One name for a list that several texts identify; different texts never give the same. */
export const joinedKey = (parts: readonly string[]): string =>
  parts.length === 1 ? parts[0]! : parts.map((part) => part.replace(/[\\,]/g, "\\$&")).join(", ");

/** The texts that `joinedKey` made a name of. */
export function splitKey(name: string): string[] {
  const parts = [""];
  const add = (letter: string) => void (parts[parts.length - 1] += letter);
  for (let at = 0; at < name.length; at++) {
    if (name[at] === "\\") add(name[++at] ?? "");
    else if (name.startsWith(", ", at)) {
      parts.push("");
      at++;
    } else add(name[at]!);
  }
  return parts;
}

/** Whether all rows of a table are one list: candidates to be ranked, without a column that would say otherwise. */
export const isOneList = ({ qid }: Roles, { labels, scorer }: ColumnOptions): boolean =>
  qid < 0 && labels === "optional" && scorer !== undefined;

export const ONE_LIST = "no column names the list of a row, so all rows are one list";

/**
 * The columns that options and the model name, if all of them are there, so that these are the names of a table. The usual names stand for a label and a list
 * that are not named.
 */
export function headerColumns(names: readonly string[], options: ColumnOptions): readonly string[] | undefined {
  const { label = "", qid = "", id = "", weight = "", labels, scorer } = options;
  const usual = (known: readonly string[]) => names[columnByDefault(names, known)] ?? "";
  const judgement = labels === "optional" ? [] : [label || usual(DEFAULT_NAMES.label)];
  if (judgement.includes("")) return undefined;
  const isFree = labels === "optional" && scorer?.remembered?.includes("qid");
  const keys = isFree ? [] : qid ? keyNames(qid, names) : [usual(DEFAULT_NAMES.qid)];
  const features = scorer?.encoding?.filter(({ kind }) => kind !== "none").map(({ name }) => name) ?? [];
  const named = [...judgement, ...keys, id, ...(labels === "optional" ? [] : [weight]), ...features].filter((name) => name !== ""); // biome-ignore format: one line
  return named.length > 0 && named.every((name) => hasColumn(names, name)) ? named : undefined;
}

/** `where` begins a message: file and line of the header. */
export function assignRoles(where: string, names: readonly string[], options: ColumnOptions): Roles {
  const named = names.filter((name) => name !== "");
  const seen = new Set<string>();
  const twice = named.find((name) => seen.size === seen.add(name).size);
  if (twice !== undefined) throw new InputError(`${where}: two columns are called ${quote(twice)}`);
  const find = (name: string) => findColumn(names, name);
  const requested = (role: string, name: string) => {
    const column = find(name);
    if (column < 0 || name === "") {
      const whence = options.scorer?.remembered?.includes(role.slice(2)) ? ", which the model was trained with" : "";
      throw new InputError(`${where}: no column is called ${quote(name)} (${role}${whence}); ${suggest(name, named)}`);
    }
    return column;
  };
  const byDefault = (known: readonly string[]) => columnByDefault(names, known);

  // Unjudged lists may lack columns that only training needs.
  const optional = options.labels === "optional" ? (_role: string, name: string) => find(name) : requested;

  const label = options.label
    ? optional("--label", options.label)
    : byDefault(options.header === false ? ["0", ...DEFAULT_NAMES.label] : DEFAULT_NAMES.label);
  if (label < 0 && options.labels !== "optional")
    throw new InputError(`${where}: no label column; choose one with --label NAME: ${suggest("label", named)}`);
  // The lists of what is to be ranked may be one, whatever the model was trained on.
  const isOne = options.labels === "optional" && options.scorer?.remembered?.includes("qid") && keyNames(options.qid ?? "", names).every((name) => find(name) < 0); // biome-ignore format: one condition
  const keys = isOne ? [] : options.qid ? keyNames(options.qid, names).map((name) => requested("--qid", name)) : [byDefault(DEFAULT_NAMES.qid)].filter((column) => column >= 0); // biome-ignore format: two ways
  const double = keys.find((column, at) => keys.indexOf(column) !== at);
  if (double !== undefined) throw new InputError(`${where}: --qid names the column ${quote(names[double]!)} twice`);
  const [qid = -1] = keys;
  const weight = options.weight ? optional("--weight", options.weight) : -1;
  const id = options.id ? requested("--id", options.id) : byDefault(DEFAULT_NAMES.id);
  const ignored = (options.ignore ?? []).map((name) => optional("--ignore", name));

  const roles: [string, number][] = [["label", label], ...keys.map((key): [string, number] => ["qid", key]), ["weight", weight], ["id", id]]; // biome-ignore format: pairs
  for (const [role, column] of roles) {
    const other = roles.find(([name, same]) => name !== role && same === column && column >= 0);
    if (other) throw new InputError(`${where}: the column ${quote(names[column]!)} cannot be both ${role} and ${other[0]}`);
  }
  const taken = new Set([label, ...keys, weight, id, ...ignored]);
  const isIndex = (name: string) => INDEX.test(name) && !options.scorer?.encoding?.some((one) => one.name === name);
  const all = names.flatMap((name, column) => (name !== "" && !taken.has(column) && !isIndex(name) ? [column] : []));
  const known = options.scorer?.encoding && new Set(options.scorer.encoding.map(({ name }) => name));
  const features = known ? all.filter((column) => known.has(names[column]!)) : all;
  const unknown = known ? all.filter((column) => !known.has(names[column]!)) : [];
  if (unknown.length > 0 && options.scorer?.unknownFeatures === "error")
    throw new InputError(
      `${where}: the model does not know the column ${quote(names[unknown[0]!]!)}; --unknown-features ignore leaves such columns out`,
    );
  const nameless = names.flatMap((name, column) => (name === "" && !taken.has(column) ? [column + 1] : []));
  const indices = names.filter((name, column) => !taken.has(column) && isIndex(name));
  const notices = nameless.length > 0 ? [`column ${nameless.join(", ")} has no name and is ignored`] : [];
  if (indices.length > 0)
    notices.push(
      `the ${indices.length === 1 ? "column" : "columns"} ${indices.map((name) => quote(name)).join(", ")} ${indices.length === 1 ? "is" : "are"} the index of a data frame and left out; rename ${indices.length === 1 ? "it" : "them"} to have features`,
    );
  if (unknown.length > 0) notices.push(ignoredNotice(unknown.map((column) => names[column]!), "column")); // biome-ignore format: one step
  const leaks = label < 0 || options.labels === "optional" ? [] : features.filter((column) => LIKE_A_LABEL.test(names[column]!));
  for (const column of leaks)
    notices.push(
      `the column ${quote(names[column]!)} is a feature and has the name of a label, while the label is ${quote(names[label]!)}; if it holds what is to be learned, leave it out (--ignore ${names[column]})`,
    );
  const use = (column: number) => (ignored.includes(column) ? -1 : column);
  return {
    label: use(label),
    qid: use(qid),
    keys: keys.filter((key) => use(key) >= 0),
    weight: use(weight),
    id: use(id),
    features,
    unknown,
    notices,
  };
}

/** Refuses a table that lacks a column of the model, or has it as something else than a feature; similar names are suggested. */
export function checkNeeded(
  file: string,
  names: readonly string[],
  { features, unknown }: Roles,
  { scorer }: ColumnOptions,
): void {
  const taken = new Set(features.map((column) => names[column]!));
  const lacking = scorer?.encoding?.find((column) => widthOf(column) > 0 && !taken.has(column.name));
  if (!lacking) return;
  const isThere = names.includes(lacking.name);
  const open = new Set([...features, ...unknown]);
  const free = names.filter((_, column) => open.has(column));
  const some = names.slice(0, 12).map((name) => quote(name)).join(", "); // biome-ignore format: one chain
  throw new InputError(
    `${file}: the model needs the column ${quote(lacking.name)}, which is not ${isThere ? "a feature here" : "in the table"}; ${
      free.length === 0
        ? `of the columns ${some}${names.length > 12 ? ", ..." : ""} none is a feature`
        : suggest(lacking.name, free)
    }${isThere ? "" : " (--items FILE adds the columns of a table of the items, --lists FILE those of the lists)"}`,
  );
}
