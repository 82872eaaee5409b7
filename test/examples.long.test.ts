/** Every example is short, runs from dist/examples as a user would run it, and prints what the comment at its end says. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { describe, expect, it } from "vitest";
import { chromiumFor } from "./chromium.ts";
import { root } from "./cli.ts";

const MODULE = "-module.ts"; // what an example imports prints nothing
const START = "start.ts"; // `npm start`, which other tests run
const folder = join(root, "examples");
const examples = readdirSync(folder).filter((name) => name.endsWith(".ts") && name !== START);
const page = readFileSync(join(folder, "browser/index.html"), "utf8");

/** The lines of the last comment, which begins with "Prints:". */
function promised(text: string): string[] {
  const [, lines] = /^\/\/ Prints:\n((?:\/\/.*\n)+)$/m.exec(text) ?? [];
  return (lines ?? "").split("\n").slice(0, -1).map((line) => line.replace(/^\/\/ ?/, "")); // biome-ignore format: a chain
}

describe.each(examples)("%s", (name) => {
  const text = readFileSync(join(folder, name), "utf8");

  it("has at most 60 lines, begins with what it shows, and is listed", () => {
    expect(text.split("\n").length - 1).toBeLessThanOrEqual(60);
    expect(text).toMatch(/^\/\*\* [A-Z].*\. ?.*\*\/\n/);
    expect(readFileSync(join(folder, "README.md"), "utf8")).toContain(`(${name})`);
  });

  it.skipIf(name.endsWith(MODULE))(
    "prints what it says",
    () => {
      const wanted = promised(text);
      expect(wanted.length, "the last comment lists what is printed").toBeGreaterThan(0);
      const file = join(root, "dist/examples", name.replace(/\.ts$/, ".js"));
      const { status, stdout, stderr } = spawnSync(process.execPath, [file], { encoding: "utf8" });
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
      expect(stdout.trimEnd().split("\n")).toEqual(wanted);
    },
    120_000,
  );
});

describe("browser/index.html", () => {
  it("has at most 60 lines and is listed", () => {
    expect(page.split("\n").length - 1).toBeLessThanOrEqual(60);
    expect(readFileSync(join(folder, "README.md"), "utf8")).toContain("(browser/index.html)");
  });

  const executablePath = chromiumFor("the example in a browser");
  it.skipIf(!executablePath)(
    "shows what it says, and an error in one line",
    async () => {
      const [, lines] = /<!-- Shows:\n([\s\S]*?)\n-->\n$/.exec(page)!;
      const server = createServer(({ url = "/" }, answer) => {
        if (url === "/") return answer.writeHead(200, { "Content-Type": "text/html" }).end(page);
        const file = /^\/node_modules\/tierwise\/(dist\/src\/[\w/.-]+\.js)$/.exec(url)?.[1];
        if (!file) return answer.writeHead(404).end();
        return answer.writeHead(200, { "Content-Type": "text/javascript" }).end(readFileSync(join(root, file)));
      }).listen(0, "127.0.0.1");
      const browser = await chromium.launch({ executablePath: executablePath!, args: ["--no-sandbox"] });
      try {
        const tab = await browser.newPage();
        await tab.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
        await tab.waitForSelector("#ranking li");
        const shown = () => tab.locator("#ranking li").allTextContents();
        expect(await shown()).toEqual(lines!.split("\n"));
        await tab.fill("#lists", "");
        expect(await shown()).toHaveLength(1);
      } finally {
        await browser.close();
        server.close();
      }
    },
    120_000,
  );
});
