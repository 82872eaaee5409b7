/**
 * Renders figures with Observable Plot on a jsdom document. Both packages are large and only needed for reports: they are imported when the
 * first figure is drawn, and if they are missing the error names them.
 */
import type * as PlotModule from "@observablehq/plot";
import { InputError } from "../input-error.ts";
import { html, type Markup, type Piece, raw } from "./markup.ts";
import { escaped } from "./svg.ts";

export type Plot = typeof PlotModule;

/** What is used of jsdom. */
interface Dom {
  readonly JSDOM: new (
    text: string,
  ) => { readonly window: { readonly document: NonNullable<PlotModule.PlotOptions["document"]> } };
}

/** What can draw a figure of a report. */
export interface Plotter {
  readonly plot: Plot;
  /** A figure with words under it. `alt` says in words what there is to see. */
  figure(options: PlotModule.PlotOptions, words: FigureText): Markup;
}

export interface FigureText {
  readonly title?: string;
  readonly alt: string;
  readonly caption?: Piece;
  readonly legend?: readonly (readonly [name: string, colour: string])[];
}

export async function plotter(): Promise<Plotter> {
  const plot = await importOptional<Plot>("@observablehq/plot", () => import("@observablehq/plot"));
  // @ts-expect-error Its types would make those of a browser known to the whole program.
  const { JSDOM } = await importOptional<Dom>("jsdom", () => import("jsdom"));
  const { document } = new JSDOM("").window;
  return {
    plot,
    figure(options, words) {
      const drawn = plot.plot({ width: WIDTH, height: 290, style: { fontSize: "13px" }, ...MARGINS, ...options, document });
      for (const one of [...drawn.querySelectorAll("style")]) one.remove(); // the page has one for all
      return framed(raw(withTitle(drawn.outerHTML, words.alt)), words);
    },
  };
}

const MARGINS = { marginLeft: 54, marginTop: 34, marginBottom: 48 }; // for letters of this size

/** On a phone a figure of this width still has letters of ten pixels. */
export const WIDTH = 450;

async function importOptional<M>(name: string, load: () => Promise<M>): Promise<M> {
  try {
    return await load();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new InputError(
      `a report is drawn with the package ${name}, which is not installed: npm install @observablehq/plot@0.6 jsdom@29`,
    );
  }
}

/** A drawing as one picture: its inside is not read out, its words are. Places lose the digits that no screen can show. */
export function withTitle(svg: string, alt: string): string {
  const places = / (d|transform|x|y|x1|x2|y1|y2|cx|cy|width|height)="[^"]*"/g;
  return svg
    .replace(places, (attribute) => attribute.replace(/(\d+\.\d\d)\d+(?!\d*e)/g, "$1"))
    .replace(/^<svg([^>]*)>/, (_, rest: string) => {
      const kept = rest.replace(/ (role|aria-label)="[^"]*"/g, "");
      return `<svg${kept} role="img" aria-label="${escaped(alt)}">`;
    });
}

export const framed = (svg: Markup, { title, caption, legend }: FigureText): Markup =>
  html`<figure>${title === undefined ? undefined : html`<h3>${title}</h3>`}${
    legend &&
    html`<ul class="legend">${legend.map(([name, colour]) => html`<li><i style="background:${colour}"></i>${name}</li>`)}</ul>`
  }${svg}${caption === undefined ? undefined : html`<figcaption>${caption}</figcaption>`}</figure>\n`;
