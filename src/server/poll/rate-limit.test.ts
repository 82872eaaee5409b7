import { describe, expect, it } from "vitest";
import { HttpError } from "../http/http-error.ts";
import { networkOf, RateLimit, Streams } from "./rate-limit.ts";

/** The status and the seconds to wait, or nothing. */
function refusal(run: () => void): [number, string | undefined] | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return [error.status, error.headers?.["retry-after"]];
  }
}

describe("a limit of so many a minute", () => {
  it("takes as many at once as its burst, and then one whenever a whole token is there", () => {
    const limit = new RateLimit("votes", 6, 3);
    const take = (at: number) => refusal(() => limit.take("10.0.0.1", at));
    expect([take(0), take(0), take(0)]).toEqual([undefined, undefined, undefined]);
    expect(take(0)).toEqual([429, "10"]);
    expect(take(4_000)).toEqual([429, "6"]); // 0.4 tokens
    expect(take(9_999)).toEqual([429, "1"]);
    expect(take(10_000)).toBeUndefined();
    expect(take(10_000)).toEqual([429, "10"]);
    expect([1, 2, 3].map(() => take(1_000_000))).toEqual([undefined, undefined, undefined]); // never more than the burst
    expect(take(1_000_000)).toEqual([429, "10"]);
  });

  it("counts addresses apart, and looks without taking", () => {
    const limit = new RateLimit("votes", 1);
    limit.check("a", 0);
    limit.check("a", 0);
    limit.take("a", 0);
    expect(refusal(() => limit.check("a", 0))).toEqual([429, "60"]);
    expect(refusal(() => limit.take("b", 0))).toBeUndefined();
  });

  it("of 0 is none", () => {
    const limit = new RateLimit("votes", 0);
    for (let i = 0; i < 100; i++) limit.take("a", 0);
  });
});

it("streams are given back one by one", () => {
  const streams = new Streams(2);
  streams.take("a");
  streams.take("a");
  expect(refusal(() => streams.take("a"))).toEqual([429, "60"]);
  streams.give("a");
  streams.take("a");
  expect(refusal(() => streams.take("a"))).toEqual([429, "60"]);
  expect(refusal(() => streams.take("b"))).toBeUndefined();
});

it.each([
  ["10.1.2.3", "10.1.2.3"],
  ["::ffff:10.1.2.3", "10.1.2.3"],
  ["2001:DB8:1:2:3:4:5:6", "2001:db8:1:2"],
  ["2001:db8::5", "2001:db8:0:0"],
  ["::1", "0:0:0:0"],
])("%s belongs to %s", (address, network) => expect(networkOf(address)).toBe(network));
