/**
 * What requests and answers look like, declared once: the schemas validate requests, are the types of this code, and become the OpenAPI
 * document. Descriptions are for that document.
 */
import Type, { type Static } from "typebox";

const Cell = Type.Union([Type.Number(), Type.Null(), Type.Boolean()], { description: "a number; null for a missing value" });

/** Of any type, because features that the model does not know may hold anything; of the others item-rows.ts checks the value. */
const Value = Type.Unknown({
  description:
    "a number or null; a text, a date or a word for yes or no where the model was trained on a table with such columns; other texts are refused, except for categories that the model does not know",
});

const Item = Type.Union(
  [
    Type.Record(Type.String(), Value, {
      description: "features by name; those left out are missing values, and others than those of the model are ignored",
    }),
    Type.Array(Cell, { description: "features in the order of the model" }),
    Type.String({ description: "the name of an item, for models of utilities" }),
  ],
  { description: "an item to rank" },
);

const listFields = {
  id: Type.Optional(
    Type.Union([Type.String({ maxLength: 200 }), Type.Integer()], {
      description:
        "id of the list, by which --split assigns it to a model; a whole number is the text of its digits, all of them",
    }),
  ),
  ids: Type.Optional(
    Type.Array(Type.Union([Type.String({ maxLength: 1000 }), Type.Integer()]), {
      description: "ids of the items, repeated as texts in the answer",
    }),
  ),
};

const Document = Type.Union([Type.Record(Type.String(), Value), Type.Array(Cell)], {
  description: "features of a document, for models that rank labels",
});

const List = Type.Object(
  { ...listFields, items: Type.Optional(Type.Array(Item)), document: Type.Optional(Document) },
  { additionalProperties: false },
);

const wishes = {
  top: Type.Optional(Type.Integer({ minimum: 1, description: "how many of the best items are wanted; default: all" })),
  scores: Type.Optional(Type.Boolean({ description: "whether items have scores in the answer; default: true" })),
  probabilities: Type.Optional(
    Type.Union(
      [
        Type.Boolean(),
        Type.Object(
          {
            temperature: Type.Optional(Type.Number({ exclusiveMinimum: 0, description: "scores are divided by it; default: 1" })),
            within: Type.Optional(
              Type.Array(Type.Integer({ minimum: 1 }), { maxItems: 20, description: "values k of P(among the first k)" }),
            ),
          },
          { additionalProperties: false },
        ),
      ],
      { description: "probabilities of ranks under Plackett-Luce" },
    ),
  ),
  explain: Type.Optional(
    Type.Union([Type.Boolean(), Type.Integer({ minimum: 1 })], {
      description: "what features add to scores, against the mean of the list: this many of the largest, true for 10",
    }),
  ),
  unknown: Type.Optional(
    Type.Union([Type.Literal("error"), Type.Literal("ignore")], {
      description:
        "features that the model does not know; default: those with names are ignored, with a warning, and numbered ones are an error",
    }),
  ),
};

export const RankRequest = Type.Object(
  {
    ...{ ...listFields, items: Type.Optional(Type.Array(Item)), document: Type.Optional(Document) },
    lists: Type.Optional(Type.Array(List, { description: "several lists, in place of items" })),
    ...wishes,
  },
  { additionalProperties: false, description: "one list (items) or several (lists)" },
);
export type RankRequest = Static<typeof RankRequest>;

/** The head of a compact request (formats/rank-body.ts). */
export const CompactHead = Type.Object(
  {
    ...listFields,
    columns: Type.Integer({ minimum: 0, description: "numbers per row" }),
    features: Type.Optional(Type.Array(Type.String(), { description: "names of the columns; default: those of the model" })),
    rows: Type.Optional(Type.Integer({ minimum: 0, description: "rows of the only list" })),
    lists: Type.Optional(
      Type.Array(Type.Object({ ...listFields, rows: Type.Integer({ minimum: 0 }) }, { additionalProperties: false })),
    ),
    ...wishes,
  },
  { additionalProperties: false },
);
export type CompactHead = Static<typeof CompactHead>;

const RankedItem = Type.Object({
  index: Type.Integer({ description: "place of the item in the request, from 0" }),
  id: Type.Optional(Type.String()),
  rank: Type.Integer({ description: "from 1" }),
  score: Type.Optional(Type.Number()),
  first: Type.Optional(Type.Number({ description: "probability of the first place" })),
  within: Type.Optional(
    Type.Record(Type.String(), Type.Number(), { description: "probability of being among the first k, by k" }),
  ),
  expected: Type.Optional(Type.Number({ description: "expected rank" })),
  interval: Type.Optional(Type.Array(Type.Integer(), { description: "ranks that hold the item with probability 0.9" })),
  reasons: Type.Optional(
    Type.Array(Type.Object({ feature: Type.String(), contribution: Type.Number() }), { description: "largest first" }),
  ),
});

const answerFields = {
  items: Type.Optional(Type.Array(RankedItem, { description: "best first" })),
  id: Type.Optional(Type.String()),
  model: Type.Optional(Type.String({ description: "the model that ranked this list, where two are served" })),
  impression: Type.Optional(Type.String({ description: "id of an interleaved ranking, to be logged with clicks on it" })),
};

export const RankAnswer = Type.Object({
  ...answerFields,
  model: Type.String({ description: "name and version of the model, NAME@VERSION" }),
  warnings: Type.Optional(
    Type.Array(Type.String(), {
      description:
        "what the model does not know: a text for each column with such categories, and one for features; absent if none",
    }),
  ),
  lists: Type.Optional(Type.Array(Type.Object(answerFields))),
});

export const ErrorAnswer = Type.Object({
  error: Type.Object({ code: Type.String({ description: "for programs" }), message: Type.String({ description: "for people" }) }),
});

export const ModelName = Type.Object({ name: Type.String({ description: "name of the model" }) });

const ModelSummary = {
  name: Type.String(),
  version: Type.Integer({ description: "how often the file has been loaded" }),
  digest: Type.String({ description: "first 16 hexadecimal digits of the SHA-256 of the file" }),
  kind: Type.String({ description: "trees, linear, mlp, blend, utilities, ..." }),
  loaded: Type.String({ description: "when this version was loaded" }),
  role: Type.Optional(Type.String({ description: "shadow, split or interleave, for the second of two models" })),
  error: Type.Optional(Type.String({ description: "why the file as it is now was refused; the version before it is served" })),
};

export const ModelList = Type.Object({ models: Type.Array(Type.Object(ModelSummary)) });

export const ModelDetails = Type.Object({
  ...ModelSummary,
  features: Type.Object({
    count: Type.Integer(),
    base: Type.Integer({ description: "number of the first feature, where features have no names" }),
    names: Type.Optional(Type.Array(Type.String())),
  }),
  items: Type.Optional(Type.Integer({ description: "number of items that a model of utilities knows" })),
  labels: Type.Optional(Type.Integer({ description: "number of labels that a multi-label model ranks" })),
  listwise: Type.Boolean({ description: "whether a score depends on the other items of the list" }),
  explains: Type.Boolean({ description: "whether scores can be explained by feature" }),
  training: Type.Record(Type.String(), Type.Unknown()),
  metrics: Type.Record(Type.String(), Type.Number()),
  facts: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
  comparison: Type.Optional(Type.Unknown({ description: "how the rankings of the second model differ" })),
});
export type ModelDetails = Static<typeof ModelDetails>;

export const Click = Type.Object(
  {
    impression: Type.String({ maxLength: 200, description: "as in the answer" }),
    item: Type.Union([Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }), Type.String({ maxLength: 1000 })], {
      description: "the item clicked: its id, as a text if it is a number beyond 2^53, or its index where items have no ids",
    }),
  },
  { additionalProperties: false },
);
export type Click = Static<typeof Click>;
