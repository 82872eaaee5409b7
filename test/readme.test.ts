/** Every code block and command of README.md is run, as it stands there, on the built package. */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const readme = readFileSync(`${root}README.md`, "utf8");
const blocks = (language: string) =>
  [...readme.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, "g"))].map(([, text]) => text!);

describe("README", () => {
  const folder = mkdtempSync(join(tmpdir(), "tierwise-readme-"));
  cpSync(`${root}examples`, `${folder}/examples`, { recursive: true });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(blocks("ts").map((text, i) => [i, text] as const))("code block %i prints what its comments say", (i, text) => {
    // Inside the package its own name resolves to what would be installed.
    const file = `${root}dist/readme-${i}.mjs`;
    writeFileSync(file, text);
    const printed = execFileSync(process.execPath, [file], { cwd: folder, encoding: "utf8" });
    const promised = [...text.matchAll(/^\/\/ (.*)$/gm)].map(([, line]) => line!);
    expect(promised.length).toBeGreaterThan(0);
    expect(printed.trim().split("\n")).toEqual(promised);
  });

  it("commands run one after another", () => {
    const commands = [...readme.matchAll(/^\$ npx tierwise (.*)$/gm)].map(([, words]) => words!);
    expect(commands.length).toBeGreaterThan(4);
    for (const command of commands) {
      const { status, stderr } = spawnSync(`"${process.execPath}" "${root}dist/src/cli/main.js" ${command}`, {
        cwd: folder,
        shell: true,
        encoding: "utf8",
      });
      expect(status, `tierwise ${command}\n${stderr}`).toBe(0);
    }
  });
});
