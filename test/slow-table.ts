/**
 * A slow reader of tables that shares nothing with the one it tests: it splits text character by character, holds every cell as text, and applies
 * the rules of docs/data-formats.md to whole columns.
 */

/** Features by name, a value for each row of the text. */
export type SlowFeatures = ReadonlyMap<string, readonly number[]>;

const MISSING = ["", "NA", "N/A", "n/a", "<NA>", "#N/A", "NaN", "nan", "NAN", "-nan", "NULL", "null", "None", "\\N", "?"];
const TRUTHS = [["true", "false"], ["t", "f"], ["yes", "no"], ["y", "n"], ["ja", "nein"], ["wahr", "falsch"], ["oui", "non"], ["sim", "não"]]; // biome-ignore format: pairs

/** The cells of a text, row by row, without comments, blank lines and a line that names the separator. */
export function slowCells(text: string, separator: string): string[][] {
  const rows: string[][] = [];
  let [row, cell, quoted]: [string[], string, "no" | "inside" | "after"] = [[], "", "no"];
  let raw = ""; // the line as it stands
  const endRow = () => {
    row.push(quoted === "no" ? cell.trim() : cell.trim());
    const blank = raw.trim() === "";
    if (!blank && !raw.startsWith("#") && !/^sep=.$/i.test(raw)) rows.push(row);
    [row, cell, quoted, raw] = [[], "", "no", ""];
  };
  const plain = text.replace(/^\uFEFF/, "");
  for (let i = 0; i < plain.length; i++) {
    const letter = plain[i]!;
    if (quoted === "inside") {
      raw += letter;
      if (letter !== '"') cell += letter;
      else if (plain[i + 1] === '"') {
        cell += '"';
        i++;
      } else quoted = "after";
    } else if (letter === "\n") endRow();
    else {
      if (letter !== "\r") raw += letter;
      if (letter === separator) {
        row.push(cell.trim());
        [cell, quoted] = ["", "no"];
      } else if (letter === '"' && cell === "") quoted = "inside";
      else if (quoted === "no" && letter !== "\r") cell += letter;
    }
  }
  if (raw !== "") endRow();
  return rows;
}

const isNumber = (text: string, comma: boolean) =>
  text !== "" && !/[^0-9eE+.,-]/.test(text) && /\d/.test(text) && !Number.isNaN(Number(comma ? text.replace(",", ".") : text)) && (comma ? (text.match(/[.,]/g) ?? []).length <= 1 && !/,$|,[eE]/.test(text) : !text.includes(",")); // biome-ignore format: one condition

const numberOf = (text: string) => Number(text.replace(",", ".")) + 0;

/** A date such as 3/4/2024 as 2024-04-03, or 2024-03-04 with the month first. */
function unslashed(text: string, first: "day" | "month"): string {
  const [, a, b, year, time] = /^(\d{1,2})[/](\d{1,2})[/](\d{4})(.*)$/.exec(text) ?? [];
  if (a === undefined) return text;
  const [day, month] = first === "day" ? [a, b!] : [b!, a];
  const half = /^ (\d+)(:.*) ([AP])M$/.exec(time!);
  const hour = half && String((Number(half[1]) % 12) + (half[3] === "P" ? 12 : 0)).padStart(2, "0");
  return `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}${half ? ` ${hour}${half[2]}` : time}`;
}

/** The columns of dates with slashes as other dates, or as nothing where no row shows the order. */
function withOrder(cells: readonly string[]): readonly string[] | undefined {
  const pairs = cells.flatMap((cell) =>
    /^\d+[/]\d+[/]\d{4}/.test(cell) ? [cell.split("/").map(Number) as [number, number]] : [],
  );
  if (pairs.length === 0) return cells;
  const [day, month] = [pairs.some(([a]) => a > 12), pairs.some(([, b]) => b > 12)];
  return day === month ? undefined : cells.map((cell) => unslashed(cell, day ? "day" : "month"));
}

/** Milliseconds of a date by the parser of the language, which knows ISO 8601; other spellings are rewritten to that first. */
function dateOf(text: string): number | undefined {
  const dotted = /^(\d{1,2})\.(\d{1,2})\.(\d{4})(.*)$/.exec(text);
  const iso = dotted ? `${dotted[3]}-${dotted[2]!.padStart(2, "0")}-${dotted[1]!.padStart(2, "0")}${dotted[4]}` : text.replace(/^(\d{4})\/(\d\d)\/(\d\d)/, "$1-$2-$3"); // biome-ignore format: one line
  if (!/^\d{4}-\d\d-\d\d([T ]\d\d:\d\d.*)?$/.test(iso)) return undefined;
  const time = iso
    .slice(10)
    .trim()
    .replace(/^T/, "")
    .replace(/ ?(UTC|GMT)$/, "Z");
  const zoned = time === "" ? "T00:00Z" : `T${/[Z+-]/.test(time) ? time.replace(/([+-]\d\d)$/, "$1:00").replace(/([+-]\d\d)(\d\d)$/, "$1:$2") : `${time}Z`}`; // biome-ignore format: one line
  const found = Date.parse(iso.slice(0, 10) + zoned);
  return Number.isNaN(found) ? undefined : found;
}

/** Whether a text is a time in one of the ways that tables of tests have. */
const isTime = (text: string) =>
  /^(\d+ days? )?\d+(:[0-5]\d){1,2}([.,]\d+)?( [AP]M)?$/.test(text) || /^PT\d+M[\d.]+S$/.test(text);

/** Seconds of cells of which each is a time or a number. */
function secondsOf(cells: readonly string[]): (cell: string) => number {
  const clocks = cells.filter((cell) => cell.includes(":"));
  const parts = (cell: string) => cell.split(":").length;
  const isShort = (cell: string) => cell.includes(":") && parts(cell) === 2;
  const hasHours = clocks.some((cell) => cell.endsWith("M"));
  const hasMinutes = clocks.some((cell) => isShort(cell) && /[.,]/.test(cell)) || cells.some((cell) => !isShort(cell));
  const hoursFirst = hasHours || (!hasMinutes && clocks.every((cell) => Number(cell.split(":")[0]) <= 23));
  return (cell) => {
    const iso = /^PT(\d+)M(.*)S$/.exec(cell);
    if (iso) return seconds(0, Number(iso[1]), iso[2]!);
    if (!cell.includes(":")) return numberOf(cell);
    const [days, clock] = cell.includes("day") ? [Number(cell.split(" ")[0]), cell.split(" ").at(-1)!] : [0, cell];
    const [time, half] = clock.split(" ") as [string, string?];
    const [first, second, third] = time.split(":") as [string, string, string?];
    const hours = half ? (Number(first) % 12) + (half === "PM" ? 12 : 0) : Number(first);
    if (third !== undefined) return seconds(24 * days + hours, Number(second), third);
    return hoursFirst ? seconds(hours, Number(second), "0") : seconds(0, Number(first), second);
  };
}

const seconds = (hours: number, minutes: number, text: string): number => {
  const [whole, fraction = ""] = text.split(/[.,]/) as [string, string?];
  return Number(`${3600 * hours + 60 * minutes + Number(whole)}.${fraction}0`);
};

/** The features of the columns that are not in `roles`. */
export function slowFeatures(rows: readonly (readonly string[])[], roles: readonly string[], separator: string): SlowFeatures {
  const [head, ...body] = rows as [readonly string[], ...(readonly string[])[]];
  const features = new Map<string, number[]>();
  const numeric = (name: string) => name !== "" && (!roles.includes(name) || name === "label");
  const asThey = head.map((name, c) => body.map((row) => (numeric(name) ? row[c]! : "")));
  const columns = plainCells(asThey, separator !== ",");
  head.forEach((name, c) => {
    if (name === "" || roles.includes(name)) return;
    for (const [key, values] of slowColumn(name, columns[c]!)) features.set(key, values);
  });
  return features;
}

/** A number that is written in one of the ways of spreadsheets: what it is where points or commas are the decimal mark, and what it shows of that. */
interface Written {
  readonly value: (mark: "." | "," | undefined) => number;
  readonly shows?: "." | ",";
}

function written(cell: string, comma: boolean): Written | undefined {
  const [before = "", after, more] = cell.replace(/^[+-]/, "").split(/[.,]/);
  const open = after?.length === 3 && more === undefined && /^[1-9]\d{0,2}$/.test(before) && /^\d+$/.test(after);
  const whole = Number(cell.replace(/[.,]/, "")) + 0;
  const mark = cell.includes(",") ? "," : ".";
  if (open && mark === ".") return { value: (given) => (given === "," ? whole : numberOf(cell)) };
  if (open) return { value: (given) => (given === "." || (given === undefined && !comma) ? whole : numberOf(cell)) };
  if (isNumber(cell, false)) return { value: () => numberOf(cell), ...(!Number.isInteger(numberOf(cell)) && { shows: "." }) };
  if (comma && isNumber(cell, true)) return { value: () => numberOf(cell), shows: "," };
  for (const [group, decimal] of [
    [".", ","],
    [",", "."],
  ] as const) {
    const [head, tail, third] = cell.split(decimal) as [string, string?, string?];
    const [first, ...groups] = head.replace(/^[+-]/, "").split(group) as [string, ...string[]];
    const isGrouped = /^[1-9]\d{0,2}$/.test(first) && groups.length > 0 && groups.every((one) => /^\d{3}$/.test(one));
    if (isGrouped && third === undefined && (tail === undefined ? groups.length > 1 : /^\d+$/.test(tail)))
      return { value: () => Number(head.replaceAll(group, "") + (tail === undefined ? "" : `.${tail}`)) + 0, shows: decimal };
  }
  for (const [group, decimal] of [
    ["'", ","],
    ["\u202f", ","],
    ["'", "."],
    ["\u202f", "."],
  ] as const) {
    const [head, tail] = cell.split(decimal) as [string, string?];
    const [first, ...groups] = head.split(group) as [string, ...string[]];
    if (
      groups.length > 0 &&
      /^[+-]?[1-9]\d{0,2}$/.test(first) &&
      groups.every((one) => /^\d{3}$/.test(one)) &&
      /^\d*$/.test(tail ?? "")
    )
      return {
        value: () => Number(`${head.replaceAll(group, "")}.${tail ?? ""}`) + 0,
        ...(tail !== undefined && { shows: decimal }),
      };
  }
  return undefined;
}

/** The cells with numbers in plain digits: what a mark is follows from the column, or else from all columns. */
function plainCells(columns: readonly (readonly string[])[], comma: boolean): string[][] {
  const bare = columns.map((cells) => {
    const there = cells.filter((cell) => !MISSING.includes(cell));
    const sign = ["€", "%", "$"].find((one) => there.length > 0 && there.every((cell) => cell.includes(one)));
    const stripped = cells.map((cell) => (sign && !MISSING.includes(cell) ? cell.replace(sign, "").trim() : cell));
    return stripped.every((cell) => MISSING.includes(cell) || written(cell, comma)) ? stripped : [...cells];
  });
  const shown = bare.map((cells) => {
    const numbers = cells.filter((cell) => !MISSING.includes(cell)).map((cell) => written(cell, comma));
    const isNumeric = numbers.filter(Boolean).length >= 0.9 * numbers.length;
    return new Set(isNumeric ? numbers.flatMap((one) => one?.shows ?? []) : []);
  });
  const only = (marks: ReadonlySet<"." | ",">) => (marks.size === 1 ? [...marks][0] : undefined);
  const all = only(new Set(shown.flatMap((marks) => [...marks])));
  return bare.map((cells, c) => {
    const ofTimes = new Set(
      cells.flatMap((cell) => (isTime(cell) ? ((/:\d\d([.,])/.exec(cell)?.slice(1) as ["." | ","]) ?? []) : [])),
    );
    const mark = only(ofTimes) ?? (shown[c]!.size > 0 ? only(shown[c]!) : all);
    return cells.map((cell) => (MISSING.includes(cell) ? cell : String(written(cell, comma)?.value(mark) ?? cell)));
  });
}

/** The texts of an array of JSON, or of PostgreSQL without blanks between its elements. */
function elementsOf(cell: string): string[] | undefined {
  if (/^\[.*\]$/.test(cell)) return (JSON.parse(cell) as (string | null)[]).filter((one) => one !== null);
  if (!/^\{.*\}$/.test(cell)) return undefined;
  const values: string[] = [];
  let [value, quoted] = ["", false];
  for (let i = 1; i < cell.length; i++) {
    const letter = cell[i]!;
    if (letter === '"') quoted = !quoted;
    else if (!quoted && /[,}]/.test(letter)) {
      if (value !== "" && value !== "NULL") values.push(value);
      value = "";
    } else value += letter === "\\" ? cell[++i]! : letter;
  }
  return values;
}

/** Columns of arrays: a feature for each text. */
function slowSets(name: string, cells: readonly string[], missing: (cell: string) => boolean): [string, number[]][] {
  const sets = cells.map((cell) => (missing(cell) ? undefined : new Set(elementsOf(cell))));
  const all = sets.flatMap((set) => [...(set ?? [])]);
  const texts = [...new Set(all)].sort((a, b) => (a < b ? -1 : 1));
  const varies = new Set(cells).size > 1;
  if (!varies || texts.length > 64 || texts.length * 2 > all.length) return [];
  return texts.map((text) => [`${name}=${text}`, sets.map((set) => (set ? Number(set.has(text)) : Number.NaN))]);
}

function slowColumn(name: string, given: readonly string[]): [string, number[]][] {
  const cells = withOrder(given);
  if (!cells) return [];
  const missing = (cell: string) => MISSING.includes(cell);
  const there = cells.filter((cell) => !missing(cell));
  const numeral = (cell: string) => isNumber(cell, false);
  const numbers = there.filter(numeral).map(numberOf);
  const words = there.filter((cell) => !numeral(cell));
  const each = (meaning: (cell: string) => number): [string, number[]][] => [[name, cells.map((cell) => (missing(cell) ? Number.NaN : meaning(cell)))]]; // biome-ignore format: one line
  if (words.length === 0) return each(numberOf);
  const truth = TRUTHS.find((pair) => words.every((word) => pair.includes(word.toLowerCase())));
  if (truth && numbers.every((value) => value === 0 || value === 1))
    return each((cell) => (numeral(cell) ? numberOf(cell) : cell.toLowerCase() === truth[0] ? 1 : 0));
  if (
    words.some(isTime) &&
    there.filter((cell) => numeral(cell) || isTime(cell)).length >= 0.9 * there.length &&
    words.every((word) => isTime(word) || !/^\d+:\d/.test(word))
  ) {
    const read = secondsOf(there.filter((cell) => numeral(cell) || isTime(cell)));
    return each((cell) => (numeral(cell) || isTime(cell) ? read(cell) : Number.NaN));
  }
  if (there.every(elementsOf)) return slowSets(name, cells, missing);
  if (numbers.length === 0 && words.every((word) => dateOf(word) !== undefined)) {
    const first = Math.floor(Math.min(...words.map((word) => dateOf(word)!)) / 86_400_000) * 86_400_000;
    return each((cell) => (dateOf(cell)! - first) / 86_400_000);
  }
  if (numbers.length >= 0.9 * there.length) return each((cell) => (numeral(cell) ? numberOf(cell) : Number.NaN));
  const named = (cell: string) => (numeral(cell) ? String(numberOf(cell)) : cell);
  const categories = [...new Set(there.map(named))].sort((a, b) => (a < b ? -1 : 1));
  const varies = categories.length > 1 || there.length < cells.length;
  if (!varies || categories.length > 64 || categories.length * 2 > there.length) return [];
  return categories.map((one) => [`${name}=${one}`, cells.map((cell) => (!missing(cell) && named(cell) === one ? 1 : 0))]);
}
