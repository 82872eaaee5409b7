/** GET /models and GET /models/NAME. */
import type { FastifyInstance } from "fastify";
import { ErrorAnswer, ModelDetails, ModelList, ModelName } from "./schemas.ts";
import type { Entry, ServedModels } from "./served-models.ts";

/** `roleOf` says what a second model is for; `comparisonOf` how its rankings differ. */
export function addModelRoutes(
  app: FastifyInstance,
  models: ServedModels,
  roleOf: (entry: Entry) => string | undefined,
  comparisonOf: (entry: Entry) => unknown,
): void {
  const summary = (entry: Entry) => {
    const { current, error } = entry;
    const role = roleOf(entry);
    return {
      ...{
        name: entry.name,
        version: current.number,
        digest: current.facts.digest,
        kind: current.facts.kind,
        loaded: current.loaded,
      },
      ...(role !== undefined && { role }),
      ...(error !== undefined && { error }),
    };
  };
  const tags = ["models"];
  app.get("/models", { schema: { tags, summary: "The models that are served", response: { 200: ModelList } } }, async () => ({
    models: models.entries.map(summary),
  }));
  app.get<{ Params: { name: string } }>(
    "/models/:name",
    {
      schema: {
        ...{ tags, summary: "Features, training and metrics of a model", params: ModelName },
        response: { 200: ModelDetails, 404: ErrorAnswer },
      },
      serializerCompiler: () => (data) => JSON.stringify(data),
    },
    async (request) => {
      const entry = models.find(request.params.name);
      const found = comparisonOf(entry);
      return { ...summary(entry), ...entry.current.facts, ...(found !== undefined && { comparison: found }) };
    },
  );
}
