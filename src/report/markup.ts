/** HTML as text in which everything that comes from outside is escaped, unless it is markup already. */
import { escaped } from "./svg.ts";

/** A piece of a page that may stand in it as it is. */
export interface Markup {
  readonly markup: string;
}

export type Piece = Markup | string | number | undefined | readonly Piece[];

/** `html\`<p>${name}</p>\``: texts and numbers are escaped, markup and lists of it are not, undefined is nothing. */
export const html = (parts: TemplateStringsArray, ...pieces: readonly Piece[]): Markup => ({
  markup: parts.reduce((text, part, i) => text + part + (i < pieces.length ? textOf(pieces[i]) : ""), ""),
});

/** Text that is known to be markup. */
export const raw = (markup: string): Markup => ({ markup });

function textOf(piece: Piece): string {
  if (piece === undefined) return "";
  if (typeof piece === "string" || typeof piece === "number") return escaped(String(piece));
  return "markup" in piece ? piece.markup : piece.map(textOf).join("");
}
