/** A valid text with a few words put in, put in place of a letter, or the rest cut off, as bytes: for tests of readers with damaged input. */
import fc from "fast-check";

export const changedTexts = (text: string, words: fc.Arbitrary<string>): fc.Arbitrary<Uint8Array> =>
  fc
    .array(fc.tuple(fc.nat(), fc.nat(2), words), { maxLength: 4 })
    .map((changes) =>
      changes.reduce((now, [where, how, word]) => {
        const at = where % (now.length + 1);
        return how === 2 ? now.slice(0, at) : now.slice(0, at) + word + now.slice(at + how);
      }, text),
    )
    .map((changed) => new TextEncoder().encode(changed));
