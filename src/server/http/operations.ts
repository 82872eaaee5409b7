/** Routes for whoever operates a server, the same for every server: /healthz, /readyz and /metrics. */
import type {} from "@fastify/swagger";
import type { FastifyInstance } from "fastify";
import { errorBody } from "./http-error.ts";
import { type Metrics, PROMETHEUS_TYPE } from "./prometheus.ts";

/** `notReady` says why the server should get no requests now, or nothing. /metrics needs the token, the others do not. */
export function addOperations(app: FastifyInstance, metrics: Metrics, notReady: () => string | undefined): void {
  const started = Date.now() / 1000;
  metrics.gauge("process_start_time_seconds", "When the process started, in seconds since 1970.").set(started);
  metrics.gauge("process_resident_memory_bytes", "Resident memory of the process.", () => process.memoryUsage.rss());
  let stopping = false;
  app.addHook("preClose", async () => {
    stopping = true;
  });
  const tags = ["operations"];
  app.get("/healthz", { config: { open: true }, schema: { tags, summary: "Whether the process answers" } }, async () => ({
    status: "ok",
  }));
  app.get(
    "/readyz",
    { config: { open: true }, schema: { tags, summary: "Whether the server should get requests" } },
    async (_, reply) => {
      const reason = stopping ? "the server is stopping" : notReady();
      if (reason === undefined) return { status: "ready" };
      return reply.code(503).send(errorBody("not_ready", reason));
    },
  );
  app.get("/metrics", { schema: { tags, summary: "Metrics in the text format of Prometheus" } }, async (_, reply) =>
    reply.type(PROMETHEUS_TYPE).send(metrics.text()),
  );
}
