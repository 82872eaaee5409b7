/** In a browser: the names that need nothing of Node, and models of the same bits. */
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type * as Library from "../src/browser.ts";
import { chromiumFor } from "./chromium.ts";
import { root } from "./cli.ts";
import { importsOf } from "./layers.ts";

it("nothing behind the names for browsers asks for Node or a package", () => {
  const seen = new Set<string>();
  const outside: string[] = [];
  const walk = (path: string): void => {
    if (seen.has(path)) return;
    seen.add(path);
    for (const { target, typesOnly } of importsOf(path, readFileSync(join(root, path), "utf8"))) {
      if (typesOnly) continue;
      if (target.startsWith(".")) walk(new URL(target, `file:///${path}`).pathname.slice(1));
      else outside.push(`${path}: ${target}`);
    }
  };
  walk("src/browser.ts");
  expect(seen.size).toBeGreaterThan(100);
  expect(outside).toEqual([]);
});

const content = gunzipSync(readFileSync(join(root, "examples/search/train.txt.gz"))).toString();
const groups = readFileSync(join(root, "examples/search/train.txt.query"), "utf8");
const example = { name: "train.svm", content, groups };
const cases: readonly (readonly [model: string, objective: string])[] = [
  ["linear", "pl-partition"],
  ["linear", "ranknet"],
  ["trees:rounds=10", "pl-partition"],
  ["trees:rounds=10", "lambdarank"],
  ["trees:rounds=5", "plrank"],
  ["mlp:hidden=16,epochs=3", "pl-partition"],
];

/** Trains and gives model files. Runs here and in the page, so it may use nothing but its arguments. */
function models(library: typeof Library, file: Library.MemoryFile, wanted: typeof cases): string[] {
  const { data } = library.parseData([file]);
  return wanted.map(([model, objective]) => {
    const fitted = library.fit(data, { model: library.learner(model), objective: library.objective(objective), seed: 1 });
    return library.serializeModel({ model: fitted.model, training: { model, objective }, metrics: {} });
  });
}

const installed = chromiumFor("training in a browser");

describe.skipIf(!installed)("in Chromium", () => {
  let browser: Browser;
  let server: Server;
  const isolated = { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" };

  beforeAll(async () => {
    server = createServer(({ url = "/" }, answer) => {
      if (url.endsWith(".html")) {
        const shared = url === "/shared.html";
        answer.writeHead(200, { "Content-Type": "text/html", ...(shared && isolated) }).end("<!doctype html><title>page</title>");
      } else if (url.endsWith(".js"))
        answer
          .writeHead(200, { "Content-Type": "text/javascript", ...isolated })
          .end(readFileSync(join(root, "dist", new URL(url, "http://page").pathname)));
      else answer.writeHead(404).end();
    }).listen(0, "127.0.0.1");
    browser = await chromium.launch({ executablePath: installed!, args: ["--no-sandbox"] });
  });
  afterAll(async () => {
    await browser?.close();
    server.close();
  });

  async function inPage(name: string): Promise<{ shared: boolean; files: string[] }> {
    const page = await browser.newPage();
    try {
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/${name}`);
      const script = `import("/src/browser.js").then((library) => ({
        shared: typeof SharedArrayBuffer === "function",
        files: (${models})(library, ${JSON.stringify(example)}, ${JSON.stringify(cases)}),
      }))`;
      return await page.evaluate(script);
    } finally {
      await page.close();
    }
  }

  it("models have the bytes that they have in Node", async () => {
    const library = (await import(join(root, "dist/src/browser.js"))) as typeof Library;
    const { shared, files } = await inPage("shared.html");
    expect(shared).toBe(true);
    expect(files).toEqual(models(library, example, cases));
  }, 120_000);

  it("a page without shared memory trains too", async () => {
    const { shared, files } = await inPage("alone.html");
    expect(shared).toBe(false);
    for (const file of files) expect(JSON.parse(file).format).toBe("tierwise model");
  }, 120_000);
});
