/** Reports on the command line, and what a browser makes of them, where one is installed. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DARK, LIGHT } from "../src/report/theme.ts";
import { chromiumFor } from "./chromium.ts";
import { folder, searchFolder, succeed, svmlight, tierwise } from "./cli.ts";
import { complaints, contrast } from "./page.ts";
import { sharedFile } from "./shared.ts";

const cwd = searchFolder();
const text = (name: string) => readFileSync(join(cwd, name), "utf8");
const quick = ["--model", "trees:rounds=12,leaves=6", "--objective", "lambdarank", "--quiet"];

beforeAll(async () => {
  await succeed(["train", "train.txt.gz", "--valid", "test.txt.gz", ...quick, "--out", "m.json", "--history", "h.json", "--report", "trained.html"], { cwd }); // biome-ignore format: one command
  await succeed(["train", "train.txt.gz", "--model", "linear:l2=5", "--quiet", "--out", "l.json"], { cwd });
  await succeed(["report", "m.json", "test.txt.gz", "--train", "train.txt.gz", "--against", "l.json", "--history", "h.json", "-o", "r.html", "--quiet"], { cwd }); // biome-ignore format: one command
});

describe("train --report", () => {
  it("writes a page without fault that tells the exact command", () => {
    expect(complaints(text("trained.html"))).toEqual([]);
    expect(text("trained.html")).toContain(
      "tierwise train train.txt.gz --model trees:rounds=12,leaves=6,learning-rate=0.05,l2=10,list-fraction=0.5,feature-fraction=0.5 --objective lambdarank --metrics ndcg@10 --seed 1 --valid test.txt.gz --out m.json --report trained.html",
    );
    expect(text("trained.html")).toContain("the round that was kept is the best on these lists");
  });

  it("leaves the model file as it is without, free of times and histories", async () => {
    await succeed(["train", "train.txt.gz", "--valid", "test.txt.gz", ...quick, "--out", "plain.json"], { cwd });
    expect(text("plain.json")).toBe(text("m.json"));
  });

  it("keeps the history of every round beside it", () => {
    const { rounds } = JSON.parse(text("h.json"));
    expect(rounds).toHaveLength(12);
    expect(rounds[0]).toMatchObject({ round: 1, metrics: { "ndcg@10": expect.any(Number) } });
  });

  it("without validation data says that training data flatter", async () => {
    const where = { cwd: folder({ "t.txt": svmlight(10) }) };
    await succeed(["train", "t.txt", "--quiet", "--report", "t.html"], where);
    const page = readFileSync(join(where.cwd, "t.html"), "utf8");
    expect(complaints(page)).toEqual([]);
    expect(page).toContain("these are the training lists themselves");
  });
});

describe("report", () => {
  it("writes a page without fault about a model file", () => {
    expect(complaints(text("r.html"))).toEqual([]);
    expect(text("r.html")).toContain(
      "tierwise report m.json test.txt.gz --train train.txt.gz --against l.json --history h.json --out r.html",
    );
    expect(text("r.html")).toContain("--valid VALIDATION-DATA");
  });

  it("refuses what it cannot do before it reads the data", async () => {
    const refused = async (...words: string[]) => (await tierwise(["report", ...words], { cwd })).err;
    expect(await refused("m.json", "--against", "l.json")).toBe(
      "tierwise: --against compares models on data, but no data files are given\n",
    );
    expect(await refused("m.json", "test.txt.gz", "--history", "m.json")).toBe("tierwise: m.json: not a history written by train --history: wrong format\n"); // biome-ignore format: one message
    expect(await refused("m.json", "test.txt.gz", "--history", "none.json")).toBe("tierwise: none.json: the history cannot be read (ENOENT)\n"); // biome-ignore format: one message
    expect(await refused("m.json", "test.txt.gz", "-o", "no/where.html")).toMatch(
      "no/where.html: cannot be written: no such folder:",
    );
    expect(await refused("m.json", "no.txt")).toMatch("no.txt: there is no such file");
  });

  it("says where it wrote, also as JSON", async () => {
    expect(await succeed(["report", "m.json", "-o", "bare.html", "--quiet"], { cwd })).toBe("The report is in bare.html.\n");
    expect(JSON.parse(await succeed(["report", "m.json", "-o", "bare.html", "--quiet", "--json"], { cwd }))).toEqual({
      out: "bare.html",
    });
  });
});

const mq2008 = (part: number) => sharedFile(`data/mq2008/S${part}.txt.gz`);
describe.runIf(existsSync(mq2008(1)))("the report on MQ2008", () => {
  it("is smaller than 1.5 MB", async () => {
    await succeed(["train", mq2008(1), mq2008(2), mq2008(3), "--valid", mq2008(4), ...quick, "--out", "mq.json"], { cwd });
    await succeed(["report", "mq.json", mq2008(5), "--train", mq2008(1), mq2008(2), mq2008(3), "-o", "mq.html", "--quiet"], {
      cwd,
    });
    expect(statSync(join(cwd, "mq.html")).size).toBeLessThan(1_500_000);
    expect(complaints(text("mq.html"))).toEqual([]);
  });
});

const installed = chromiumFor("reports in a browser");

describe.runIf(installed)("in Chromium", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: installed!, args: ["--no-sandbox"] });
  });
  afterAll(() => browser?.close());

  /** The page in a window of that width, and all that it complained of or asked for. */
  async function opened(name: string, width: number, colorScheme: "light" | "dark") {
    const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme });
    const page = await context.newPage();
    const heard: string[] = [];
    page.on("console", (message) => void heard.push(message.text()));
    page.on("pageerror", (error) => void heard.push(error.message));
    page.on("request", (request) => void (/^(file|data):/.test(request.url()) || heard.push(request.url())));
    await page.goto(pathToFileURL(join(cwd, name)).href);
    return { page, heard };
  }

  const pages = ["trained.html", "r.html"];
  it.each(
    pages.flatMap((name) =>
      (["light", "dark"] as const).flatMap((scheme) => [380, 1100].map((width) => [name, scheme, width] as const)),
    ),
  )("%s in %s at %i pixels: no complaint, nothing too wide, every plot visible", async (name, scheme, width) => {
    const { page, heard } = await opened(name, width, scheme);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
    const plots = (await page.evaluate(
      `[...document.querySelectorAll("svg")].map((svg) => {
          const { width, height, left, right } = svg.getBoundingClientRect();
          const shapes = [...svg.querySelectorAll("path,rect,circle,line")].filter((one) => one.getBoundingClientRect().width + one.getBoundingClientRect().height > 0);
          return { width, height, left, right, shapes: shapes.length, ink: getComputedStyle(svg).color };
        })`,
    )) as { width: number; height: number; left: number; right: number; shapes: number; ink: string }[];
    expect(plots.length).toBeGreaterThan(8);
    const { page: ground } = scheme === "dark" ? DARK : LIGHT;
    expect(hex(await page.evaluate("getComputedStyle(document.body).backgroundColor"))).toBe(ground);
    for (const plot of plots) {
      expect(plot.width).toBeGreaterThan(200);
      expect(plot.height).toBeGreaterThan(60);
      expect(plot.left).toBeGreaterThanOrEqual(0);
      expect(plot.right).toBeLessThanOrEqual(width);
      expect(plot.shapes).toBeGreaterThan(3);
      expect(contrast(hex(plot.ink), ground)).toBeGreaterThan(7);
    }
    expect(heard).toEqual([]);
    await page.context().close();
  });

  it("the button turns the colours, whatever the system prefers", async () => {
    const { page, heard } = await opened("r.html", 900, "dark");
    await page.click("button.theme");
    expect(hex(await page.evaluate("getComputedStyle(document.body).backgroundColor"))).toBe(LIGHT.page);
    expect(await page.textContent("button.theme")).toBe("Dark");
    expect(heard).toEqual([]);
    await page.context().close();
  });

  it("on paper it is light, without what only a screen can use", async () => {
    const { page } = await opened("r.html", 900, "dark");
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    expect(hex(await page.evaluate("getComputedStyle(document.body).backgroundColor"))).toBe(LIGHT.page);
    expect(await page.evaluate('getComputedStyle(document.querySelector("nav")).display')).toBe("none");
    expect((await page.pdf()).length).toBeGreaterThan(10_000);
    await page.context().close();
  });
});

/** "rgb(1, 2, 3)" as "#010203". */
const hex = (colour: unknown) =>
  `#${[...String(colour).matchAll(/\d+/g)].slice(0, 3).map(([one]) => Number(one).toString(16).padStart(2, "0")).join("")}`; // biome-ignore format: one line
