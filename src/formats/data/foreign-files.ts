/** Files of other kinds that are taken for data: known by their first bytes, and refused with the way to a table. */
import { InputError } from "../../input-error.ts";

interface ForeignKind {
  readonly name: string;
  readonly isThis: (head: Uint8Array, text: () => string) => boolean;
  /** What to do; FILE stands for the name. */
  readonly wayOut: string;
}

const begins =
  (...magic: readonly number[]) =>
  (head: Uint8Array): boolean =>
    magic.every((byte, i) => head[i] === byte);
const word = (text: string) => begins(...new TextEncoder().encode(text));
const isZip = word("PK\x03\x04");

const AS_CSV = "save the sheet as CSV";
const AS_PARQUET = "write it as Parquet or CSV, for instance with pandas or pyarrow";

/** The more special first: workbooks and arrays of NumPy are zip archives too. */
const KINDS: readonly ForeignKind[] = [
  {
    name: "an Excel workbook",
    isThis: (head, text) => isZip(head) && /\[Content_Types\]\.xml|xl\//.test(text()),
    wayOut: AS_CSV,
  },
  { name: "an OpenDocument file", isThis: (head, text) => isZip(head) && text().includes("opendocument"), wayOut: AS_CSV },
  {
    name: "an archive of NumPy arrays (.npz)",
    isThis: (head, text) => isZip(head) && text().includes(".npy"),
    wayOut: 'write an array with numpy.savetxt("data.csv", array, delimiter=",")',
  },
  { name: "a zip archive", isThis: isZip, wayOut: "unpack it first: unzip -p FILE | tierwise ... -" },
  { name: "an old Excel workbook", isThis: begins(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1), wayOut: AS_CSV },
  {
    name: "a pickle of Python",
    isThis: (head) => head[0] === 0x80 && head[1]! >= 2 && head[1]! <= 5,
    wayOut: 'write it as Parquet: pandas.read_pickle("FILE").to_parquet("data.parquet")',
  },
  {
    name: "a NumPy array (.npy)",
    isThis: begins(0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59),
    wayOut: 'write it with numpy.savetxt("data.csv", numpy.load("FILE"), delimiter=",")',
  },
  { name: "HDF5", isThis: begins(0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a), wayOut: AS_PARQUET },
  {
    name: "Feather of version 1",
    isThis: word("FEA1"),
    wayOut: "write it as Parquet, or as Feather of version 2 without compression",
  },
  // A table may begin with these letters too, but has no zero bytes.
  { name: "ORC", isThis: (head) => word("ORC")(head) && head.subarray(0, 256).includes(0), wayOut: AS_PARQUET },
  { name: "Avro", isThis: word("Obj\x01"), wayOut: AS_PARQUET },
  {
    name: "a SQLite database",
    isThis: word("SQLite format 3\0"),
    wayOut: "query it: sqlite3 -header -csv FILE 'select ...' | tierwise ... -",
  },
  { name: "a PDF file", isThis: word("%PDF-"), wayOut: "write its table as CSV" },
];

/** Refuses a file by its first bytes, unless it may be one of data. */
export function refuseForeign(file: string, head: Uint8Array): void {
  const text = () => new TextDecoder("latin1").decode(head.subarray(0, 1 << 16));
  const kind = KINDS.find(({ isThis }) => isThis(head, text));
  if (kind) throw new InputError(`${file}: this is ${kind.name}, which is not read; ${kind.wayOut.replaceAll("FILE", file)}`);
}
