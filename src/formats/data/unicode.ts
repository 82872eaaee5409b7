/** Text in UTF-16 with a byte order mark, as spreadsheets and PowerShell write it, as UTF-8. */

export type Utf16 = "utf-16le" | "utf-16be";

/** The encoding that a byte order mark at the beginning names; undefined for UTF-8 and text without a mark. */
export function utf16Of(head: Uint8Array): Utf16 | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return "utf-16le";
  return head[0] === 0xfe && head[1] === 0xff ? "utf-16be" : undefined;
}

/** The whole text as UTF-8, without the mark. */
export const utf8Of = (bytes: Uint8Array, encoding: Utf16): Uint8Array =>
  new TextEncoder().encode(new TextDecoder(encoding).decode(bytes));

/** The same for text that comes in chunks, split anywhere. */
export async function* utf8Chunks(chunks: AsyncIterable<Uint8Array>, encoding: Utf16): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder(encoding);
  const encoder = new TextEncoder();
  for await (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true });
    if (text !== "") yield encoder.encode(text);
  }
  const rest = decoder.decode();
  if (rest !== "") yield encoder.encode(rest);
}
