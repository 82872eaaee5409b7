/** Schemas of what the routes take, checked strictly: nothing is converted, and unknown members are refused. */
import type { FastifySchemaCompiler } from "fastify";
import type { TSchema, Type as TypeBuilder } from "typebox";
import { importPackage } from "../http/import-package.ts";
import { LIMITS } from "./check-poll.ts";

const PACKAGES = { command: "poll", packages: ["fastify", "libsql", "typebox"] as const } as const;

export async function pollSchemas() {
  const { Type } = await importPackage(PACKAGES, () => import("typebox"));
  return schemasBy(Type);
}

function schemasBy(Type: typeof TypeBuilder) {
  const exact = { additionalProperties: false };
  const color = Type.String({ pattern: "^#[0-9a-fA-F]{6}$" });
  const text = (most: number) => Type.String({ maxLength: 2 * most });
  const code = Type.String({ minLength: 4, maxLength: 40 });
  return {
    newPoll: Type.Object(
      {
        title: text(LIMITS.title),
        description: Type.Optional(text(LIMITS.description)),
        tiers: Type.Array(Type.Object({ name: text(LIMITS.tierName), color }, exact), { minItems: 2, maxItems: LIMITS.tiers }),
        items: Type.Array(
          Type.Object({ name: text(LIMITS.itemName), color, picture: Type.Optional(Type.String({ maxLength: 300_000 })) }, exact),
          { minItems: 2, maxItems: LIMITS.items },
        ),
        access: Type.Optional(Type.Union([Type.Literal("open"), Type.Literal("codes")])),
        results: Type.Optional(Type.Union([Type.Literal("always"), Type.Literal("closed")])),
        closes: Type.Optional(Type.Union([Type.Null(), Type.Integer({ minimum: 0, maximum: 8.64e15 })])),
        codes: Type.Optional(Type.Integer({ minimum: 0, maximum: LIMITS.codes })),
      },
      exact,
    ),
    vote: Type.Object(
      {
        tiers: Type.Array(Type.Array(Type.Integer({ minimum: 0, maximum: LIMITS.items }), { maxItems: LIMITS.items }), {
          maxItems: LIMITS.tiers,
        }),
        request: Type.String({ minLength: 16, maxLength: 64 }),
        code: Type.Optional(code),
      },
      exact,
    ),
    import: Type.Object({
      name: Type.String({ minLength: 1, maxLength: 200 }),
      title: Type.Optional(text(LIMITS.title)),
    }),
    codes: Type.Object({ count: Type.Integer({ minimum: 1, maximum: LIMITS.codes }) }, exact),
    export: Type.Object({ format: Type.Union([Type.Literal("preflib"), Type.Literal("csv"), Type.Literal("json")]) }),
  };
}

/** Fastify's own validator would turn "1" into 1. */
export async function strictValidation(): Promise<FastifySchemaCompiler<TSchema>> {
  const { Compile } = await importPackage(PACKAGES, () => import("typebox/compile"));
  return ({ schema }) => {
    const check = Compile(schema);
    return (value: unknown) => {
      if (check.Check(value)) return { value };
      const errors = [...check.Errors(value)].filter(({ message }) => message !== "schema is false");
      return { error: errors as unknown as Error };
    };
  };
}
