import { visible } from "./printable.ts";

/**
 * Invalid input: bad data, an unknown name, an option out of range. The message is one line that names the source, what was expected, what
 * was found, and a remedy; the command line prints it and exits with code 2.
 */
export class InputError extends Error {
  /** Always "InputError". */
  override readonly name = "InputError";

  /** Line breaks and other control characters, which come with texts out of files, are escaped. */
  constructor(message: string, options?: ErrorOptions) {
    super(visible(message), options);
  }
}

/** Quotes text for use in a message: truncated, with control characters escaped. */
export function quote(text: string, most = 60): string {
  const cut = text.length > most ? `${text.slice(0, most)}...` : text;
  return visible(JSON.stringify(cut));
}

/** What a value of code is, in words for a message: "a promise (await it)", "undefined", "an array of 3", "data", "the text \"x\"". */
export function describeValue(value: unknown): string {
  if (typeof value === "string") return `the text ${quote(value)}`;
  if (typeof value === "bigint") return `the bigint ${value}`;
  if (typeof value === "function") return value.name ? `the function ${quote(value.name)}` : "a function";
  if (typeof value !== "object" || value === null) return String(value);
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (ArrayBuffer.isView(value)) return `${value.constructor.name} of ${"length" in value ? value.length : value.byteLength}`;
  const has = (...keys: readonly string[]) => keys.every((key) => key in value);
  if (has("then")) return "a promise (await it first)";
  if (has("starts", "labels", "features")) return "data";
  if (has("score", "columns", "save")) return "a model";
  if (has("model", "history", "best")) return "the result of a training (its model is in .model)";
  if (has("model", "training", "metrics")) return "a model file (its model is in .model)";
  if (has("data", "notices")) return "the result of reading (its data are in .data)";
  if (has("learn")) return "a learner, which is not trained yet";
  if (has("evaluate", "outputs")) return "an objective";
  if (has("measure", "variant")) return "a metric";
  const keys = Object.keys(value);
  if (keys.length === 0) return "an object without keys";
  const named = keys.slice(0, 3).map((key) => quote(key, 20));
  return `an object with the keys ${named.join(", ")}${keys.length > 3 ? ", ..." : ""}`;
}
