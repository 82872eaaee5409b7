/**
 * JSON schemas of what the routes take, checked strictly: nothing is converted, and unknown members are refused. They are written out, since a
 * package that builds them would be a third of the time that the server takes to start.
 */
import { LIMITS } from "./check-poll.ts";

/** An object whose members are all required but those named. */
const object = (properties: Readonly<Record<string, object>>, optional: readonly string[] = []) => ({
  ...{ type: "object", properties, additionalProperties: false },
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
});
const string = (minLength: number, maxLength: number) => ({ type: "string", minLength, maxLength });
const text = (most: number) => string(0, 2 * most);
const integer = (minimum: number, maximum: number) => ({ type: "integer", minimum, maximum });
const oneOf = (...values: string[]) => ({ type: "string", enum: values });
const color = { type: "string", pattern: "^#[0-9a-fA-F]{6}$" };

export const pollSchemas = {
  newPoll: object(
    {
      title: text(LIMITS.title),
      description: text(LIMITS.description),
      tiers: { type: "array", items: object({ name: text(LIMITS.tierName), color }), minItems: 2, maxItems: LIMITS.tiers },
      items: {
        ...{ type: "array", minItems: 2, maxItems: LIMITS.items },
        items: object({ name: text(LIMITS.itemName), color, picture: string(0, 300_000) }, ["picture"]),
      },
      access: oneOf("open", "codes"),
      results: oneOf("always", "closed"),
      closes: { anyOf: [{ type: "null" }, integer(0, 8.64e15)] },
      codes: integer(0, LIMITS.codes),
    },
    ["description", "access", "results", "closes", "codes"],
  ),
  vote: object(
    {
      tiers: {
        ...{ type: "array", maxItems: LIMITS.tiers },
        items: { type: "array", items: integer(0, LIMITS.items), maxItems: LIMITS.items },
      },
      request: string(16, 64),
      code: string(4, 40),
    },
    ["code"],
  ),
  import: { ...object({ name: string(1, 200), title: text(LIMITS.title) }, ["title"]), additionalProperties: true },
  codes: object({ count: integer(1, LIMITS.codes) }),
  export: { ...object({ format: oneOf("preflib", "csv", "json") }), additionalProperties: true },
} as const;
