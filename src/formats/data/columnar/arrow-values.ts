/** Values of Arrow columns that are made one by one: texts and decimals. */
import type { TableColumn } from "../../../data/table/source-table.ts";
import type { ArrowColumn } from "./arrow-batch.ts";
import { decimalColumn } from "./value-column.ts";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const SHARED = 64; // bytes of all texts together, for each byte of the views and of what they are in

/** Texts, and undefined where there is none; or what is wrong with them, to be said of the column. */
export function arrowBytes(column: ArrowColumn, valid: Uint8Array | undefined): (string | undefined)[] | string {
  const at = placesOf(column);
  const texts: (string | undefined)[] = new Array(column.length).fill(undefined);
  const { length = 0 } = column.values;
  let left = SHARED * (column.buffers?.reduce((sum, buffer) => sum + buffer.length, length) ?? length);
  for (let row = 0; row < column.length; row++) {
    if (valid && !valid[row]) continue;
    const bytes = at(row);
    if (!bytes || (left -= bytes.length) < 0) return "is damaged: it has texts that are not in the file";
    try {
      texts[row] = decoder.decode(bytes);
    } catch {
      return "holds bytes that are no text";
    }
  }
  return texts;
}

/** The bytes of a row; undefined if they are not where the row says. */
function placesOf({ type, values, offsets, buffers }: ArrowColumn): (row: number) => Uint8Array | undefined {
  const bytes = values as Uint8Array;
  if (offsets) return (row) => bytes.subarray(offsets[row], offsets[row + 1]);
  if (type.kind === "fixed-bytes") return (row) => bytes.subarray(row * type.size, (row + 1) * type.size);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return (row) => {
    const length = view.getInt32(16 * row, true);
    if (length >= 0 && length <= 12) return bytes.subarray(16 * row + 4, 16 * row + 4 + length);
    const buffer = buffers?.[view.getInt32(16 * row + 8, true)];
    const offset = view.getInt32(16 * row + 12, true);
    if (!buffer || length < 0 || offset < 0 || offset + length > buffer.length) return undefined;
    return buffer.subarray(offset, offset + length);
  };
}

/** Decimal numbers, whose whole digits are 32-bit words, low ones first, in two's complement. */
export function arrowDecimals({ type, values, length }: ArrowColumn, valid: Uint8Array | undefined): TableColumn {
  if (type.kind !== "decimal") throw new TypeError(type.kind);
  const [words, each, scale] = [values as Uint32Array, type.bits / 32, type.scale];
  const digits = Array.from({ length }, (_, row) => {
    if (valid && !valid[row]) return undefined;
    let whole = 0n;
    for (let i = each - 1; i >= 0; i--) whole = (whole << 32n) | BigInt(words[row * each + i]!);
    return decimalText(String(BigInt.asIntN(type.bits, whole)), scale);
  });
  return decimalColumn(digits);
}

const MOST_DECIMALS = 80; // of 256 bits there are 77 digits

function decimalText(whole: string, scale: number): string {
  if (scale <= 0 || scale > MOST_DECIMALS) return scale === 0 ? whole : `${whole}e${-scale}`;
  const [sign, digits] = whole.startsWith("-") ? ["-", whole.slice(1)] : ["", whole];
  const all = digits.padStart(scale + 1, "0");
  return `${sign}${all.slice(0, -scale)}.${all.slice(-scale)}`;
}
