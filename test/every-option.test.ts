/**
 * Every option of every command, once, with a valid value that is not its default: the command succeeds, and the option has an effect on what
 * it prints or writes, which is compared with what is stored (stored.ts). The options are those of the program itself, so an option without a value in
 * command-options.ts fails the first test.
 */
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { commands, servers, tierwise } from "./cli.ts";
import { caseOf, cwd, own, prepare, running, special, unread, usual, wrong } from "./command-options.ts";
import { digest, storedResults } from "./stored.ts";

/** Options of poll and lab are tried in the tests of these servers. */
const ending = commands.filter((command) => !servers.includes(command.name()) || running.includes(command.name()));
const all = ending.flatMap((command) => command.options.map(({ long }) => ({ verb: command.name(), option: long! })));

/** Every file below the folder with its content. */
const contents = () =>
  new Map(
    readdirSync(cwd, { recursive: true, encoding: "utf8" })
      .filter((name) => statSync(join(cwd, name)).isFile())
      .map((name) => [name, readFileSync(join(cwd, name), "latin1")]),
  );

let before: ReadonlyMap<string, string>;

/** What a command answers, prints and writes; afterwards the folder is as it was. */
async function effect(words: readonly string[]) {
  const { code, out, err } = await tierwise(words, { cwd });
  const after = contents();
  const written: string[] = [];
  for (const [name, text] of after) {
    if (before.get(name) === text) continue;
    written.push(name, timeless(text));
    if (before.has(name)) writeFileSync(join(cwd, name), before.get(name)!, "latin1");
    else rmSync(join(cwd, name));
  }
  for (const name of before.keys()) if (!after.has(name)) throw new Error(`${words.join(" ")} removed ${name}`);
  return { code, out: timeless(out), err: timeless(err), written };
}

const timeless = (text: string) =>
  text
    .replace(/"seconds":(\{.*?\}|[\d.e-]+)/g, "")
    .replace(/^seconds .*$/gm, "")
    .replace(/"processor":[\d.e-]+/g, "")
    .replace(/, \d+ \S+ left/g, "");

const compare = storedResults("options");

/** Whether a command prints how long something took, or, as the pages of papers do, the version of the code. */
const isTimed = (words: readonly string[]) => words.includes("auto") || words[0] === "papers";

/** What a command answers, and digests of what it prints and writes. Caches know when their sources were written. */
const inShort = ({ code, out, err, written }: Awaited<ReturnType<typeof effect>>): string => {
  const nameless = (text: string) => text.replace(/\.[0-9a-f]{8}(?=\.tierwise-cache)/g, "");
  const files = written.flatMap((name, i) => {
    if (i % 2 === 1) return [];
    return name.endsWith(".tierwise-cache") ? [nameless(name)] : [`${name} ${digest(written[i + 1]!)}`];
  });
  const printed = Object.entries({ out, err }).flatMap(([where, text]) => (text ? [`${where} ${digest(nameless(text))}`] : []));
  return [String(code), ...printed, ...files].join(", ");
};

const usualEffects = new Map<string, ReturnType<typeof effect>>();
function usualEffect(words: readonly string[]) {
  const key = words.join("\n");
  if (!usualEffects.has(key)) usualEffects.set(key, effect(words));
  return usualEffects.get(key)!;
}

beforeAll(async () => {
  await prepare();
  before = contents();
});

it("every option of every command has a value here, and no other", () => {
  expect(all.filter(({ verb, option }) => !caseOf(verb, option)).map(({ verb, option }) => `${verb} ${option}`)).toEqual([]);
  const known = new Set(all.map(({ verb, option }) => `${verb} ${option}`));
  const listed = Object.entries(own).flatMap(([verb, cases]) => Object.keys(cases).map((option) => `${verb} ${option}`));
  expect([...listed, ...Object.keys(special)].filter((name) => !known.has(name))).toEqual([]);
});

describe("a valid value is accepted and has an effect:", () => {
  it.each(all.filter(({ verb }) => !running.includes(verb)))("$verb $option", async ({ verb, option }) => {
    const { words, base = usual[verb]!, same, refused } = caseOf(verb, option)!;
    const without = await usualEffect(base);
    const found = await effect([...base, ...words]);
    if (!isTimed([...base, ...words])) compare(`${verb} ${option}`, inShort(found));
    if (refused) return expect(found.err).toMatch(refused);
    expect(found.code, `tierwise ${[...base, ...words].join(" ")}: ${found.err}`).toBe(0);
    if (same) expect(found).toEqual(without);
    else expect(found).not.toEqual(without);
  });
});

describe("a wrong value is refused in one line, and nothing is written:", () => {
  const valued = ending.flatMap((command) =>
    command.options.filter((option) => option.required).map(({ long }) => ({ verb: command.name(), option: long! })),
  );
  const wrongFor = ({ verb, option }: { verb: string; option: string }) => wrong[`${verb} ${option}`] ?? wrong[option];

  it("every option that takes a value has wrong ones here", () => {
    expect(valued.filter((one) => !wrongFor(one)).map(({ verb, option }) => `${verb} ${option}`)).toEqual([]);
  });

  it.each(valued)("$verb $option", async ({ verb, option }) => {
    if (unread[`${verb} ${option}`]) return;
    const { base = usual[verb]!, words } = caseOf(verb, option)!;
    const accepted: string[] = [];
    for (const value of wrongFor({ verb, option })!) {
      const { code, out, err, written } = await effect([...base, words[0]!, value]);
      // Notices about what was read before may precede the line.
      const isRefused = code === 2 && out === "" && written.length === 0 && /^(?:(?!tierwise: ).+\n)*tierwise: .+\n$/.test(err);
      if (!isRefused) accepted.push(`${value}: code ${code}, ${out.slice(0, 60)}, ${written[0]}, ${err.slice(-200)}`);
    }
    expect(accepted).toEqual([]);
  });
});

it.each<[words: readonly string[], answer: RegExp]>([
  [["papers", "--threads", "x"], /--threads: expected a whole number .+, got "x"/],
  [["papers", "--data", "none"], /--data: there is not a folder "none"/],
  [["report", "linear.json", "--unknown-features", "x"], /--unknown-features: expected error or ignore, got "x"/],
  [["report", "linear.json", "--absent", "x"], /--absent: expected one of zero, missing, got "x"/],
  [["tune", "train.txt", "l2=1,2", "--unknown-features", "x"], /--unknown-features: expected error or ignore, got "x"/],
  [["compare-ties", "ballots.orders", "--unknown-features", "x"], /--unknown-features: expected error or ignore, got "x"/],
  [["convert", "trees.json", "copy.json", "--missing", "x"], /--missing: expected zero or refuse, got "x"/],
  [
    ["convert", "trees.json", "copy.json", "--definitions", "definitions.json"],
    /--definitions are for search engines, and the model is written in the format tierwise/,
  ],
  [
    ["explain", "moved.json", "test.txt", "--transform", "./moved.mjs"],
    /the model was trained with the transform moved, which may change columns, so its scores cannot be explained by feature; .+/,
  ],
])("%j is refused, although the value would not be used", async (words, answer) => {
  const { code, out, err, written } = await effect(words);
  expect({ code, out, written }).toEqual({ code: 2, out: "", written: [] });
  expect(err).toMatch(new RegExp(`^(?:(?!tierwise: ).+\n)*tierwise: ${answer.source}\n$`));
});
