/**
 * Decides what the times of a column are, from all its rows. What comes first in 1:23 is
 *
 * 1. what a user says;
 * 2. minutes if some time of two parts has a fraction (1:23.4), hours if some has AM or PM;
 * 3. minutes if there are longer times (1:02:10) or numbers of seconds (59.8) beside, with a notice;
 * 4. otherwise all times are alike, and which it is changes their unit but not their order: hours up to 23, else minutes, with a notice. The model
 *    remembers that nothing showed it, and refuses other times than these.
 *
 * Gaps to the first (+5.4) among other times are refused, since they would be the shortest of all.
 */
import { counted } from "../../counted.ts";
import { InputError, quote } from "../../input-error.ts";
import type { ColumnEncoding } from "../../types.ts";
import { DAY, isMissingWord, numeralOf } from "./cell-text.ts";
import { type Decision, MOSTLY, optionWord, wordsText } from "./decision.ts";
import type { ColumnProfile, Segment, Word } from "./profile.ts";
import { MISSING_TEXT } from "./source-table.ts";
import { isLikeTime, type TimeStart, timeForm, timeOf } from "./times.ts";

/** A name of the option timeColumns, which what comes first may follow; a column may also be called by all of the text. */
export function timeColumn(text: string): { readonly text: string; readonly name: string; readonly start?: TimeStart } {
  const [, name, start] = /^(.*):(hours|minutes)$/i.exec(text) ?? [];
  return name === undefined ? { text, name: text } : { text, name, start: start!.toLowerCase() as TimeStart };
}

/** What the option timeColumns says of a column: undefined where it does not name it. */
export function saidOfTimes(timeColumns: readonly string[] = [], name: string): { readonly start?: TimeStart } | undefined {
  const found = timeColumns.map(timeColumn).find((one) => one.name === name || one.text === name);
  return found && (found.text === name ? {} : { ...(found.start && { start: found.start }) });
}

/** A mistake in the cells of a column, and where it is. */
interface Problem {
  readonly problem: string;
  readonly where: () => string;
}

/** What the times of a column are. */
interface Times {
  readonly start: TimeStart | undefined;
  /** Nothing shows what comes first. */
  readonly isAssumed: boolean;
  /** How the start was found, for a notice. */
  readonly why: string;
}

/** What comes first in the times of a column; `known` says it, by `whence`. */
function timesOf(
  name: string,
  words: ReadonlyMap<string, Word>,
  numbers: number,
  known?: { readonly start: TimeStart | undefined; readonly whence: string },
): Times | Problem {
  const byForm = new Map<string, [string, Word]>(); // the first
  for (const [text, word] of words) {
    const form = timeForm(text)!;
    if (!byForm.has(form)) byForm.set(form, [text, word]);
  }
  const [either, hours, minutes] = [byForm.get("either"), byForm.get("hours"), byForm.get("minutes")];
  const said = known?.start;
  const against = said === "hours" ? minutes : said === "minutes" ? hours : undefined;
  if (against) return { problem: `${quote(against[0])} has ${said === "hours" ? "minutes" : "hours"} first, where ${known!.whence} ${said}`, where: against[1].where }; // biome-ignore format: one line
  if (hours && minutes && !said)
    return { problem: `${quote(hours[0])} has hours first, and ${quote(minutes[0])} minutes`, where: minutes[1].where };
  const shown = said ?? (hours ? "hours" : minutes ? "minutes" : undefined);
  if (shown || !either) return { start: shown, isAssumed: false, why: "" };
  const whole = byForm.get("all")?.[0];
  const beside = whole === undefined ? (numbers > 0 ? "numbers of seconds" : undefined) : quote(whole);
  if (beside)
    return {
      ...{ start: "minutes", isAssumed: false },
      why: `; beside ${beside}, ${quote(either[0])} is read as minutes and seconds (--time-columns ${optionWord(name)}:hours reads hours and minutes)`,
    };
  const isLong = [...words.keys()].some((text) => Math.abs(timeOf(text, "hours")!) >= DAY);
  const [start, other] = isLong ? (["minutes", "hours"] as const) : (["hours", "minutes"] as const);
  return {
    ...{ start, isAssumed: true },
    why: `; in ${quote(either[0])} hours or minutes may come first, and ${start} are taken (--time-columns ${optionWord(name)}:${other} takes ${other})`,
  };
}

/** A cell such as +5.4 beside times without a plus: a gap to the first. */
function gapIn(segments: readonly Segment[], missingValues: readonly string[]): Problem | undefined {
  let gap: { text: string; where: () => string } | undefined;
  let plain: string | undefined;
  for (const { column, where, first } of segments) {
    if (column.kind === "number" || column.kind === "time") {
      const some = (column.values as Float64Array).find((value) => value > 0);
      if (some !== undefined) plain ??= String(some);
    } else if (column.kind === "text")
      for (const code of new Set(column.codes)) {
        if (code === MISSING_TEXT) continue;
        const text = column.dictionary[code]!.trim();
        const isAbove = (numeralOf(text) ?? timeOf(text, "hours") ?? timeOf(text) ?? 0) > 0;
        if (!isAbove || isMissingWord(text, missingValues)) continue;
        if (!text.startsWith("+")) plain ??= text;
        else gap ??= { text, where: () => where(first + column.codes.indexOf(code)) };
      }
  }
  if (!gap || plain === undefined) return undefined;
  return {
    problem: `${quote(gap.text)} beside ${quote(plain)} looks like a gap to the first, which would be the shortest time; write times in all cells, or gaps`,
    where: gap.where,
  };
}

/** Times of a column, with what else is in it. */
interface FoundTimes {
  readonly times: ReadonlyMap<string, Word>;
  readonly odd: Map<string, Word>;
  readonly oddCells: number;
}

function split({ words }: ColumnProfile): FoundTimes {
  const times = new Map([...words].filter(([text]) => timeForm(text) !== undefined));
  const odd = new Map([...words].filter(([text]) => !times.has(text)));
  return { times, odd, oddCells: [...odd.values()].reduce((sum, { count }) => sum + count, 0) };
}

/** What to do about a column that is named one of times and has something else. */
const notTime = (name: string, text: string, where: () => string) =>
  new InputError(
    `${where()}: column ${quote(name)}: expected a time such as 1:02:03.4, got ${quote(text)}; --missing-values ${optionWord(text)} reads it as a missing value`,
  );

/** The column as one of times; undefined where it is none. `said` is there if a user has named it one, and then all cells must be times. */
export function decideTimes(
  name: string,
  segments: readonly Segment[],
  profile: ColumnProfile,
  missingValues: readonly string[],
  said?: { readonly start?: TimeStart },
): Decision | undefined {
  const { times, odd, oddCells } = split(profile);
  const [first] = odd;
  const others = profile.booleans + profile.dates;
  if (said) {
    if (first) throw notTime(name, first[0], first[1].where);
    if (others > 0)
      throw new InputError(
        `${segments[0]!.where(0)}: column ${quote(name)}: expected times, got ${profile.dates > 0 ? "dates" : "booleans"}`,
      );
  } else {
    const cells = profile.rows - profile.missing;
    if (times.size + profile.times === 0 || others > 0 || cells - oddCells < MOSTLY * cells) return undefined;
    if ([...odd.keys()].some(isLikeTime)) return undefined; // 1:23:75 shows that 1:23:45 has no hours
  }
  const found = gapIn(segments, missingValues) ?? timesOf(name, times, profile.numbers, { start: said?.start, whence: SAID });
  if ("problem" in found) {
    const { problem, where } = found;
    if (said) throw new InputError(`${where()}: column ${quote(name)}: ${problem}`);
    return {
      encoding: { name, kind: "none" },
      profile,
      notice: `column ${quote(name)} is left out: ${problem} (${where()})`,
    };
  }
  const { start, isAssumed, why } = found;
  const encoding: ColumnEncoding = { name, kind: "time", ...(start && { start }), ...(isAssumed && { assumed: true }) };
  const numbers = profile.numbers > 0 ? `, as ${profile.numbers === 1 ? "is" : "are"} ${counted(profile.numbers, "number")}` : "";
  const missing = first ? `; ${wordsText({ words: odd, wordCells: oddCells })} read as missing values, the first at ${first[1].where()}` : ""; // biome-ignore format: one choice
  return {
    ...{ encoding, profile },
    notice: `column ${quote(name)}: times, in seconds${numbers}${why}${missing}`,
  };
}

const SAID = "--time-columns says";

/** What comes first in the times of data to score, with notices; an error where they contradict those that the model was trained on. */
export function scoredTimes(
  { name, start: trained, assumed = false }: ColumnEncoding,
  segments: readonly Segment[],
  profile: ColumnProfile,
  missingValues: readonly string[],
  said?: { readonly start?: TimeStart },
): { readonly start?: TimeStart; readonly notices: readonly string[] } {
  const fail = (where: () => string, text: string): never => {
    throw new InputError(`${where()}: column ${quote(name)}: ${text}`);
  };
  const { times, odd } = split(profile);
  const wrong = [...odd].find(([text]) => isLikeTime(text));
  if (wrong) throw notTime(name, wrong[0], wrong[1].where);
  const gap = gapIn(segments, missingValues);
  if (gap) fail(gap.where, gap.problem);
  const option = (start: string) => `--time-columns ${optionWord(name)}:${start}`;
  const open = assumed && said?.start !== trained;
  if (open) {
    const other = [...times].find(([text]) => !["either", trained].includes(timeForm(text)));
    const [where, shown] = other ? [other[1].where, quote(other[0])] : [() => segments[0]!.where(0), "numbers or times with seconds"]; // biome-ignore format: one choice
    const differs = other !== undefined || profile.numbers + profile.times > 0 || said?.start !== undefined;
    if (differs)
      fail(
        where,
        `in the training data nothing showed whether hours or minutes come first in times such as 1:23, and here are ${shown}; train with ${option("hours")} or ${option("minutes")}`,
      );
  }
  const known = said?.start ? { start: said.start, whence: SAID } : { start: trained, whence: "the training data have" };
  const found = timesOf(name, times, profile.numbers, known);
  if ("problem" in found) return fail(found.where, found.problem);
  if (found.isAssumed) {
    const [text, { where }] = [...times].find(([one]) => timeForm(one) === "either")!;
    fail(where, `in ${quote(text)} hours or minutes may come first; ${option("hours")} or ${option("minutes")} says which`);
  }
  const notices = [
    ...(found.why ? [`column ${quote(name)}: times${found.why}`] : []),
    ...(profile.numbers > 0 ? [`column ${quote(name)}: ${counted(profile.numbers, "number")} read as seconds`] : []),
  ];
  return { ...(found.start && { start: found.start }), notices };
}
