import { describe, expect, it } from "vitest";
import { InputError } from "./input-error.ts";

describe("InputError", () => {
  it("is one line, whatever text out of a file is in its message", () => {
    const { message } = new InputError('a.jsonl:2: expected JSON (Unexpected token, "x\r\n\u2028\u001b[31m" is not valid)');
    expect(message).toBe('a.jsonl:2: expected JSON (Unexpected token, "x\\u000d\\u000a\\u2028\\u001b[31m" is not valid)');
  });

  it("keeps its cause", () => {
    const cause = new Error("inner");
    expect(new InputError("outer", { cause }).cause).toBe(cause);
  });
});
