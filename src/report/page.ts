/** The page layout of a report: one self-contained HTML file. */
import { html, type Markup, type Piece, raw } from "./markup.ts";
import { script, scriptHash } from "./script.ts";
import { style } from "./style.ts";

export interface Section {
  readonly id: string;
  readonly title: string;
  readonly body: Piece;
}

export interface Page {
  readonly title: string;
  readonly lead: Piece;
  readonly sections: readonly Section[];
  readonly foot: Piece;
}

/**
 * What a browser may do for a report: run its own script, by digest, and use inline styles, which figures need. Nothing is loaded, sent or
 * embedded, also if a name of the input came into the page as markup.
 */
export const policy = [
  "default-src 'none'",
  `script-src '${scriptHash}'`,
  "style-src 'unsafe-inline'",
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

export function page({ title, lead, sections, foot }: Page): string {
  const links = sections.map(({ id, title: words }) => html`<li><a href="#${id}">${words}</a></li>`);
  const bodies = sections.map(
    ({ id, title: words, body }) => html`<section aria-labelledby="${id}">\n<h2 id="${id}">${words}</h2>\n${body}</section>\n`,
  );
  const whole: Markup = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${raw(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="tierwise">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${raw(style)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the report</a>
<header><h1>${title}</h1><button type="button" class="theme" hidden>Dark</button></header>
<nav aria-label="Sections"><ul>${links}</ul></nav>
<main id="main">
<p class="lead" style="margin-top:16px">${lead}</p>
${bodies}</main>
<footer>${foot}</footer>
<script>${raw(script)}</script>
</body>
</html>
`;
  return whole.markup;
}
