/** What any page of a report must keep, read through jsdom: structure, words for pictures, and that it needs nothing from elsewhere. */
// @ts-expect-error Its types would make those of a browser known to the whole program.
import * as dom from "jsdom";

/** As much of a document as is asked here. */
export interface Element {
  readonly tagName: string;
  readonly textContent: string;
  readonly outerHTML: string;
  getAttribute(name: string): string | null;
  querySelector(selector: string): Element | null;
  querySelectorAll(selector: string): Iterable<Element>;
  closest(selector: string): Element | null;
  click(): void;
}

export interface Document extends Element {
  readonly documentElement: Element & { dataset: Record<string, string> };
}

/** The page with its scripts run. What they throw is thrown here. */
export function open(html: string): Document {
  const { JSDOM, VirtualConsole } = dom as {
    JSDOM: new (html: string, options: object) => { window: { document: Document } };
    VirtualConsole: new () => { on(event: string, heard: (error: Error) => void): void };
  };
  const virtualConsole = new VirtualConsole();
  const errors: Error[] = [];
  virtualConsole.on("jsdomError", (error) => errors.push(error));
  const beforeParse = (window: Record<string, unknown>) => {
    window.matchMedia = () => ({ matches: false, addEventListener() {} }); // jsdom has none
  };
  const { document } = new JSDOM(html, { runScripts: "dangerously", virtualConsole, beforeParse }).window;
  if (errors[0]) throw errors[0];
  return document;
}

/** What is wrong with a page, a line each. */
export function complaints(html: string): string[] {
  const document = open(html);
  const all = (selector: string) => [...document.querySelectorAll(selector)];
  const wrong: string[] = [];

  let before = 0;
  for (const heading of all("h1,h2,h3,h4,h5,h6")) {
    const level = Number(heading.tagName.slice(1));
    if (level > before + 1) wrong.push(`heading "${heading.textContent}" is of level ${level} after ${before}`);
    if (heading.textContent.trim() === "") wrong.push(`a heading of level ${level} is empty`);
    before = level;
  }
  if (all("h1").length !== 1) wrong.push(`${all("h1").length} headings of level 1`);
  for (const svg of all("svg"))
    if (svg.getAttribute("role") !== "img" || !svg.getAttribute("aria-label")?.trim())
      wrong.push(`a drawing has no words: ${svg.outerHTML.slice(0, 80)}`);
  for (const image of all("img")) if (!image.getAttribute("alt")) wrong.push("an image has no words");
  for (const button of all("button"))
    if (!(button.textContent.trim() || button.getAttribute("aria-label"))) wrong.push("a button has no words");
  for (const table of all("table")) {
    if ([...table.querySelectorAll("thead th")].some((head) => head.getAttribute("scope") !== "col"))
      wrong.push("a column has no head");
    if (!table.closest("[aria-label]")) wrong.push("a table has no name");
  }
  if (document.documentElement.getAttribute("lang") !== "en") wrong.push("the page does not say its language");
  if (!document.querySelector('meta[name="viewport"]')) wrong.push("the page does not fit itself to phones");
  const ids = all("[id]").map((one) => one.getAttribute("id")!);
  for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) wrong.push(`the id ${id} is there twice`);
  for (const link of all('a[href^="#"]'))
    if (!ids.includes(link.getAttribute("href")!.slice(1))) wrong.push(`a link leads nowhere: ${link.getAttribute("href")}`);
  for (const one of all("[src],[href],[srcset],[action]"))
    for (const name of ["src", "href", "srcset", "action"]) {
      const address = one.getAttribute(name);
      if (address !== null && !/^(#|data:)/.test(address)) wrong.push(`something is asked from elsewhere: ${address}`);
    }
  for (const style of all("style,[style]"))
    if (/url\(|@import/.test(style.tagName === "STYLE" ? style.textContent : style.getAttribute("style")!))
      wrong.push("a style asks for something from elsewhere");
  if (/NaN|undefined|\[object/.test(document.querySelector("main")!.textContent))
    wrong.push("the page holds NaN, undefined or an object");
  return [...new Set(wrong)];
}

/** The ratio of luminances of two colors such as #0072b2, from 1 to 21 (WCAG 2). */
export function contrast(a: string, b: string): number {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

/** A color over another, so opaque. */
export const over = (top: string, fraction: number, ground: string): string =>
  `#${channels(top).map((one, i) => Math.round(fraction * one + (1 - fraction) * channels(ground)[i]!).toString(16).padStart(2, "0")).join("")}`; // biome-ignore format: one line

const channels = (colour: string) => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));

const luminance = (colour: string) =>
  channels(colour)
    .map((one) => one / 255)
    .map((one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4))
    .reduce((sum, one, i) => sum + one * [0.2126, 0.7152, 0.0722][i]!, 0);
