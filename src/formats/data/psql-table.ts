/** Rows of the table that psql draws: a bar between columns stands below a plus of the rule under the header, and a text goes on in the next line after a `+` at its end. */

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]/u;
const NO_WIDTH = /[\p{M}\u200b-\u200f]/u;

const WAY_OUT = "psql --csv writes it so that it can be read";

/** The places of bars in a line, counted in columns of a terminal and in the text, and the width of the line. */
function barsOf(line: string): { columns: number[]; places: number[]; width: number } {
  const [columns, places]: [number[], number[]] = [[], []];
  let [column, place] = [0, 0];
  for (const letter of line) {
    if (letter === "|") {
      columns.push(column);
      places.push(place);
    }
    column += NO_WIDTH.test(letter) ? 0 : WIDE.test(letter) ? 2 : 1;
    place += letter.length;
  }
  return { columns, places, width: column };
}

export class PsqlTable {
  /** Of bars, in columns of a terminal. */
  private readonly bars: readonly number[];
  private readonly width: number;
  private readonly fail: (text: string) => never;
  /** The texts of a row that goes on in the next line, and which of them do. */
  private open: { texts: string[]; goesOn: readonly boolean[] } | undefined;

  private constructor(rule: string, fail: (text: string) => never) {
    this.bars = [...rule].flatMap((letter, column) => (letter === "+" ? [column] : []));
    this.width = rule.length;
    this.fail = fail;
  }

  /** The table that has this rule below its header; undefined where psql did not draw it. */
  static below(header: string, rule: string, fail: (text: string) => never): PsqlTable | undefined {
    if (!/^-+(\+-+)+$/.test(rule)) return undefined;
    const table = new PsqlTable(rule, fail);
    const { columns } = barsOf(header);
    return columns.length === table.bars.length && columns.every((column, c) => column === table.bars[c]) ? table : undefined;
  }

  /** Whether a row goes on in the next line. */
  get isOpen(): boolean {
    return this.open !== undefined;
  }

  /** Takes a line, and gives the row that ends in it as separated text. */
  row(line: string): string | undefined {
    const parts = this.parts(line);
    const goesOn = parts.map((part, c) => c < this.bars.length ? part.endsWith("+") : this.isFull(line) && part.endsWith("+")); // biome-ignore format: one line
    if (parts.some((part, c) => part.endsWith(".") && (c < this.bars.length || this.isFull(line))))
      this.fail(`psql wrapped a text here (\\pset format wrapped); ${WAY_OUT}`);
    const texts = parts.map((part, c) => (goesOn[c] ? part.slice(0, -1) : part).trim());
    if (this.open) {
      const { open } = this;
      if (texts.some((text, c) => text !== "" && !open.goesOn[c]))
        this.fail(`the text before goes on here by its "+", and so does another that has none; ${WAY_OUT}`);
      texts.forEach((text, c) => {
        texts[c] = open.goesOn[c] ? `${open.texts[c]}\n${text}` : open.texts[c]!;
      });
    }
    this.open = goesOn.includes(true) ? { texts, goesOn } : undefined;
    return this.open ? undefined : texts.map((text) => (/[|"\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)).join("|"); // biome-ignore format: one line
  }

  /** Whether a line is as wide as the rule, as only lines are whose last text goes on. */
  private isFull(line: string): boolean {
    return barsOf(line).width === this.width;
  }

  /** The cells of a line, with the blanks around them. */
  private parts(line: string): string[] {
    const { columns, places } = barsOf(line);
    const { bars } = this;
    if (columns.length < bars.length) this.fail(`expected ${bars.length + 1} cells as in the header, got ${columns.length + 1}`);
    const chosen = columns.length === bars.length ? places : places.filter((_, b) => bars.includes(columns[b]!));
    if (chosen.length !== bars.length)
      this.fail(`a text has a bar, and the columns do not stand as the line below the header says; ${WAY_OUT}`);
    return [...chosen, line.length].map((end, c) => line.slice(c === 0 ? 0 : chosen[c - 1]! + 1, end));
  }
}
