/** Every program and command of README.md and docs/ is run as it stands there, and prints what the page says. See pages.ts for the rules. */
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { folder, main, root, tierwise } from "./cli.ts";
import { type Block, blocksOf, matches, pages, promisesOf, wordsOf } from "./pages.ts";

const scripts: Readonly<Record<string, string>> = JSON.parse(readFileSync(join(root, "package.json"), "utf8")).scripts;
const all = pages(`${root}/`);

describe.each(all)("%s", (page) => {
  const cwd = folder();
  cpSync(join(root, "examples"), join(cwd, "examples"), { recursive: true });
  const bin = join(cwd, ".bin");
  mkdirSync(bin);
  // What `npx tierwise` is where the package is installed.
  writeFileSync(join(bin, "npx"), `#!/bin/sh\nshift\nexec "${process.execPath}" "${main}" "$@"\n`);
  chmodSync(join(bin, "npx"), 0o755);
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` };
  const blocks = blocksOf(join(root, page));

  it("holds to what it says", async () => {
    for (const [i, block] of blocks.entries()) {
      if (block.name !== "") writeFileSync(join(cwd, block.name), `${block.text}\n`);
      else if (block.language === "ts") program(block, i);
      else if (["console", "", "text"].includes(block.language)) await commands(block);
      else
        expect.fail(`${page}:${block.line}: a block is ts, console, text, or a file with a name, and this is ${block.language}`);
    }
  }, 120_000);

  function program({ text, line }: Block, i: number): void {
    // Inside the package its own name resolves to what would be installed.
    const file = join(root, `dist/page-${page.replace(/\W/g, "-")}-${i}.mjs`);
    writeFileSync(file, text);
    const { status, stdout, stderr } = spawnSync(process.execPath, [file], { cwd, encoding: "utf8" });
    expect(status, `${page}:${line}: ${stderr}`).toBe(0);
    const promised = [...text.matchAll(/^\/\/ ?(.*)$/gm)].map(([, words]) => words!);
    if (!matches(stdout, promised)) expect(stdout.trimEnd(), `${page}:${line}`).toBe(promised.join("\n"));
  }

  async function commands(block: Block): Promise<void> {
    for (const { command, output, line } of promisesOf(block)) {
      const where = `${page}:${line}: ${command}`;
      const script = /^npm (?:run )?(\S+)/.exec(command)?.[1];
      if (script === "install") continue; // of the package itself, which no test can publish
      if (script !== undefined) {
        expect(scripts[script], `${where}: there is no such script`).toBeDefined();
        continue;
      }
      const { code, out, err } = await run(command);
      expect(code, `${where}\n${err}`).toBe(0);
      if (output.length > 0 && !matches(out, output)) expect(out.trimEnd(), where).toBe(output.join("\n"));
    }
  }

  async function run(command: string): Promise<{ code: number | null; out: string; err: string }> {
    const words = wordsOf(command);
    if (words?.[0] === "npx" && words[1] === "tierwise") return tierwise(words.slice(2), { cwd });
    const { status, stdout, stderr } = spawnSync("sh", ["-c", command], { cwd, env, encoding: "utf8" });
    return { code: status, out: stdout, err: stderr };
  }

  it("links to what is there", () => {
    const text = readFileSync(join(root, page), "utf8").replace(/^```[\s\S]*?^```/gm, "");
    for (const [, target] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^https?:/.test(target!)) continue;
      const [path, anchor] = target!.split("#") as [string, string?];
      const file = path === "" ? join(root, page) : join(root, dirname(page), path);
      if (!file.includes(join("docs", "api"))) expect(existsSync(file), `${page} links to ${target}`).toBe(true);
      if (anchor !== undefined) expect(anchorsOf(file), `${page} links to ${target}`).toContain(anchor);
    }
  });
});

const anchorsOf = (file: string) =>
  [...readFileSync(file, "utf8").matchAll(/^#+ (.*)$/gm)].map(([, title]) =>
    title!.toLowerCase().replace(/[^\w\- ]/g, "").replaceAll(" ", "-"),
  ); // biome-ignore format: one chain

describe("docs/commands", () => {
  it("has a page for every command, to which the page of the command line leads", async () => {
    const { out } = await tierwise(["--help"], { cwd: root });
    const names = [...out.split("Commands:")[1]!.matchAll(/^ {2}([a-z-]+)/gm)]
      .map(([, name]) => name!)
      .filter((name) => name !== "help");
    expect(names.length).toBeGreaterThan(8);
    const known = all.filter((page) => page.startsWith("docs/commands/")).map((page) => page.replace(/.*\/|\.md$/g, ""));
    expect(known.sort()).toEqual(names.sort());
    const index = readFileSync(join(root, "docs/command-line.md"), "utf8");
    for (const name of names) expect(index).toContain(`[${name}](commands/${name}.md)`);
  });
});

describe("what a page promises", () => {
  it("is matched line by line, with gaps where it says so", () => {
    expect(matches("a\nb\nc\n", ["a", "...", "c"])).toBe(true);
    expect(matches("a\nc\n", ["a", "...", "c"])).toBe(true);
    expect(matches("a\nb\n", ["a", "...", "c"])).toBe(false);
    expect(matches("seconds 1.25 in all\n", ["seconds … in all"])).toBe(true);
    expect(matches("a\nb\n", ["a"])).toBe(false);
    expect(matches("1.5\n", ["1x5"])).toBe(false);
  });

  it("has words as a shell reads them", () => {
    expect(wordsOf("npx tierwise list 'a b' --x=\"c d\"e")).toEqual(["npx", "tierwise", "list", "a b", "--x=c de"]);
    expect(wordsOf("a | b")).toBeUndefined();
    expect(wordsOf("a 'x;y' b")).toEqual(["a", "x;y", "b"]);
  });
});
