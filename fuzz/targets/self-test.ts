/** A reader with three planted defects, by which the fuzzer is tested. Not among the targets that are run. */
import { kernels } from "../../src/numeric/kernels.ts";
import { digestOf, type Target } from "../target.ts";

export const selfTest: Target = {
  id: "self-test",
  seeds: () => [new TextEncoder().encode("abc throw 1"), new TextEncoder().encode("abc 2")],
  words: ["throw!", "hang!", "plain!"],
  run(bytes) {
    const text = new TextDecoder().decode(bytes);
    if (text.includes("throw!")) throw new TypeError("a defect");
    if (text.includes("hang!")) for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    const plain = text.includes("plain!") && kernels() === null;
    return { outcome: "read", digest: digestOf(text, plain ? 1 : 0), shape: String(text.length % 3) };
  },
};
