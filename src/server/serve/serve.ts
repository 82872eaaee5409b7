/** `tierwise serve` without its command line: models behind HTTP, ranked by worker threads. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { FastifyInstance } from "fastify";
import type { InterleaveMethod } from "../../interleave.ts";
import { createServer } from "../http/create-server.ts";
import type { Log } from "../http/log.ts";
import { addOpenApi } from "../http/open-api.ts";
import { addOperations } from "../http/operations.ts";
import type { Metrics } from "../http/prometheus.ts";
import { type Comparison, comparison } from "./comparison.ts";
import type { RankPool } from "./rank-pool.ts";
import { type Entry, type ModelSource, type ReloadListener, ServedModels } from "./served-models.ts";
import type { TransformModule } from "./worker-messages.ts";

/** A second model beside one of those served. */
export interface SecondModel extends ModelSource {
  /** Name of the model whose requests it takes part in. */
  readonly of: string;
  /** Share of lists that it serves. */
  readonly split: number;
  readonly interleave?: InterleaveMethod | undefined;
}

export interface ServeOptions {
  readonly models: readonly ModelSource[];
  readonly second?: SecondModel | undefined;
  readonly transform?: TransformModule | undefined;
  readonly threads: number;
  readonly token?: string | undefined;
  readonly cors?: string | undefined;
  readonly limits: {
    /** Bytes of a body. */
    readonly body: number;
    /** Items of a request. */
    readonly rows: number;
    /** Items of a request with probabilities or explanations. */
    readonly detailedRows: number;
    /** Seconds for a request to arrive, and again for its answer. */
    readonly seconds: number;
    /** Requests that may wait. */
    readonly queue: number;
  };
  /** Seconds between looks at the files; 0: never. */
  readonly reload: number;
  /** File of impressions and clicks. */
  readonly impressions?: string | undefined;
  readonly log: Log;
}

export interface Serving {
  readonly app: FastifyInstance;
  readonly models: ServedModels;
  readonly metrics: Metrics;
  readonly pool: RankPool;
}

/** Loads the models and builds the server, which does not listen yet. `app.close()` ends its threads too. */
export async function buildServing(options: ServeOptions): Promise<Serving> {
  const { limits, log, second } = options;
  const { app, metrics } = await createServer({
    ...options,
    command: "serve",
    packages: ["fastify", "@fastify/swagger", "typebox"],
  });
  // Modules that import typebox, which createServer has found to be there.
  const [{ RankPool }, { addRankRoute }, { addModelRoutes }, { addClickRoute, openImpressions }] = await Promise.all([
    import("./rank-pool.ts"),
    import("./rank-route.ts"),
    import("./model-routes.ts"),
    import("./impressions.ts"),
  ]);
  await addOpenApi(app, {
    ...{ command: "serve", title: "Tierwise", description: "Ranks the items of lists by trained models." },
    token: options.token !== undefined,
  });
  const compared = second && comparison(metrics, { model: second.of, other: second.name });
  const pool = new RankPool({ threads: options.threads, queue: limits.queue, log, ...poolMetrics(metrics, compared) });
  observePool(metrics, pool);
  const models = new ServedModels(pool, log, reloadMetrics(metrics), options.transform);
  const impressions = options.impressions === undefined ? undefined : await openImpressions(options.impressions, log);
  app.addHook("onClose", async () => {
    models.stop();
    await Promise.all([pool.stop(), impressions?.close()]);
    log.flush();
  });
  try {
    await pool.start();
    for (const source of [...options.models, ...(second ? [second] : [])]) await models.add(source);
  } catch (error) {
    await app.close();
    throw error;
  }
  const other = second && models.find(second.name);
  addOperations(app, metrics, () => (models.entries.length === 0 ? "no model is loaded" : undefined));
  addModelRoutes(...[app, models, (entry: Entry) => (entry === other ? roleOf(second!) : undefined)], (entry) =>
    entry.name === second?.of ? compared?.summary() : undefined,
  );
  await addRankRoute(app, {
    ...{ pool, models, metrics, log, limits },
    experimentOf: (entry) =>
      second && entry.name === second.of ? { other: other!, split: second.split, interleave: second.interleave } : undefined,
    impressions: (lines) => impressions?.add(lines),
  });
  if (impressions) addClickRoute(app, models, impressions);
  if (options.reload > 0) models.watch(options.reload);
  await app.ready();
  return { app, models, metrics, pool };
}

const roleOf = ({ split, interleave }: SecondModel) => (interleave ? "interleave" : split > 0 ? "split" : "shadow");

function poolMetrics(metrics: Metrics, compared: Comparison | undefined) {
  const batches = metrics.histogram("tierwise_batch_requests", "Requests that were ranked together.", [1, 2, 4, 8, 16]);
  return {
    observeBatch: (requests: number) => batches.observe(requests),
    compared: (message: { difference?: Parameters<Comparison["add"]>[0]; skipped: number; error?: string }) => {
      if (message.difference) compared?.add(message.difference);
      if (message.skipped > 0) compared?.skip(message.skipped);
      if (message.error !== undefined) compared?.fail(message.error);
    },
  };
}

const RESOLUTION = 5; // milliseconds between looks at the event loop

function observePool(metrics: Metrics, pool: RankPool): void {
  metrics.gauge("tierwise_queue_requests", "Requests that wait for a worker.", () => pool.depth);
  metrics.gauge("tierwise_workers_busy", "Workers that rank at the moment.", () => pool.busy);
  metrics.gauge("tierwise_worker_restarts", "Workers that were lost and replaced.", () => pool.restarts);
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION });
  delay.enable();
  metrics.gauge("tierwise_event_loop_delay_max_seconds", "Longest delay of the event loop since the last scrape.", () => {
    const worst = Math.max(0, delay.max / 1e6 - RESOLUTION) / 1000; // what is measured is the time between two looks
    delay.reset();
    return worst;
  });
}

function reloadMetrics(metrics: Metrics): ReloadListener {
  const info = metrics.gauge("tierwise_model_info", "1 for the version of each model that is served.");
  const reloads = metrics.counter("tierwise_model_loads_total", "Versions loaded, by model.");
  const refused = metrics.counter("tierwise_model_refusals_total", "Changed files that could not be loaded, by model.");
  const labels = ({ name }: Entry, { number, facts }: Entry["current"]) => ({
    model: name,
    version: String(number),
    digest: facts.digest,
  });
  return {
    loaded(entry, before) {
      if (before) info.remove(labels(entry, before));
      info.set(1, labels(entry, entry.current));
      reloads.add({ model: entry.name });
    },
    refused: (entry) => refused.add({ model: entry.name }),
  };
}
