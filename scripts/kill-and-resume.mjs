/**
 * Kills training commands with SIGKILL at random moments, runs the same command again until it ends, and compares its results with those of
 * an undisturbed run, byte for byte: docs/reliability.md has the result.
 *
 *   node scripts/kill-and-resume.mjs [--kills 200] [--seed 1] [--only trees,tune] [--keep]
 *
 * Each run has 1, 2 or 3 threads, drawn at random, so that runs continue what others began with another number of threads. Where checkpoints
 * are written by rounds, the round that a run continues after is compared with the last round that the killed run printed: the difference
 * is what was lost.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { random } from "../dist/src/numeric/random.js";

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "200" },
    seed: { type: "string", default: "1" },
    only: { type: "string" },
    keep: { type: "boolean", default: false },
  },
});
const main = fileURLToPath(new URL("../dist/src/cli/main.js", import.meta.url));
const cwd = mkdtempSync(join(tmpdir(), "tierwise-kills-"));
const draw = random(Number(values.seed), 0x4111);
const below = (n) => Math.floor(draw() * n);

writeFileSync(join(cwd, "rows.txt"), rows(400, 10, 15));
writeFileSync(join(cwd, "few.txt"), rows(120, 8, 8));
writeFileSync(join(cwd, "votes.orders"), votes(2000, 60));
writeFileSync(join(cwd, "labels.txt"), labelSets(600, 200, 100));

/** The command, and rounds between checkpoints where the loss is to be measured. */
const cases = {
  trees: { command: "train rows.txt --model trees:rounds=80,leaves=15,bag=2 --hold-out 0.2 --patience 0", rounds: 5 },
  linear: {
    command: "train rows.txt --objective approx-ndcg --optimizer lbfgs(iterations=150,tolerance=0,memory=5)",
    rounds: 10,
  },
  adam: { command: "train rows.txt --optimizer adam(epochs=30) --hold-out 0.2 --stop-on smooth(ndcg@10,3)", rounds: 5 },
  mlp: {
    command: "train rows.txt --model mlp:hidden=32/16,epochs=6,rate=0.001/0.01,dropout=0.1 --hold-out 0.2 --patience 0",
    rounds: 2,
  },
  utilities: { command: "train votes.orders --optimizer adam(epochs=200)", rounds: 10 },
  newton: { command: "train votes.orders --objective pl-partition --model utilities:errors=yes,l2=0.001", rounds: 1 },
  leml: { command: "train labels.txt --model leml:rank=30,rounds=20 --hold-out 0.2 --metrics precision@3", rounds: 3 },
  "coordinate-ascent": { command: "train few.txt --model coordinate-ascent:restarts=6,tolerance=0.00001" },
  tune: { command: "tune few.txt --model trees:rounds=40 leaves=4,8 l2=1,10 --folds 3 --json" },
  cv: { command: "cv few.txt --model trees:rounds=60,leaves=8 --folds 5 --patience 0 --values values.json --json" },
  auto: { command: "train few.txt --model auto --trials 5 --folds 3" },
};
const outputs = { train: "--out model.json --history history.json", auto: "--out model.json" };

const chosen = Object.entries(cases).filter(([name]) => values.only === undefined || values.only.split(",").includes(name));
const wanted = Math.ceil(Number(values.kills) / chosen.length);
const table = [];
for (const [name, one] of chosen) table.push({ case: name, ...(await attack(name, one)) });
console.table(table);
const sum = (key) => table.reduce((total, row) => total + row[key], 0);
console.log(
  `${sum("kills")} kills in ${sum("chains")} chains: ${sum("same")} of ${sum("chains")} ended with the bytes of the undisturbed run`,
);
if (!values.keep) rmSync(cwd, { recursive: true, force: true });
if (sum("same") < sum("chains") || table.some((row) => row["rounds lost"] > row.interval)) process.exitCode = 1;

/** Kills a command as often as wanted, in chains that end with a finished run. */
async function attack(name, { command, rounds }) {
  const more = command.startsWith("train") ? ` ${outputs[name] ?? outputs.train}` : "";
  const words = `${command}${more}`.split(" ");
  const compared = words.filter((word) => word.endsWith(".json"));
  const clean = () => {
    for (const file of compared) rmSync(join(cwd, file), { force: true });
    rmSync(join(cwd, "ck"), { recursive: true, force: true });
  };
  clean();
  const plain = await run([...words, "--threads", "1"]);
  if (plain.code !== 0) throw new Error(`${name}: ${plain.err}`);
  const expected = resultOf(plain, words, compared);
  const count = { kills: 0, chains: 0, continued: 0, same: 0, "rounds lost": 0, interval: rounds ?? "time" };
  while (count.kills < wanted) {
    clean();
    count.chains++;
    const byRounds = rounds !== undefined && draw() < 0.5;
    const every = byRounds ? String(rounds) : "0.05s";
    let printed = 0; // the last round that a killed run printed
    for (let inChain = 0; ; ) {
      const again = count.kills < wanted && inChain < 8;
      const begins = draw() < 0.15; // also while the command starts and loads data
      const delay = draw() * (begins ? plain.total : Math.max(200, 0.6 * plain.training));
      const resumable = [
        ...words,
        "--checkpoint",
        "ck",
        "--checkpoint-every",
        every,
        "--threads",
        String([1, 1, 2, 3][below(4)]),
      ];
      const ran = await run(resumable, again ? { delay, begins } : undefined);
      const after = Number(/continuing after round (\d+)/.exec(ran.err)?.[1] ?? 0);
      if (/continuing|already finished/.test(ran.err)) count.continued++;
      if (byRounds && ran.loaded) count["rounds lost"] = Math.max(count["rounds lost"], printed - after);
      if (byRounds && ran.loaded)
        printed = Math.max(after, ...[...ran.err.matchAll(/^\[(\d+)\]/gm)].map(([, round]) => Number(round)));
      if (ran.code === 0) {
        const left = existsSync(join(cwd, "ck")) ? readdirSync(join(cwd, "ck")) : [];
        const same = resultOf(ran, words, compared) === expected && left.length === 0;
        if (same) count.same++;
        console.error(`${name}: ${JSON.stringify(count)}`);
        if (!same)
          console.error(
            `${name}: another result after ${inChain} kills (${every}); left in the directory: ${left.join(" ") || "nothing"}`,
          );
        break;
      }
      if (ran.signal !== "SIGKILL") throw new Error(`${name} ended with ${ran.code}: ${ran.err}`);
      inChain++;
      count.kills++;
    }
  }
  return count;
}

/** What an undisturbed run and a resumed one must have in common. */
function resultOf({ out }, words, compared) {
  return JSON.stringify([
    words.includes("--json") ? out : "",
    ...compared.map((file) => readFileSync(join(cwd, file), "base64")),
  ]);
}

/** Runs a command, and kills it after a time that begins with the process or with the first line about the data. */
function run(words, kill) {
  return new Promise((resolve) => {
    const begun = performance.now();
    const child = spawn(process.execPath, [main, ...words], { cwd, stdio: ["ignore", "pipe", "pipe"] });
    let [out, err, loaded] = ["", "", 0];
    const later = () => setTimeout(() => child.kill("SIGKILL"), kill.delay);
    if (kill?.begins) later();
    child.stdout.setEncoding("utf8").on("data", (text) => {
      out += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text) => {
      err += text;
      // Trainings of several rounds print the first ones; searches and coordinate ascent print nothing before the first result.
      const trains = /--(out|optimizer)/.test(words.join(" ")) && !/auto|coordinate/.test(words.join(" "));
      if (loaded > 0 || !(trains ? /^\[|continuing/m : /continuing|finished|settings|lists/m).test(err)) return;
      loaded = performance.now();
      if (kill && !kill.begins) later();
    });
    child.on("close", (code, signal) => {
      const end = performance.now();
      resolve({ code, signal, out, err, loaded: loaded > 0, total: end - begun, training: end - (loaded || begun) });
    });
  });
}

function rows(lists, size, features) {
  const weights = Array.from({ length: features }, () => 2 * draw() - 1);
  const lines = [];
  for (let q = 1; q <= lists; q++)
    for (let i = 0; i < size; i++) {
      const x = Array.from({ length: features }, () => Math.round(1000 * draw()) / 1000);
      const score = x.reduce((total, value, c) => total + weights[c] * value, 0) + 2 * draw();
      lines.push(`${Math.max(0, Math.min(4, Math.round(score)))} qid:${q} ${x.map((value, c) => `${c + 1}:${value}`).join(" ")}`);
    }
  return `${lines.join("\n")}\n`;
}

/** Ballots of four items in the order of noisy worths, some tied. */
function votes(count, items) {
  const lines = Array.from({ length: count }, () => {
    const some = new Set();
    while (some.size < 4) some.add(below(items));
    const order = [...some].sort((a, b) => a - b + 0.5 * items * (draw() - 0.5));
    return `i${order[0]} > i${order[1]} ${draw() < 0.3 ? "=" : ">"} i${order[2]} > i${order[3]}`;
  });
  return `${lines.join("\n")}\n`;
}

function labelSets(count, features, labels) {
  const lines = [`${count} ${features} ${labels}`];
  for (let i = 0; i < count; i++) {
    const topic = below(labels);
    const own = [...new Set([topic, (topic * 7 + below(3)) % labels])].sort((a, b) => a - b);
    const x = new Map(Array.from({ length: 8 }, () => [(2 * topic + below(20)) % features, 1 + below(5)]));
    lines.push(
      `${own.join(",")} ${[...x]
        .sort(([a], [b]) => a - b)
        .map(([c, value]) => `${c}:${value}`)
        .join(" ")}`,
    );
  }
  return `${lines.join("\n")}\n`;
}
