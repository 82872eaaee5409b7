/**
 * Every option of every public function, once, with a valid value: the call succeeds, and its result differs from that without the option, or
 * its callback is called. The options are found in the declaration files, so one without a value in library-calls.ts fails the first test.
 * Results are compared with those that are stored (stored.ts).
 */
import { describe, expect, it } from "vitest";
import { type Case, callback, functions, outcome } from "./library-calls.ts";
import { functionOptions } from "./public-names.ts";
import { digest, storedResults } from "./stored.ts";

const all = functionOptions();
const compare = storedResults("library-options");

it("every option of every public function has a value, and no other", () => {
  const listed = Object.entries(functions).flatMap(([name, { values }]) =>
    Object.keys(values).map((option) => `${name} ${option}`),
  );
  expect(listed.sort()).toEqual(all.map(({ name, option }) => `${name} ${option}`).sort());
});

describe("a valid value is accepted and has an effect:", () => {
  it.each(all)("$name, option $option", async ({ name, option }) => {
    const { call, needs = {}, values } = functions[name]!;
    const found = values[option]!;
    if (found.value === callback) {
      let calls = 0;
      await outcome(call, { ...needs, [option]: () => calls++ });
      expect(calls).toBeGreaterThan(0);
      return;
    }
    const { value, with: more = {}, call: special = call, same, refused } = found as Case;
    const options = { ...needs, ...more };
    const { [option]: ___, ...without } = options as Record<string, unknown>;
    const base = option in needs && !(option in more) ? options : without;
    if (refused) {
      await outcome(special, base);
      await expect(outcome(special, { ...options, [option]: value })).rejects.toThrow(refused);
      return;
    }
    const result = await outcome(special, { ...options, [option]: value });
    const usual = await outcome(special, base).catch((error: Error) => `refused: ${error.message}`);
    if (option !== "cache") compare(`${name}, ${option}`, digest(result)); // a cache knows when its source was written
    if (same) expect(result).toBe(usual);
    else expect(result).not.toBe(usual);
  });
});
