/** Checks of what creators and voters send, beyond what the schemas of the routes say. */
import { HttpError } from "../http/http-error.ts";
import type { BallotTiers, NewPoll } from "./types.ts";

export const LIMITS = {
  title: 200,
  description: 2000,
  items: 200,
  itemName: 100,
  tiers: 20,
  tierName: 30,
  codes: 10_000,
} as const;

const refuse = (message: string): never => {
  throw new HttpError(400, "invalid_poll", message);
};

/** A text of one line, without blanks at its ends. */
function line(text: string, what: string, most: number): string {
  const kept = text.trim().normalize();
  if (kept === "") refuse(`${what} is empty`);
  if (kept.length > most) refuse(`${what} has ${kept.length} characters, more than the limit of ${most}`);
  if (/[\p{Cc}\p{Cs}\u2028\u2029]/u.test(kept)) refuse(`${what} holds control characters or line breaks`);
  return kept;
}

/** A new poll with trimmed texts. */
export function checkedPoll(poll: NewPoll, now: number): NewPoll {
  const { title, description = "", tiers, items, access = "open", closes = null, codes = 0 } = poll;
  if (description.length > LIMITS.description)
    refuse(`the description has ${description.length} characters, more than the limit of ${LIMITS.description}`);
  if (/[\p{Cc}\p{Cs}]/u.test(description.replace(/[\n\r\t]/g, ""))) refuse("the description holds control characters");
  if (closes !== null && closes <= now) refuse("voting would end in the past");
  if (access === "open" && codes > 0) refuse("codes are for polls with access by code");
  const named = {
    tiers: tiers.map(({ name, color }, i) => ({ name: line(name, `the name of tier ${i + 1}`, LIMITS.tierName), color })),
  };
  const checked = items.map((item, i) => ({ ...item, name: line(item.name, `the name of item ${i + 1}`, LIMITS.itemName) }));
  different(
    named.tiers.map(({ name }) => name),
    "tiers",
  );
  different(
    checked.map(({ name }) => name),
    "items",
  );
  return { ...poll, ...named, items: checked, title: line(title, "the title", LIMITS.title), description: description.trim() };
}

function different(names: readonly string[], what: string): void {
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name)) refuse(`two ${what} are called ${JSON.stringify(name)}`);
    seen.add(name);
  }
}

/** Refuses a ballot that does not fit the poll. */
export function checkBallot(given: BallotTiers, tiers: number, items: number): void {
  const wrong = (message: string): never => {
    throw new HttpError(400, "invalid_ballot", message);
  };
  if (given.length !== tiers) wrong(`expected ${tiers} tiers, some of which may be empty, got ${given.length}`);
  const seen = new Set<number>();
  for (const item of given.flat()) {
    if (item >= items) wrong(`there is no item ${item}; the last is ${items - 1}`);
    if (seen.has(item)) wrong(`item ${item} is in two places`);
    seen.add(item);
  }
  if (seen.size === 0) wrong("the ballot ranks no item");
}
