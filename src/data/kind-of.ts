/** Describes a value of a row in an error message. */
import { quote } from "../input-error.ts";

/** A value as a message shows it. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value === "string") return quote(value);
  if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean") return String(value);
  if (typeof value === "function") return "a function";
  if (value instanceof Promise) return "a promise (await it first)";
  if (value instanceof Date) return "a Date (subtract a start and divide into days or hours: features have 24 bits of precision)";
  return Array.isArray(value) ? "an array" : "an object";
}
