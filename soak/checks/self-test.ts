/** A check with three planted defects, by which the program is tested. Not among those that are run. */
import { kernels } from "../../src/numeric/kernels.ts";
import { type Check, each, Finding } from "../check.ts";

export const selfTest: Check = {
  id: "self-test",
  about: "case 3 fails, case 5 hangs, case 7 is another without kernels",
  batch: 2,
  run: each((number) => {
    if (number === 3) throw new Finding("a defect");
    if (number === 5) for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    return number === 7 && kernels() === null ? "other" : "same";
  }),
};
