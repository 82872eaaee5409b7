/**
 * Files that are written: whole, whatever happens meanwhile. Processes of their own write the same file at once, are killed, or meet a full
 * disk, a read-only one, a limit of the size of files, and a folder that vanishes.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { folder, main, root, start, succeed, svmlight } from "./cli.ts";

const library = JSON.stringify(new URL("dist/src/index.js", `file://${root}/`).href);
const durable = JSON.stringify(new URL("dist/src/formats/durable.js", `file://${root}/`).href);
const temporaries = (where: string) => readdirSync(where).filter((name) => name.endsWith(".part"));
const ended = (child: ChildProcess) =>
  new Promise<number | null>((resolve) => (child.exitCode === null ? child.on("close", resolve) : resolve(child.exitCode)));
const program = (text: string, cwd: string) =>
  spawn(process.execPath, ["--input-type=module", "--eval", text], { cwd, stdio: "inherit" });

/** Reads a file again and again until all processes have ended, and gives the different contents that it had. */
async function contentsDuring(path: string, children: readonly ChildProcess[]): Promise<Set<string>> {
  const seen = new Set<string>();
  let running = true;
  const all = Promise.all(children.map(ended)).then((codes) => {
    running = false;
    return codes;
  });
  while (running) {
    if (existsSync(path)) seen.add(readFileSync(path, "latin1"));
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  expect((await all).every((code) => code === 0)).toBe(true);
  seen.add(readFileSync(path, "latin1"));
  return seen;
}

describe("processes that write the same file at once", () => {
  it("never leave a mixture", async () => {
    const cwd = folder();
    const [a, b] = ["a", "b"].map((letter) => letter.repeat(1 << 20)) as [string, string];
    const loop = (letter: string) =>
      program(
        `import { writeDurably } from ${durable}; for (let i = 0; i < 60; i++) writeDurably("x", "${letter}".repeat(1 << 20));`,
        cwd,
      );
    const seen = await contentsDuring(join(cwd, "x"), [loop("a"), loop("b"), loop("a")]);
    expect([...seen].filter((one) => one !== a && one !== b)).toEqual([]);
    expect(readdirSync(cwd)).toEqual(["x"]);
  });

  it("never leave a mixture of two caches", async () => {
    const cwd = folder({ "t.txt": svmlight(300) });
    const once = (storage: string, times: number) =>
      `import { readData } from ${library}; for (let i = 0; i < ${times}; i++) await readData(["t.txt"], { cache: true, storage: "${storage}" });`;
    const name = join(cwd, "t.txt.tierwise-cache");
    const alone: string[] = [];
    for (const storage of ["dense", "sparse"]) {
      expect(await ended(program(once(storage, 1), cwd))).toBe(0);
      alone.push(readFileSync(name, "latin1"));
    }
    expect(alone[0]).not.toBe(alone[1]);
    const seen = await contentsDuring(name, [program(once("dense", 40), cwd), program(once("sparse", 40), cwd)]);
    expect([...seen].filter((one) => !alone.includes(one))).toEqual([]);
    expect(readdirSync(cwd).sort()).toEqual(["t.txt", "t.txt.tierwise-cache"]);
  });

  it("never leave a mixture of two models", async () => {
    const cwd = folder({ "t.txt": svmlight(10) });
    const words = (model: string) => ["train", "t.txt", "--model", model, "--out", "m.json", "--quiet", "--threads", "1"];
    const models = ["linear", "trees:rounds=3,min-items=2"];
    const alone: string[] = [];
    for (const model of models) {
      await succeed(words(model), { cwd });
      alone.push(readFileSync(join(cwd, "m.json"), "latin1"));
    }
    const children = [0, 1, 0, 1].map((m) => spawn(process.execPath, [main, ...words(models[m]!)], { cwd }));
    const seen = await contentsDuring(join(cwd, "m.json"), children);
    expect([...seen].filter((one) => !alone.includes(one))).toEqual([]);
    expect(temporaries(cwd)).toEqual([]);
  });

  it("add whole lines to a file that both append to", async () => {
    const cwd = folder();
    const loop = (letter: string) =>
      program(
        `import { appendDurably } from ${durable}; for (let i = 0; i < 80; i++) appendDurably("x", "${letter}".repeat(999) + "\\n");`,
        cwd,
      );
    await Promise.all([loop("a"), loop("b")].map(ended));
    const lines = readFileSync(join(cwd, "x"), "utf8").trimEnd().split("\n").sort();
    expect(lines).toEqual([...Array(80).fill("a".repeat(999)), ...Array(80).fill("b".repeat(999))]);
  });
});

it("a process killed at any moment leaves a whole file", async () => {
  const cwd = folder({ x: "a".repeat(1 << 18) });
  const allowed = ["a", "b"].map((letter) => letter.repeat(1 << 18));
  for (let time = 0; time < 20; time++) {
    const child = program(
      `import { writeDurably } from ${durable}; for (let i = 0; ; i++) writeDurably("x", "ab"[i % 2].repeat(1 << 18));`,
      cwd,
    );
    await new Promise((resolve) => setTimeout(resolve, 150 + 23 * time));
    child.kill("SIGKILL");
    await ended(child);
    expect(allowed).toContain(readFileSync(join(cwd, "x"), "utf8"));
  }
});

/** The commands that write files, with each output; what is in a file before must be there after a failure. */
const outputs: readonly (readonly [words: readonly string[], file: string])[] = [
  [["train", "../t.txt", "--model", "trees:rounds=40,min-items=2", "--out", "m.json"], "m.json"],
  [["train", "../t.txt", "--model", "trees:rounds=60,min-items=2", "--history", "h.json"], "h.json"],
  [["train", "../t.txt", "--report", "r.html"], "r.html"],
  [["report", "../m.json", "../t.txt", "--out", "r.html"], "r.html"],
  [["show", "../u.json", "--plot", "p.svg"], "p.svg"],
  [["convert", "../m.json", "c.onnx"], "c.onnx"],
  [["convert", "../m.json", "c.txt"], "c.txt"],
  [["blend", "../m.json", "../m2.json", "--valid", "../t.txt", "--out", "b.json"], "b.json"],
  [["cv", "../t.txt", "--folds", "3", "--values", "v.json"], "v.json"],
  [["tune", "../t.txt", "rounds=1,2", "--model", "trees:min-items=2", "--trials-file", "t.jsonl"], "t.jsonl"],
];

const cwd = folder({ "t.txt": svmlight(40), "b.orders": "a > b > c > d\nd > c > b > a\nb > d > a > c\nc > a > d > b\n" });
const small = join(cwd, "small");
beforeAll(async () => {
  const trees = ["--model", "trees:rounds=40,min-items=2", "--quiet"];
  await succeed(["train", "t.txt", ...trees, "--out", "m.json"], { cwd });
  await succeed(["train", "t.txt", ...trees, "--seed", "2", "--objective", "ranknet", "--out", "m2.json"], { cwd });
  await succeed(["train", "b.orders", "--out", "u.json", "--quiet"], { cwd });
});

/** Mounts a file system of so many bytes on `small`, where this process may. */
const mount = (bytes: number) =>
  process.platform === "linux" && spawnSync("mount", ["-t", "tmpfs", "-o", `size=${bytes}`, "tmpfs", small]).status === 0;
const unmount = () => spawnSync("umount", [small]);
const mountable = (() => {
  mkdirSync(small, { recursive: true });
  const can = mount(1 << 20);
  if (can) unmount();
  else console.warn("skipped: this process may not mount a file system, which stands for a full and a read-only disk");
  return can;
})();

/** `show` has nothing to say beside its result. */
const quietly = (words: readonly string[]) => (words[0] === "show" ? words : [...words, "--quiet"]);

/** The old content of a file, valid where the command reads it. */
const old = (file: string) => (file === "t.jsonl" ? "" : "old content\n");

describe.skipIf(!mountable)("a full disk", () => {
  afterAll(unmount);
  it.each(
    outputs.map(([words, file]) => ({
      words,
      file,
      name: words
        .slice(0, 1)
        .concat(words.filter((word) => word.startsWith("--out") || word.endsWith(file)))
        .join(" "),
    })),
  )("under $name leaves the old file and one line", ({ words, file }) => {
    expect(mount(64 << 10)).toBe(true);
    try {
      if (old(file) !== "") writeFileSync(join(small, file), old(file));
      const filler = join(small, "filler");
      for (let bytes = 128 << 10; bytes >= 1; bytes >>= 1)
        try {
          writeFileSync(filler, Buffer.alloc(bytes), { flag: "a" });
        } catch {}
      const { code, err } = start(quietly(words), { cwd: small });
      expect({ code, err }).toEqual({ code: 2, err: `tierwise: ${file}: cannot be written (ENOSPC, the disk is full)\n` });
      if (old(file) !== "") expect(readFileSync(join(small, file), "utf8")).toBe(old(file));
      expect(readdirSync(small).sort()).toEqual([...(old(file) === "" ? [] : [file]), "filler"].sort());
    } finally {
      unmount();
    }
  });

  it("keeps a cache from being written, and nothing else", () => {
    expect(mount(64 << 10)).toBe(true);
    try {
      writeFileSync(join(small, "filler"), Buffer.alloc(60 << 10));
      const { code, err } = start(["train", "../t.txt", "--cache-dir", ".", "--threads", "1"], { cwd: small });
      expect(code).toBe(0);
      expect(err).toMatch(/the cache .+ could not be written \(ENOSPC, the disk is full\)\n/);
      expect(readdirSync(small)).toEqual(["filler"]);
    } finally {
      unmount();
    }
  });

  it.each(["1", "2"])("keeps checkpoints from being saved, and training on %s threads goes on to its end", (threads) => {
    expect(mount(64 << 10)).toBe(true);
    try {
      writeFileSync(join(small, "filler"), Buffer.alloc(64 << 10));
      const words = [
        "--model",
        "trees:rounds=5,min-items=2",
        "--checkpoint",
        "ck",
        "--checkpoint-every",
        "1",
        "--threads",
        threads,
      ];
      const { code, err } = start(["train", "../t.txt", ...words, "--out", "../full.json"], { cwd: small });
      expect(code).toBe(0);
      expect(err.match(/^ck: the checkpoint could not be saved: .+ \(ENOSPC, the disk is full\)$/gm)).toHaveLength(4);
      expect(JSON.parse(readFileSync(join(small, "../full.json"), "utf8"))).toHaveProperty("model");
      expect(readdirSync(join(small, "ck"))).toEqual([]);
    } finally {
      unmount();
    }
  });
});

describe.skipIf(!mountable)("a read-only disk", () => {
  beforeAll(() => {
    mount(1 << 20);
    for (const [, file] of outputs) writeFileSync(join(small, file), "old content\n");
    spawnSync("mount", ["-o", "remount,ro", small]);
  });
  afterAll(unmount);
  it.each(outputs)("%j is refused before the work, in one line", (words, file) => {
    const { code, out, err } = start(quietly(words), { cwd: small });
    expect({ code, out, err }).toEqual({
      ...{ code: 2, out: "" },
      err: `tierwise: ${file}: cannot be written (EROFS, the file system is read-only)\n`,
    });
    expect(readFileSync(join(small, file), "utf8")).toBe("old content\n");
  });
});

describe.skipIf(process.platform === "win32")("a limit of the size of files", () => {
  it("leaves the old model and one line", () => {
    writeFileSync(join(cwd, "old.json"), "old");
    const words = ["train", "t.txt", "--model", "trees:rounds=40,min-items=2", "--out", "old.json", "--quiet", "--threads", "1"];
    const { status, stderr } = spawnSync("sh", ["-c", 'ulimit -f 8; exec "$0" "$@"', process.execPath, main, ...words], {
      cwd,
      encoding: "utf8",
    });
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: "tierwise: old.json: cannot be written (EFBIG, the file is larger than the system allows)\n",
    });
    expect(readFileSync(join(cwd, "old.json"), "utf8")).toBe("old");
    expect(temporaries(cwd)).toEqual([]);
  });
});

it("a folder that vanishes during the training is one line", () => {
  mkdirSync(join(cwd, "gone"), { recursive: true });
  writeFileSync(
    join(cwd, "vanish.mjs"),
    `import { rmSync } from "node:fs"; import { plPartition } from ${library};
    const base = plPartition();
    export const objective = { ...base, id: "vanish", spec: "vanish",
      evaluate(...given) { rmSync("gone", { recursive: true, force: true }); return base.evaluate(...given); } };`,
  );
  const { code, err } = start(
    ["train", "t.txt", "--objective", "./vanish.mjs", "--out", "gone/m.json", "--quiet", "--threads", "1"],
    { cwd },
  );
  expect({ code, err }).toEqual({
    code: 2,
    err: "tierwise: gone/m.json: cannot be written (ENOENT, the folder does not exist)\n",
  });
  expect(existsSync(join(cwd, "gone"))).toBe(false);
  expect(temporaries(cwd)).toEqual([]);
});
