/** Records of JSON, whose whole numbers that a double cannot hold stay texts. */
import { describeValue, InputError } from "../../../input-error.ts";
import { withExactIntegers } from "../../exact-integers.ts";
import { WRITE_RECORDS } from "./json-orients.ts";

/** The object that a record is. */
export function parsedRecord(where: string, text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(withExactIntegers(text));
  } catch (error) {
    const wayOut = /^\s*\{?\s*$/.test(text) ? "; write each object on a line of its own (jq -c . FILE), or all as one array" : "";
    throw new InputError(`${where}: expected an object as JSON (${String((error as Error).message).slice(0, 100)})${wayOut}`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new InputError(
      `${where}: expected an object, such as {"qid": "q1", "label": 2, "price": 9}, got ${describeValue(value)}${Array.isArray(value) ? `; of pandas, ${WRITE_RECORDS}` : ""}`,
    );
  return value as Readonly<Record<string, unknown>>;
}
