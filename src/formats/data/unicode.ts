/** Text in UTF-16 or UTF-32 with a byte order mark, as spreadsheets and PowerShell write it, as UTF-8; and text in Windows-1252. */

export type WideEncoding = "utf-16le" | "utf-16be" | "utf-32le" | "utf-32be";

/** The encoding that a byte order mark at the beginning names; undefined for UTF-8 and text without a mark. */
export function wideEncodingOf(head: Uint8Array): WideEncoding | undefined {
  const starts = (...mark: readonly number[]) => mark.every((byte, i) => head[i] === byte);
  if (starts(0xff, 0xfe, 0, 0)) return "utf-32le";
  if (starts(0, 0, 0xfe, 0xff)) return "utf-32be";
  if (starts(0xff, 0xfe)) return "utf-16le";
  return starts(0xfe, 0xff) ? "utf-16be" : undefined;
}

/** The whole text as UTF-8, without the mark. */
export const utf8Of = (bytes: Uint8Array, encoding: WideEncoding): Uint8Array =>
  new TextEncoder().encode(decoderOf(encoding).decode(bytes));

/** The same for text that comes in chunks, split anywhere. */
export async function* utf8Chunks(chunks: AsyncIterable<Uint8Array>, encoding: WideEncoding): AsyncGenerator<Uint8Array> {
  const decoder = decoderOf(encoding);
  const encoder = new TextEncoder();
  for await (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true });
    if (text !== "") yield encoder.encode(text);
  }
  const rest = decoder.decode();
  if (rest !== "") yield encoder.encode(rest);
}

interface Decoder {
  decode(chunk?: Uint8Array, options?: { readonly stream?: boolean }): string;
}

const decoderOf = (encoding: WideEncoding): Decoder =>
  encoding === "utf-32le" || encoding === "utf-32be" ? new Utf32Decoder(encoding === "utf-32le") : new TextDecoder(encoding);

const [MARK, REPLACEMENT] = [0xfeff, "\ufffd"];

/** What TextDecoder does for other encodings: four bytes for each character, the mark left out, and a replacement for what is none. */
class Utf32Decoder implements Decoder {
  private readonly isLittle: boolean;
  private rest = new Uint8Array(0);
  private isFirst = true;

  constructor(isLittle: boolean) {
    this.isLittle = isLittle;
  }

  decode(chunk: Uint8Array = new Uint8Array(0), { stream = false } = {}): string {
    const bytes = new Uint8Array(this.rest.length + chunk.length);
    bytes.set(this.rest);
    bytes.set(chunk, this.rest.length);
    const whole = bytes.length - (bytes.length % 4);
    const view = new DataView(bytes.buffer);
    let text = "";
    for (let at = 0; at < whole; at += 4) {
      const code = view.getUint32(at, this.isLittle);
      if (!(this.isFirst && code === MARK)) text += code <= 0x10ffff ? String.fromCodePoint(code) : REPLACEMENT;
      this.isFirst = false;
    }
    this.rest = stream ? bytes.slice(whole) : new Uint8Array(0);
    return stream || whole === bytes.length ? text : text + REPLACEMENT;
  }
}

/** The characters of the bytes 0x80 to 0x9f; five of them are unassigned and stay control characters, https://encoding.spec.whatwg.org/#windows-1252 */
const WINDOWS_1252 = "€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ";

/** The text of bytes in Windows-1252. The TextDecoder of Node 20 reads them as Latin-1, in which 0x80 to 0x9f are control characters. */
export const windows1252Text = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => (byte >= 0x80 && byte <= 0x9f ? WINDOWS_1252[byte - 0x80]! : String.fromCharCode(byte))).join("");
