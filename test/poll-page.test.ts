/** The page of polls in a real browser: created, voted on with mouse, finger and keys, and shown as the library computes it. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ballots, fit, isUtilities, plPartition, utilities } from "../src/index.ts";
import { chromiumFor } from "./chromium.ts";
import { LUNCH, newPoll, pollServer, type TestServer, vote } from "./poll-server.ts";

const installed = chromiumFor("polls in a browser");
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const TIERS = LUNCH.tiers;
const ITEMS = ["Noodles", "Curry", "Salad", "<b>Soup</b>"];

describe.skipIf(!installed)("in Chromium", () => {
  let server: TestServer;
  let browser: Browser;
  let base: string;
  const trouble: string[] = []; // lines of the console and requests to elsewhere

  beforeAll(async () => {
    server = await pollServer();
    await server.app.listen({ host: "127.0.0.1", port: 0 });
    base = `http://127.0.0.1:${(server.app.server.address() as AddressInfo).port}`;
    browser = await chromium.launch({ executablePath: installed!, args: ["--no-sandbox"] });
  });
  afterAll(async () => {
    await browser?.close();
    await server?.app.close();
  });

  async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    const page = await context.newPage();
    page.on("console", (message) => trouble.push(message.text()));
    page.on("pageerror", (error) => trouble.push(String(error)));
    page.on("request", (request) => {
      if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(base)) trouble.push(request.url());
    });
    await page.goto(`${base}${path}`);
    return page;
  }

  /** Accessibility: names, roles, contrast, and that nothing is wider than the window. */
  async function check(page: Page): Promise<void> {
    const found = (await page.evaluate(
      `${axe}; axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes[0].html))`,
    )) as string[];
    expect(found).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
  }

  const item = (page: Page, name: string) => page.getByRole("button", { name: `${name}, ` });
  const tier = (page: Page, t: number) => page.locator(`section[data-tier="${t}"]`);

  async function drag(page: Page, name: string, t: number): Promise<void> {
    const [from, to] = [(await item(page, name).boundingBox())!, (await tier(page, t).boundingBox())!];
    await page.mouse.move(from.x + 10, from.y + 10);
    await page.mouse.down();
    await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 4 });
    await page.mouse.up();
  }

  /** A finger that rests on an item, moves to a tier and leaves. */
  async function touchDrag(page: Page, name: string, t: number): Promise<void> {
    const [from, to] = [(await item(page, name).boundingBox())!, (await tier(page, t).boundingBox())!];
    const session = await page.context().newCDPSession(page);
    const touch = (type: string, points: { x: number; y: number }[]) =>
      session.send("Input.dispatchTouchEvent", { type: type as "touchStart", touchPoints: points });
    await touch("touchStart", [{ x: from.x + 10, y: from.y + 10 }]);
    await page.waitForTimeout(300);
    for (const share of [0.3, 0.7, 1])
      await touch("touchMove", [
        {
          x: from.x + 10 + share * (to.x + to.width / 2 - from.x - 10),
          y: from.y + 10 + share * (to.y + to.height / 2 - from.y - 10),
        },
      ]);
    await touch("touchEnd", []);
  }

  const submit = async (page: Page) => {
    await page.getByRole("button", { name: "Submit ballot" }).click();
    await page.getByText("Your ballot is saved").waitFor();
  };
  const rows = (page: Page) =>
    page
      .locator(".ranks tbody tr")
      .evaluateAll((found) => found.map((row) => [...row.querySelectorAll("td")].map((cell) => cell.textContent)));

  it("a poll is made, three people vote in three ways, and all see the same results", { timeout: 120_000 }, async () => {
    const creator = await open("/");
    await check(creator);
    await creator.getByLabel("Question").fill("Lunch & <i>more</i>?");
    await creator.getByLabel("Items, one on each line").fill(ITEMS.join("\n"));
    await creator.getByText("Pictures and colors of items").click();
    const png = Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
      "base64",
    );
    await creator.getByLabel("Picture of Noodles").setInputFiles({ name: "n.png", mimeType: "image/png", buffer: png });
    await creator.getByText("Remove the picture of Noodles").waitFor();
    await check(creator);
    await creator.getByRole("button", { name: "Create poll" }).click();
    await creator.getByRole("heading", { name: "Your poll is ready" }).waitFor();
    await check(creator);
    const path = (await creator.getByRole("link", { name: "Open the poll" }).getAttribute("href"))!;
    const adminLink = (await creator.locator(".link").last().textContent())!;

    const viewer = await open(`${path}/results`, { viewport: { width: 380, height: 800 }, colorScheme: "dark" });
    await viewer.getByText("No ballots yet").waitFor();
    await check(viewer);

    // By mouse: S Noodles, A Curry, the rest unranked; then Curry moves up to the same tier.
    const mouse = await open(path);
    await item(mouse, "Noodles").waitFor();
    expect(await mouse.context().cookies()).toEqual([]); // none before a vote
    await drag(mouse, "Noodles", 0);
    await drag(mouse, "Curry", 1);
    await check(mouse);
    await submit(mouse);
    expect(await mouse.context().cookies()).toHaveLength(1);
    await viewer.getByText("1 ballot, voting is open").waitFor(); // by itself
    await drag(mouse, "Curry", 0);
    await mouse.getByText("Changed, not saved yet.").waitFor();
    await mouse.getByRole("button", { name: "Update ballot" }).click();
    await mouse.getByText("Your ballot is saved").waitFor();
    await mouse.reload();
    await mouse.getByRole("button", { name: "Curry, tier S" }).waitFor();

    // By finger, dragging and tapping: S Curry, B Soup, C Noodles.
    const finger = await open(path, {
      viewport: { width: 380, height: 1000 },
      hasTouch: true,
      isMobile: true,
      colorScheme: "dark",
    });
    await item(finger, "Curry").waitFor();
    await touchDrag(finger, "Curry", 0);
    await finger.getByRole("button", { name: "Curry, tier S" }).waitFor();
    await item(finger, "<b>Soup</b>").tap();
    await finger.getByRole("button", { name: "Place here: <b>Soup</b> in tier B" }).tap();
    await item(finger, "Noodles").tap();
    await finger.getByRole("button", { name: "Place here: Noodles in tier C" }).tap();
    await check(finger);
    await submit(finger);

    // By keys alone: Noodles 1, Salad 2 and down, Curry up from the end.
    const keys = await open(path, { colorScheme: "dark" });
    await item(keys, "Noodles").waitFor();
    const reach = async (name: string) => {
      for (let k = 0; k < 30; k++) {
        const focused = "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent";
        if (String(await keys.evaluate(focused)).startsWith(name)) return;
        await keys.keyboard.press("Tab");
      }
      throw new Error(`no way to ${name} by Tab`);
    };
    await reach("Noodles");
    await keys.keyboard.press("1");
    await keys.getByText("Noodles: moved to tier S, 1 of 6.").waitFor();
    await reach("Curry");
    await keys.keyboard.press("ArrowRight");
    await keys.keyboard.press("2");
    await keys.keyboard.press("ArrowDown");
    await keys.getByText("Salad: moved to tier B, 3 of 6.").waitFor();
    await reach("Curry");
    await keys.keyboard.press("ArrowUp");
    await keys.getByText("Curry: moved to tier F, 6 of 6.").waitFor();
    await check(keys);
    await reach("Submit ballot");
    await keys.keyboard.press("Enter");
    await keys.getByText("Your ballot is saved").waitFor();

    await viewer.getByText("3 ballots, voting is open").waitFor();
    await check(viewer);
    const wanted = expected([
      [["Noodles", "Curry"]],
      [["Curry"], ["<b>Soup</b>"], ["Noodles"]],
      [["Noodles"], ["Salad"], ["Curry"]],
    ]);
    const wide = await open(`${path}/results`);
    await wide.getByText("3 ballots, voting is open").waitFor();
    await check(wide);
    expect((await rows(wide)).map(([rank, name, , , first, best, against]) => [rank, name, first, best, against])).toEqual(
      wanted.rows(0),
    );
    await wide.getByRole("button", { name: "Salad: compare" }).focus();
    const place = wanted.order.indexOf("Salad");
    await expect
      .poll(async () => (await rows(wide)).map((cells) => cells[6]))
      .toEqual(wanted.rows(place).map((cells) => cells[4]));

    const admin = await open(new URL(adminLink).pathname + new URL(adminLink).hash);
    await admin.getByRole("button", { name: "End voting" }).click();
    await admin.getByText("3 ballots, voting has ended").waitFor();
    await check(admin);
    const [saved] = await Promise.all([admin.waitForEvent("download"), admin.getByRole("button", { name: "PrefLib" }).click()]);
    expect(readFileSync(await saved.path(), "utf8")).toContain("# NUMBER VOTERS: 3");
    await mouse.reload();
    await mouse.getByText("Voting has ended.").waitFor();
    await check(mouse);
    expect(trouble).toEqual([]);
  });

  it.each([
    ["a finger at 380 pixels", { viewport: { width: 380, height: 800 }, hasTouch: true, isMobile: true }],
    ["the mouse at 1280 pixels", { viewport: { width: 1280, height: 800 } }],
  ])("an item that is selected goes to the tier whose letter or empty row is pressed, by %s", async (_, options) => {
    const created = await newPoll(server);
    const page = await open(`/p/${created.poll}`, options);
    const press = async (x: number, y: number) =>
      "hasTouch" in options ? await page.touchscreen.tap(x, y) : await page.mouse.click(x, y);
    const pressItem = async (name: string) => {
      const box = (await item(page, name).boundingBox())!;
      await press(box.x + box.width / 2, box.y + box.height / 2);
    };
    const at = async (t: number, share: number) => {
      const box = (await tier(page, t).boundingBox())!;
      return [box.x + share * box.width, box.y + box.height - 5] as const;
    };
    const placed = (name: string, where: string) =>
      page.getByRole("button", { name: `${name}, ${where}`, exact: true }).waitFor();
    await item(page, "noodles").waitFor();
    await press(...(await at(0, 0.03))); // nothing is selected
    await placed("noodles", "unranked");
    await pressItem("noodles");
    await press(...(await at(0, 0.03))); // the letter
    await placed("noodles", "tier S");
    await pressItem("curry");
    await press(...(await at(1, 0.97))); // the empty part
    await placed("curry", "tier A");
    await pressItem("curry");
    await press(...(await at(0, 0.97))); // beside another item
    await placed("curry", "tier S");
    await pressItem("curry");
    await pressItem("noodles"); // another item selects that one instead
    await press(...(await at(2, 0.03)));
    await placed("noodles", "tier B");
    await placed("curry", "tier S");
    await press(...(await at(1, 0.5))); // nothing is selected any more
    await pressItem("noodles");
    const heading = (await page.getByRole("heading", { name: "Not ranked yet" }).boundingBox())!;
    await press(heading.x + heading.width / 2, heading.y + heading.height / 2);
    await placed("noodles", "unranked");
    await placed("salad", "unranked");
    await page.getByText("1 of 4 items placed. 3 stay unranked.").waitFor();
    await check(page);
    expect(trouble).toEqual([]);
  });

  it.each([380, 1280])(
    "nothing covers the unranked items at %d pixels, and the copy of a dragged item looks like it",
    async (width) => {
      const created = await newPoll(server, {
        tiers: [...TIERS, ...TIERS].map((one, t) => ({ ...one, name: `${one.name}${t}` })),
      });
      const page = await open(`/p/${created.poll}`, { viewport: { width, height: 800 } });
      for (const name of ["noodles", "curry", "salad", "soup"]) {
        const box = (await item(page, name).boundingBox())!;
        expect([name, box.y + box.height <= 800]).toEqual([name, true]);
        for (const y of [box.y + 2, box.y + box.height - 2]) {
          const at = `document.elementFromPoint(${box.x + box.width / 2}, ${y}).closest("button").textContent`;
          expect(await page.evaluate(at)).toBe(name);
        }
      }
      const box = (await item(page, "curry").boundingBox())!;
      await page.mouse.move(box.x + 10, box.y + 10);
      await page.mouse.down();
      await page.mouse.move(box.x + 60, box.y - 40, { steps: 3 });
      const looks = (selector: string) =>
        page.evaluate(
          `(() => { const one = document.querySelector("${selector}"), style = getComputedStyle(one), text = one.querySelector("bdi").getBoundingClientRect(), box = one.getBoundingClientRect(); return [style.fontWeight, style.fontSize, Math.round(box.height), Math.round(text.top - box.top)]; })()`,
        );
      expect(await looks(".floating")).toEqual(await looks("[data-item='1']"));
      await page.mouse.up();
      expect(trouble).toEqual([]);
    },
  );

  it("groups of voters and treatments of ties are shown when there are enough ballots", { timeout: 120_000 }, async () => {
    const created = await server.app.inject({ method: "POST", url: "/api/polls", payload: { title: "Split", tiers: ["S", "A", "B"].map((name) => ({ name, color: "#ffe066" })), items: ["a", "b", "c", "d", "e"].map((name) => ({ name, color: "#3b6ea8" })) } }); // biome-ignore format: a request
    const { poll } = created.json();
    for (let k = 0; k < 24; k++)
      await vote(server, poll, k % 2 === 0 ? [[k % 4 === 0 ? 0 : 1], [2], [3, 4]] : [[4, 3], [2], [k % 4 === 1 ? 0 : 1]]);
    const page = await open(`/p/${poll}/results`);
    await page.getByText("Group 2: 50 % of voters").waitFor({ timeout: 100_000 });
    await page.getByText("a tier is an unknown order").waitFor();
    await check(page);
    expect(trouble).toEqual([]);
  });
});

/** What the page must show, from a fit by the library. */
function expected(given: string[][][]) {
  const { model } = fit(ballots(given, { items: ITEMS }), { model: utilities({ ghost: 0.5 }), objective: plPartition() });
  if (!isUtilities(model)) throw new Error("no utilities");
  const { utilities: values, uncertainty } = model.fit;
  const percent = (share: number) => (share > 0.999 ? "> 99.9 %" : share < 0.001 ? "< 0.1 %" : `${(100 * share).toFixed(1)} %`);
  const places = ITEMS.map((_, i) => i).sort((a, b) => values[b]! - values[a]!);
  const rows = (active: number) =>
    places.map((i, place) => {
      const [low, high] = [uncertainty!.ranks.low[i], uncertainty!.ranks.high[i]];
      const win = 1 / (1 + Math.exp(values[i]! - values[places[active]!]!));
      const rank = low === high ? `${low}` : `${low}–${high}`;
      return [
        rank,
        ITEMS[i],
        percent(model.worths[i]!),
        percent(uncertainty!.first[i]!),
        place === active ? "–" : expect.stringMatching(`^${percent(win)}, `),
      ];
    });
  return { rows, order: places.map((i) => ITEMS[i]!) };
}
