/** Where the kernels cannot serve, each function passes what it is given on to its plain twin, and returns what that gives. */
import { describe, expect, it, vi } from "vitest";
import * as bins from "./bins.ts";
import * as gramHinge from "./gram-hinge.ts";
import * as histogram from "./histogram.ts";
import * as indexValues from "./index-values.ts";
import { usePlain } from "./kernels.ts";
import * as lambda from "./lambda.ts";
import * as network from "./network.ts";
import * as partition from "./partition.ts";
import * as plainBins from "./plain/bins.ts";
import * as plainGramHinge from "./plain/gram-hinge.ts";
import * as plainHistogram from "./plain/histogram.ts";
import * as plainIndexValues from "./plain/index-values.ts";
import * as plainLambda from "./plain/lambda.ts";
import * as plainNetwork from "./plain/network.ts";
import * as plainPartition from "./plain/partition.ts";
import * as plainRows from "./plain/rows.ts";
import * as plainSplit from "./plain/split.ts";
import * as rows from "./rows.ts";
import * as split from "./split.ts";

type Functions = Readonly<Record<string, unknown>>;
const { spied } = vi.hoisted(() => ({
  async spied(original: () => Promise<Functions>) {
    const entries = Object.entries(await original());
    return Object.fromEntries(
      entries.map(([name, value]) => {
        if (typeof value !== "function") return [name, value];
        const twin = vi.fn(() => twin);
        return [name, Object.defineProperty(twin, "length", { value: value.length })];
      }),
    );
  },
}));
vi.mock("./plain/bins.ts", spied);
vi.mock("./plain/gram-hinge.ts", spied);
vi.mock("./plain/histogram.ts", spied);
vi.mock("./plain/index-values.ts", spied);
vi.mock("./plain/lambda.ts", spied);
vi.mock("./plain/network.ts", spied);
vi.mock("./plain/partition.ts", spied);
vi.mock("./plain/rows.ts", spied);
vi.mock("./plain/split.ts", spied);

usePlain();

/** These look at the fields of records, or pass on parts. */
const others: readonly string[] = ["gramRows", "solveGram", "adamRows", "sortFloats"];

const pairs: readonly (readonly [name: string, ours: Functions, theirs: Functions])[] = [
  ["bins", bins, plainBins],
  ["gram-hinge", gramHinge, plainGramHinge],
  ["histogram", histogram, plainHistogram],
  ["index-values", indexValues, plainIndexValues],
  ["lambda", lambda, plainLambda],
  ["network", network, plainNetwork],
  ["partition", partition, plainPartition],
  ["rows", rows, plainRows],
  ["split", split, plainSplit],
];

describe.each(pairs)("%s", (_, ours, theirs) => {
  const names = Object.keys(ours).filter((name) => name in theirs && vi.isMockFunction(theirs[name]) && !others.includes(name));
  it.each(names)("%s", (name) => {
    const twin = theirs[name] as ReturnType<typeof vi.fn>;
    const given = Array.from({ length: twin.length }, (_, i) => new Float32Array(100 + i));
    const result = (ours[name] as (...given: readonly unknown[]) => unknown)(...given);
    expect(twin.mock.calls.length).toBe(1);
    const [passed] = twin.mock.calls;
    expect(passed!.map((one) => given.indexOf(one))).toEqual([...given.keys()]);
    expect([undefined, twin]).toContain(result);
  });
});
