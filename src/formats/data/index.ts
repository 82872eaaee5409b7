/** The data formats that are read, and the options of reading, each declared once. Nothing here opens files: see read.ts. */
import { choice, type Field, type Fields, part, words } from "../../part.ts";

/** A format as people see it in a list. */
export interface DataFormat {
  readonly id: "svmlight" | "csv" | "tsv" | "xml-repository" | "arff";
  readonly about: string;
  readonly extensions: readonly string[]; // that decide without a look at the content
  readonly options: readonly (keyof ReadOptions)[];
}

export interface ReadOptions {
  readonly format: "auto" | DataFormat["id"];
  readonly label: string;
  readonly qid: string;
  readonly weight: string;
  readonly id: string;
  readonly ignore: readonly string[];
  readonly absent: "zero" | "missing";
  readonly indexBase: 0 | 1 | "auto";
  readonly split: string;
}

const tableOptions = ["label", "qid", "weight", "id", "ignore"] as const;

export const dataFormats: readonly DataFormat[] = [
  {
    id: "svmlight",
    about: "SVMlight or LETOR rows: label qid:id number:value ... # document id",
    extensions: [".svm", ".svmlight", ".libsvm", ".letor"],
    options: ["absent", "indexBase"],
  },
  { id: "csv", about: "a table with a header, cells between commas or semicolons", extensions: [".csv"], options: tableOptions },
  { id: "tsv", about: "a table with a header, cells between tabs", extensions: [".tsv", ".tab"], options: tableOptions },
  {
    id: "xml-repository",
    about: "the Extreme Classification Repository: points features labels, then label,label number:value ...",
    extensions: [".xc.txt", ".xc"],
    options: ["split"],
  },
  {
    id: "arff",
    about: "multi-label ARFF as Mulan writes it, an XML file beside it naming the labels",
    extensions: [".arff"],
    options: ["split"],
  },
];

const names: Field<readonly string[]> = {
  about: "columns to leave out, with commas between them",
  kind: "names with commas between them",
  start: [],
  aliases: ["ignore_column"],
  read(value) {
    if (Array.isArray(value)) return value.every((one) => typeof one === "string") ? value : undefined;
    if (typeof value !== "string") return undefined;
    return value.split(",").map((one) => one.trim()).filter((one) => one !== ""); // biome-ignore format: one chain
  },
  write: (value) => value.join(","),
};

const base: Field<0 | 1 | "auto"> = {
  about: "number of the first feature in svmlight files; auto: 0 when a feature 0 occurs",
  kind: "one of 1, 0, auto",
  start: 1,
  aliases: [],
  read: (value) => ([1, 0, "auto"] as const).find((one) => String(one) === String(value)),
  write: String,
};

export const readerFields: Fields<ReadOptions> = {
  format: choice(
    ["auto", "svmlight", "csv", "tsv", "xml-repository", "arff"],
    "format of the data files; auto: by ending, else by content",
  ),
  label: words("", "column of the label (tables; default: label, relevance, rel, grade, rating or target)", ["label_column"]),
  qid: words("", "column that names the list (tables; default: qid, query, query_id, group or list)", [
    "group_column",
    "query_column",
  ]),
  weight: words("", "column of the weight (tables; default: none)", ["weight_column"]),
  id: words("", "column of the document id (tables; default: docid, doc_id, document or id)"),
  ignore: names,
  absent: choice(["zero", "missing"], "what a feature that a svmlight row leaves out is"),
  indexBase: base,
  split: words("", "file of the rows to keep, numbered from 1 (xml-repository, arff); FILE:2 takes its second column"),
};

/** Checks and completes options of reading. */
export const readOptions = part("read", "reading data files", readerFields, (options) => options);
