/** The lab in a real browser: a model trained there has the bytes of the command line's, and nothing leaves the page. */
import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import * as arrow from "apache-arrow";
import * as parquet from "parquet-wasm";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chromiumFor } from "./chromium.ts";
import { folder, root, succeed, tierwise } from "./cli.ts";

const csv = readFileSync(join(root, "README.md"), "utf8").match(/```csv rolls.csv\n([^`]*)```/)![1]!;
const lunch = readFileSync(join(root, "examples/ballots/lunch.orders"), "utf8");

/** The table of the README with columns of other types: numbers, words with missing values, a date. */
const table = (() => {
  const [, ...lines] = csv.trim().split("\n");
  const cells = lines.map((line) => line.split(","));
  const column = (c: number) => cells.map((row) => row[c]!);
  const numbers = (c: number) => column(c).map(Number);
  return new arrow.Table({
    person: arrow.vectorFromArray(column(0), new arrow.Dictionary(new arrow.Utf8(), new arrow.Int32())),
    bakery: arrow.vectorFromArray(column(1), new arrow.Utf8()),
    rating: arrow.vectorFromArray(numbers(2), new arrow.Int32()),
    price: arrow.vectorFromArray(numbers(3), new arrow.Float64()),
    crust: arrow.vectorFromArray(numbers(4), new arrow.Float32()),
    flour: arrow.vectorFromArray(
      cells.map((_, i) => [null, "rye", "wheat"][i % 3]!),
      new arrow.Utf8(),
    ),
    baked: arrow.vectorFromArray(
      cells.map((_, i) => new Date(Date.UTC(2026, 4, 1 + ((i * 7) % 5)))),
      new arrow.DateDay(),
    ),
  });
})();
const columnar = {
  "rolls.arrow": arrow.tableToIPC(table, "file"),
  "rolls.parquet": parquet.writeParquet(
    parquet.Table.fromIPCStream(arrow.tableToIPC(table, "stream")),
    new parquet.WriterPropertiesBuilder().setCompression(parquet.Compression.ZSTD).setMaxRowGroupSize(5).build(),
  ),
};

it("is written as static files, into a folder that can be written", async () => {
  const cwd = folder({ file: "" });
  const { out } = JSON.parse(await succeed(["lab", "--out", "there/lab", "--json"], { cwd }));
  expect(out).toBe("there/lab");
  expect(readFileSync(join(cwd, "there/lab/index.html"), "utf8")).toContain("connect-src 'none'");
  expect((await tierwise(["lab", "--out", "file"], { cwd })).err).toMatch(/^tierwise: --out file: .+\n$/);
  expect((await tierwise(["lab", "--out", ""], { cwd })).code).toBe(2);
});

const installed = chromiumFor("the lab in a browser");
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

describe.skipIf(!installed)("in Chromium", () => {
  const cwd = folder({ "rolls.csv": csv, "lunch.orders": lunch });
  for (const [name, bytes] of Object.entries(columnar)) writeFileSync(join(cwd, name), bytes);
  let server: Server;
  let browser: Browser;
  let isolated = true;
  const trouble: string[] = [];

  beforeAll(async () => {
    await succeed(["lab", "--out", "lab", "--quiet"], { cwd });
    const { LAB_HEADERS } = (await import(join(root, "dist/src/server/lab-server.js"))) as {
      LAB_HEADERS: Record<string, string>;
    };
    const types: Record<string, string> = { html: "text/html", js: "text/javascript", css: "text/css", svg: "image/svg+xml" };
    server = createServer(({ url = "/" }, answer) => {
      const name = url === "/" ? "index.html" : url.slice(1);
      const { "cross-origin-embedder-policy": _, "cross-origin-opener-policy": __, ...rest } = LAB_HEADERS;
      answer
        .writeHead(200, { "content-type": types[name.split(".").pop()!]!, ...(isolated ? LAB_HEADERS : rest) })
        .end(readFileSync(join(cwd, "lab", name)));
    }).listen(0, "127.0.0.1");
    browser = await chromium.launch({ executablePath: installed!, args: ["--no-sandbox"] });
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  async function open(options = {}): Promise<Page> {
    const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })).newPage();
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    page.on("console", (message) => trouble.push(message.text()));
    page.on("pageerror", (error) => trouble.push(String(error)));
    page.on("request", (request) => {
      if (!request.url().startsWith(base) && !/^(blob|data):/.test(request.url())) trouble.push(request.url());
    });
    await page.goto(base);
    return page;
  }
  const drop = (page: Page, name: string, text: string | Uint8Array) =>
    page.getByLabel("Choose a file").setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
  async function modelOf(page: Page): Promise<string> {
    await page.getByRole("button", { name: "Train" }).click();
    const [saved] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download the model" }).click(),
    ]);
    return readFileSync(await saved.path(), "utf8");
  }
  async function check(page: Page): Promise<void> {
    const found = await page.evaluate(
      `${axe}; axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes[0].html))`,
    );
    expect(found).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
  }

  it.each([true, false])(
    "a model has the bytes of the command line's, with shared memory: %s",
    { timeout: 120_000 },
    async (shared) => {
      isolated = shared;
      const page = await open(shared ? {} : { viewport: { width: 380, height: 800 }, colorScheme: "dark" });
      await check(page);
      await drop(page, "rolls.csv", csv);
      await page.getByRole("alert").waitFor(); // the columns are called otherwise
      await page.getByLabel("List (who or what was asked)").selectOption("person");
      await page.getByLabel("Label (higher is better)").selectOption("rating");
      await page.getByLabel("Name of an item").selectOption("bakery");
      await page.getByText("rolls.csv: 13 rows").waitFor();
      expect(await page.getByText("no shared memory").count()).toBe(shared ? 0 : 1);
      for (const [model, objective] of [
        ["linear:l2=0.1", "pl-partition"],
        ["trees:rounds=5,min-items=2", "lambdarank"],
      ] as const) {
        // biome-ignore format: pairs
        await page.getByLabel("Model and options").fill(model);
        await page.getByLabel("Objective").selectOption(objective);
        const file = await modelOf(page);
        await succeed(["train", "rolls.csv", "--qid", "person", "--label", "rating", "--id", "bakery", "--model", model, "--objective", objective, "--out", "m.json", "--quiet"], { cwd }); // biome-ignore format: a command
        expect(file).toBe(readFileSync(join(cwd, "m.json"), "utf8"));
      }
      const before = await page.locator("#list").locator("xpath=../following-sibling::table//tbody/tr[1]/td[3]").textContent();
      await page.getByRole("slider").first().press("Home");
      await expect
        .poll(() => page.locator("#list").locator("xpath=../following-sibling::table//tbody//tr").allTextContents())
        .not.toContain(before);
      await check(page);
      expect(trouble).toEqual([]);
    },
  );

  it.each(Object.entries(columnar))(
    "a model from %s has the bytes of the command line's",
    { timeout: 120_000 },
    async (name, bytes) => {
      isolated = true;
      const page = await open();
      await drop(page, name, bytes.slice(0, bytes.length >> 1));
      await page
        .getByRole("alert")
        .filter({ hasText: `${name}: ` })
        .waitFor();
      await drop(page, name, bytes);
      await page.getByLabel("List (who or what was asked)").selectOption("person");
      await page.getByLabel("Label (higher is better)").selectOption("rating");
      await page.getByLabel("Name of an item").selectOption("bakery");
      await page.getByText(`${name}: 13 rows`).waitFor();
      await page.getByLabel("Model and options").fill("trees:rounds=5,min-items=2");
      const file = await modelOf(page);
      await succeed(["train", name, "--qid", "person", "--label", "rating", "--id", "bakery", "--model", "trees:rounds=5,min-items=2", "--objective", "pl-partition", "--out", "m.json", "--quiet"], { cwd }); // biome-ignore format: a command
      expect(file).toBe(readFileSync(join(cwd, "m.json"), "utf8"));
      expect(file).toContain("flour");
      await check(page);
      expect(trouble).toEqual([]);
    },
  );

  it("says which columns were taken, and what-if changes columns of words, dates and truth values", {
    timeout: 120_000,
  }, async () => {
    isolated = true;
    const page = await open();
    const brands = ["Sony", "Bosch", "Braun"];
    const lines = Array.from({ length: 60 }, (_, i) =>
      [i >> 2, (i * 7) % 3, `2024-03-${10 + ((i * 5) % 19)}`, i % 3 ? "yes" : "no", brands[(i * 5 + (i >> 3)) % 3], `text ${i}`, (i * 37) % 100].join(","),
    ); // biome-ignore format: cells
    await drop(page, "shop.csv", `Query,rating,listed,available,brand,note,price\n${lines.join("\n")}\n`);
    const taken = (label: string) => page.getByLabel(label).locator("option").first().textContent();
    await page.getByText("shop.csv: 60 rows").waitFor();
    expect(await taken("List (who or what was asked)")).toBe("Query (by its name)");
    expect(await taken("Label (higher is better)")).toBe("rating (by its name)");
    expect(await taken("Name of an item")).toBe("none");
    await page.getByText("“Read as categories” above").waitFor();
    expect(await page.locator("main").textContent()).not.toMatch(/--(?!model|objective|out)\w/);
    await modelOf(page);
    const control = (name: string) => page.locator(".slider").getByLabel(name, { exact: true });
    expect(await control("brand").locator("option").allTextContents()).toEqual(["Bosch", "Braun", "Sony", "another or missing"]);
    expect(await page.getByRole("slider").count()).toBe(1); // price
    expect(await control("listed").inputValue()).toBe("2024-03-10");
    const score = () => page.locator("tr.chosen td").nth(2).textContent();
    let before = await score();
    for (const change of [
      () => control("brand").selectOption("Braun"),
      () => control("listed").fill("2024-03-22"),
      () => control("available").selectOption("yes"),
    ]) {
      await change();
      await expect.poll(score).not.toBe(before);
      before = await score();
    }
    expect(await control("listed").inputValue()).toBe("2024-03-22");
    const weights = await page.locator(".scroll tbody td.number").allTextContents();
    expect(weights.length).toBeGreaterThan(3);
    expect(new Set(weights.map((text) => text.split(".")[1]!.length)).size).toBe(1);
    await check(page);
    await page.setViewportSize({ width: 380, height: 800 });
    for (const name of ["brand", "listed", "available"])
      expect([name, (await control(name).boundingBox())!.width > 250]).toEqual([name, true]);
    await check(page);
    await page.getByText("Read as categories", { exact: true }).click();
    await page.locator("details[open]").getByLabel("note").check();
    await page.getByText("shop.csv: 60 rows").waitFor();
    await page.getByText("“Read as categories” above").waitFor({ state: "detached" });
    await check(page);
    expect(trouble).toEqual([]);
  });

  it("ballots become a leaderboard, and a training can be stopped", { timeout: 120_000 }, async () => {
    isolated = true;
    const page = await open();
    await drop(page, "lunch.orders", lunch);
    await page.getByText("lunch.orders: 30 ballots").waitFor();
    const file = await modelOf(page);
    await succeed(
      ["train", "lunch.orders", "--model", "utilities:ghost=0.5", "--objective", "pl-partition", "--out", "b.json", "--quiet"],
      { cwd },
    );
    expect(file).toBe(readFileSync(join(cwd, "b.json"), "utf8"));
    await drop(
      page,
      "rows.svm",
      Array.from({ length: 3000 }, (_, i) => `${i % 3} qid:${i >> 3} 1:${(i * 7) % 11} 2:${(i * 5) % 13}\n`).join(""),
    );
    await page.getByText("rows.svm: 3,000 rows").waitFor();
    await page.getByLabel("Model and options").fill("trees:rounds=100000,leaves=64");
    await page.getByRole("button", { name: "Train" }).click();
    await page.getByText("Training: round").waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByRole("button", { name: "Train" }).waitFor();
    expect(trouble).toEqual([]);
  });
});
