import { expect, it } from "vitest";
import { checkMembers } from "./members.ts";

it.each([
  ["objective", "expected an objective, got 5"],
  ["metric", "expected a metric, got 5"],
  ["transform", "expected a transform, got 5"],
] as const)("what is no %s is refused with the right article", (kind, message) => {
  expect(() => checkMembers("test", kind, 5)).toThrow(`test: ${message}`);
});
