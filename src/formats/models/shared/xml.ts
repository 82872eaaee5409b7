/** As much of XML as RankLib's model files need: elements, attributes and text. No entities beyond the five, no declarations, no namespaces. */
import { InputError, quote } from "../../../input-error.ts";

export interface Element {
  readonly name: string;
  readonly line: number;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
}

/** The elements of a text at the top, whatever stands around them; lines that begin with ## are left out. */
export function elementsOf(text: string, path: string): Element[] {
  const found: Element[] = [];
  const open: Element[] = [];
  let line = 1;
  let last = 0;
  const plain = text.replace(/^##.*$/gm, (comment) => " ".repeat(comment.length));
  for (const match of plain.matchAll(/<[^<>]*>/g)) {
    for (let i = last; i < match.index; i++) if (plain.charCodeAt(i) === 10) line++;
    const inside = open.at(-1);
    const between = plain.slice(last, match.index);
    if (/[<>]/.test(between)) throw new InputError(`${path}:${line}: expected a tag, got ${quote(between.trim())}`);
    if (inside) inside.text += between;
    last = match.index;
    const tag = /^<(\/?)([A-Za-z][\w-]*)((?:\s+[\w-]+\s*=\s*"[^"]*")*)\s*(\/?)>$/.exec(match[0]);
    if (!tag) throw new InputError(`${path}:${line}: expected a tag, got ${quote(match[0])}`);
    const [, closes, name, attributes, empty] = tag;
    if (closes) {
      if (inside?.name !== name)
        throw new InputError(
          `${path}:${line}: </${name}> closes ${inside ? `<${inside.name}> of line ${inside.line}` : "nothing"}`,
        );
      open.pop();
    } else {
      const element: Element = { name: name!, line, attributes: attributesOf(attributes!), children: [], text: "" };
      (inside?.children ?? found).push(element);
      if (!empty) open.push(element);
      if (open.length > 4096) throw new InputError(`${path}:${line}: more than 4096 elements inside each other`);
    }
    for (let i = last; i < match.index + match[0].length; i++) if (plain.charCodeAt(i) === 10) line++;
    last = match.index + match[0].length;
  }
  const [unclosed] = open;
  if (unclosed)
    throw new InputError(`${path}:${line}: <${unclosed.name}> of line ${unclosed.line} is not closed (cut off, perhaps)`);
  if (/[<>]/.test(plain.slice(last)))
    throw new InputError(`${path}:${line}: expected a tag, got ${quote(plain.slice(last).trim())}`);
  return found;
}

const attributesOf = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/([\w-]+)\s*=\s*"([^"]*)"/g)].map(([, key, value]) => [key!, value!]));

export const childrenOf = ({ children }: Element, name: string): Element[] => children.filter((child) => child.name === name);
