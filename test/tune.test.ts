/** `tierwise tune` as a user runs it: the table, going on after an interruption, threads, and the command at the end. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folder, main, succeed, svmlight, tierwise } from "./cli.ts";

const cwd = folder({ "data.txt": svmlight(40), "valid.txt": svmlight(15), "other.txt": svmlight(41) });
const trees = ["--model", "trees:rounds=8", "--objective", "lambdarank", "min-items=3"];
const words = ["tune", "data.txt", ...trees, "leaves=2,4,6", "learning-rate=0.1,0.3", "--json", "--quiet"];

interface Answer {
  readonly trials: { settings: Record<string, string>; metrics: Record<string, number>; model: string; failed?: string }[];
  readonly command: string;
}
const ask = async (...more: string[]): Promise<Answer> => JSON.parse(await succeed([...words, ...more], { cwd }));

describe("tune", () => {
  it("tries full grid, the best first, and gives the same for any number of threads", async () => {
    const [one, two] = [await ask("--threads", "1"), await ask("--threads", "2")];
    expect(two).toEqual(one);
    expect(new Set(one.trials.map(({ settings }) => `${settings.leaves} ${settings["learning-rate"]}`)).size).toBe(6);
    const values = one.trials.map(({ metrics }) => metrics["ndcg@10"]!);
    expect(values).toEqual([...values].sort((a, b) => b - a));
  });

  it.each([[[]], [["--hold-out", "0.4", "--seed", "5"]], [["--valid", "valid.txt"]]])(
    "ends with the command that reaches the same: %j",
    async (validation) => {
      const { command, trials } = await ask(...validation);
      expect(command).toMatch(/^tierwise train data\.txt --model trees:/);
      const result = JSON.parse(await succeed([...command.split(" ").slice(1), "--json", "--quiet"], { cwd }));
      expect(result.metrics).toEqual(trials[0]!.metrics);
      expect(existsSync(join(cwd, "model.json"))).toBe(true);
    },
  );

  it("goes on from a file of trials, also one whose last line is cut off, and tries nothing twice", async () => {
    const file = join(cwd, "trials.jsonl");
    const whole = await ask("--trials-file", file);
    const text = readFileSync(file, "utf8");
    const lines = text.trimEnd().split("\n");
    expect(lines).toHaveLength(7);
    // A value that nobody could reach shows that a trial was taken from the file.
    const marked = lines.map((line, i) => (i === 2 ? line.replace(/"ndcg@10":[\d.]+/, '"ndcg@10":7') : line));
    writeFileSync(file, `${marked.slice(0, 4).join("\n")}\n${lines[4]!.slice(0, 30)}`);
    const again = await ask("--trials-file", file);
    expect(again.trials[0]!.metrics["ndcg@10"]).toBe(7);
    const others = ({ trials }: Answer, but: string) => trials.filter(({ model }) => model !== but);
    expect(others(again, again.trials[0]!.model)).toEqual(others(whole, again.trials[0]!.model));
    expect(readFileSync(file, "utf8").trimEnd().split("\n")).toEqual(marked);
  });

  it("killed in the middle, goes on where it was and ends as if nothing had happened", async () => {
    const space = ["--model", "trees:min-items=3", "leaves=2..6", "learning-rate=0.1..0.2", "rounds=30", "--trials", "4"];
    const search = (file: string) => [
      "tune",
      "data.txt",
      ...space,
      "--patience",
      "0",
      "--trials-file",
      file,
      "--json",
      "--quiet",
    ];
    const file = join(cwd, "killed.jsonl");
    const child = spawn(process.execPath, [main, ...search(file)], { cwd, stdio: "ignore" });
    const ended = once(child, "exit");
    const lines = () => (existsSync(file) ? readFileSync(file, "utf8").split("\n").length - 1 : 0);
    while (lines() < 2 && child.exitCode === null) await new Promise((wake) => setTimeout(wake, 5));
    child.kill("SIGKILL");
    await ended;
    expect(lines()).toBeGreaterThanOrEqual(2);
    const resumed = await succeed(search(file), { cwd });
    expect(resumed).toBe(await succeed(search(join(cwd, "fresh.jsonl")), { cwd }));
    expect(JSON.parse(resumed).trials).toHaveLength(4);
  });

  it("cross-validates, and then takes the rounds from the folds", async () => {
    const { command, trials } = await ask("--folds", "3", "--metrics", "map,ndcg@3");
    expect(Object.keys(trials[0]!.metrics)).toEqual(["map", "ndcg@3"]);
    expect(command).not.toContain("--hold-out");
    await succeed([...command.split(" ").slice(1), "--quiet"], { cwd });
  });

  it("a setting that cannot be trained is told at the end of the table", async () => {
    const diverging = ["--model", "linear:l2=1000", "optimizer=lbfgs,sgd(rate=1000)"];
    const out = await succeed(["tune", "data.txt", ...diverging, "--quiet", "--hold-out", "0.5"], { cwd });
    const rows = out.split("\n");
    expect(rows[2]).toMatch(/^1 +lbfgs +0\.\d+ +\d+$/);
    expect(rows[3]).toMatch(/^2 +sgd\(rate=1000\) +- +failed: .*lower learning rate/);
  });

  it.each<[string[], RegExp]>([
    [["leaves=2..6", "--search", "grid"], /leaves: a grid needs to know how many values of the range to try, as in 2\.\.6\/5/],
    [["--search", "bayes"], /--search: expected grid or random, got "bayes"/],
    [["--valid", "valid.txt", "--folds", "3"], /--valid and --folds all define the validation data; give one of them/],
    [["l3=1,2"], /nothing that is tuned has an option "l3"/],
    [["--hold-out", "2"], /--hold-out: expected a fraction between 0 and 1, such as 0\.25 or 25%, got "2"/],
  ])("refuses %j", async (more, message) => {
    const { code, out, err } = await tierwise(["tune", "data.txt", "--model", "trees", ...more, "--quiet"], { cwd });
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(message);
  });

  it("refuses trials that were made on other data", async () => {
    const file = join(cwd, "mine.jsonl");
    await succeed(["tune", "data.txt", "l2=1", "--trials-file", file, "--quiet"], { cwd });
    const { code, err } = await tierwise(["tune", "other.txt", "l2=1", "--trials-file", file, "--quiet"], { cwd });
    expect(code).toBe(2);
    expect(err).toMatch(
      /mine\.jsonl: its trials were made under other conditions: data was [0-9a-f]{16} and is [0-9a-f]{16}; use another file/,
    );
  });

  it("refuses trials that were made on ballots of the same form about other items", async () => {
    const file = join(cwd, "votes.jsonl");
    const votes = "9: a > b > c\n5: b > a > c\n7: c > a > b\n4: a > c > b\n";
    writeFileSync(join(cwd, "one.orders"), votes);
    writeFileSync(join(cwd, "two.orders"), votes.replaceAll("a", "d"));
    writeFileSync(join(cwd, "three.orders"), votes.replace("9: a > b", "9: b > a"));
    const ask = (data: string) => tierwise(["tune", data, "l2=1", "--trials-file", file, "--folds", "2", "--quiet"], { cwd });
    expect((await ask("one.orders")).code).toBe(0);
    for (const other of ["two.orders", "three.orders"]) expect((await ask(other)).err).toMatch(/other conditions: data was/);
    expect((await ask("one.orders")).code).toBe(0);
  });
});
