/** A digest of data of any shape. */
import { digestOf } from "./target.ts";

/** Everything that is in the data, arrays by their bytes. Names are digested together, since a short file may declare 100,000 of them. */
export function contentOf(value: unknown): string {
  if (ArrayBuffer.isView(value)) return digestOf(value.constructor.name, value);
  if (typeof value !== "object" || value === null) return Object.is(value, -0) ? "-0" : `${typeof value} ${String(value)}`;
  if (Array.isArray(value) && value.every((one) => typeof one === "string")) return digestOf(JSON.stringify(value));
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return digestOf(...members.sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([key, member]) => [key, contentOf(member)]));
}
