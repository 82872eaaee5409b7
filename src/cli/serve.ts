/** `tierwise serve`: ranks over HTTP. */
import { basename } from "node:path";
import type { Command } from "commander";
import { InputError, quote } from "../input-error.ts";
import { type InterleaveMethod, interleaveMethods } from "../interleave.ts";
import { sizeFrom } from "../memory-budget.ts";
import { suggest } from "../part.ts";
import { listen, stopGracefully } from "../server/http/listen.ts";
import { newLog } from "../server/http/log.ts";
import { tokenFrom } from "../server/http/token.ts";
import { buildServing, type SecondModel, type ServeOptions } from "../server/serve/serve.ts";
import type { ModelSource } from "../server/serve/served-models.ts";
import { cores, MOST } from "../teams/threads.ts";
import { FileOption } from "./file-option.ts";
import { checkFiles } from "./files.ts";
import { heeding, requestWord } from "./interrupt.ts";
import { addCommonOptions, type Common, wholeNumber } from "./options.ts";
import { notice } from "./output.ts";
import { addTransformCode, ownArgument } from "./own-code.ts";
import { applyConfigStrictly } from "./settings.ts";

interface Options extends Common {
  readonly host: string;
  readonly port: string;
  readonly threads?: string;
  readonly token?: string;
  readonly tokenFile?: string;
  readonly cors?: string;
  readonly maxBody: string;
  readonly maxRows: string;
  readonly maxDetailed: string;
  readonly timeout: string;
  readonly queue: string;
  readonly reload: string;
  readonly grace: string;
  readonly shadow?: string;
  readonly split?: string;
  readonly interleave?: string;
  readonly impressions?: string;
  readonly transform?: string;
}

export function serveCommand(program: Command): void {
  const command = program
    .command("serve")
    .summary("rank over HTTP")
    .description(
      "Serves models: POST /models/NAME/rank ranks lists, GET /docs describes all routes. NAME is that of the file without its ending, or is given as NAME=FILE. Needs the packages fastify, @fastify/swagger and typebox.",
    )
    .argument("<models...>", "model files, of tierwise or of another tool")
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .option("--port <number>", "port to listen on; 0 takes a free one", "8080")
    .option("--threads <number>", "worker threads (default: one for each core)")
    .option("--token <text>", "token that requests must bring (better: --token-file, or TIERWISE_TOKEN in the environment)")
    .addOption(new FileOption("--token-file <file>", "file with that token", "reads"))
    .option("--cors <origin>", "origin whose pages may call the server, such as https://example.com")
    .option("--max-body <size>", "largest body of a request", "16m")
    .option("--max-rows <items>", "most items of a request", "20000")
    .option("--max-detailed <items>", "most items of a request with probabilities or explanations", "1000")
    .option("--timeout <seconds>", "time for a request to arrive, and for its answer", "10")
    .option("--queue <requests>", "requests that may wait; more are answered with 503", "256")
    .option("--reload <seconds>", "how often model files are checked for changes; 0 for never", "1")
    .option("--grace <seconds>", "time for requests under way to finish when the server is stopped", "10")
    .addOption(
      new FileOption(
        "--shadow <model>",
        "second model, which ranks the same lists in the background (NAME=FILE with several models)",
        "reads",
      ),
    )
    .option("--split <fraction>", "fraction of lists that the second model serves, by a hash of the list id")
    .option("--interleave <method>", `interleave the rankings of both models: ${interleaveMethods.join(" or ")}`)
    .addOption(new FileOption("--impressions <file>", "append interleaved rankings, and clicks on them, to this file", "writes"));
  addCommonOptions(addTransformCode(command)).action((models: string[]) => run(command, models));
}

async function run(command: Command, files: readonly string[]): Promise<void> {
  applyConfigStrictly(command);
  const options = command.opts<Options>();
  const models = files.map((text) => sourceFrom(text));
  checkFiles(command, { others: models.map(({ path }) => path) });
  const serving = await settingsFrom(options, models);
  const { host } = options;
  if (!/^[\w.:%-]+$/.test(host)) throw new InputError(`--host: expected an address or the name of a host, got ${quote(host)}`);
  const port = wholeNumber("port", options.port, 0, 65_535)!;
  const grace = seconds("grace", options.grace);
  const { app } = await buildServing(serving);
  const { log } = serving;
  try {
    await heeding(async () => {
      const url = await listen(app, { host, port });
      process.stdout.write(options.json ? `${JSON.stringify({ url })}\n` : `${url}\n`);
      log("info", "listening", { url, models: models.map(({ name }) => name), threads: serving.threads });
      if (serving.token === undefined && !["127.0.0.1", "::1", "localhost"].includes(host) && !options.quiet)
        notice(`${host} can be reached from other machines, and the server has no --token`);
      await signal();
      log("info", "stopping", {});
      const cut = await stopGracefully(app, grace);
      log("info", "stopped", { cut });
    });
  } finally {
    await app.close();
    log.flush();
  }
}

const EVERY = 50; // milliseconds

/** Resolves when a signal asks for an end (see interrupt.ts). */
const signal = (): Promise<void> =>
  new Promise((resolve) => {
    const word = requestWord();
    const timer = setInterval(() => {
      if (Atomics.load(word, 0) === 0) return;
      clearInterval(timer);
      resolve();
    }, EVERY);
  });

const NAME = /^[A-Za-z0-9][\w.-]{0,99}$/;

/** A model as it was given, FILE or NAME=FILE. */
function sourceFrom(text: string): ModelSource {
  const [, given, rest] = /^([^/\\=]+)=(.+)$/s.exec(text) ?? [];
  const path = rest ?? text;
  const name = given ?? basename(path).replace(/\.(json|txt|xml|onnx|model|ubj|bin)$/i, "");
  if (!NAME.test(name))
    throw new InputError(
      `${path}: ${quote(name)} cannot be part of a URL; give a name of letters, digits, -, _ and .: NAME=${path}`,
    );
  return { name, path };
}

function seconds(name: string, text: string, least = 0): number {
  const value = /^\d*\.?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= least))
    throw new InputError(
      `--${name}: expected a number of seconds${least > 0 ? ` of at least ${least}` : ""}, got ${quote(text)}`,
    );
  return value;
}

async function settingsFrom(options: Options, models: readonly ModelSource[]): Promise<ServeOptions> {
  const { token, tokenFile, cors, maxBody, impressions } = options;
  const second = secondFrom(options, models);
  const names = [...models, ...(second ? [second] : [])].map(({ name }) => name);
  const twice = names.find((name, m) => names.indexOf(name) !== m);
  if (twice !== undefined) throw new InputError(`two models have the name ${quote(twice)}; give them others: NAME=FILE`);
  const body = sizeFrom(maxBody);
  if (body === undefined || body < 1024)
    throw new InputError(`--max-body: expected a size of at least 1k, such as 16m, got ${quote(maxBody)}`);
  if (cors !== undefined && !/^https?:\/\/[\w.:[\]-]+$/.test(cors))
    throw new InputError(`--cors: expected one origin, such as https://example.com, got ${quote(cors)}`);
  if (impressions !== undefined && !second?.interleave)
    throw new InputError("--impressions: what is logged are interleaved rankings; give --interleave too");
  const own = options.transform === undefined ? undefined : await ownArgument("--transform", "transform", options.transform);
  return {
    ...{ models, second, cors, impressions },
    transform: own && { url: own.module.href, options: own.options },
    threads: wholeNumber("threads", options.threads, 1, MOST) ?? cores(),
    token: tokenFrom({ token, tokenFile, environment: process.env.TIERWISE_TOKEN }),
    limits: {
      body,
      rows: wholeNumber("max-rows", options.maxRows, 1)!,
      detailedRows: wholeNumber("max-detailed", options.maxDetailed, 1)!,
      seconds: seconds("timeout", options.timeout, 0.05),
      queue: wholeNumber("queue", options.queue, 1)!,
    },
    reload: seconds("reload", options.reload),
    log: newLog((text) => void process.stderr.write(text), { quiet: options.quiet ?? false }),
  };
}

/** The second model, with what it is for. */
function secondFrom({ shadow, split, interleave }: Options, models: readonly ModelSource[]): SecondModel | undefined {
  for (const [flag, value] of Object.entries({ split, interleave }))
    if (value !== undefined && shadow === undefined)
      throw new InputError(`--${flag}: needs a second model; name it with --shadow`);
  if (split !== undefined && interleave !== undefined)
    throw new InputError("--split and --interleave: give one of them, not both");
  if (shadow === undefined) return undefined;
  const [, of, rest] = /^([^/\\=]+)=(.+)$/s.exec(shadow) ?? [];
  const names = models.map(({ name }) => name);
  if (of === undefined && names.length > 1)
    throw new InputError(
      `--shadow: say which of the models it goes with: NAME=${shadow}, where NAME is one of ${names.join(", ")}`,
    );
  if (of !== undefined && !names.includes(of))
    throw new InputError(`--shadow: no model has the name ${quote(of)}; ${suggest(of, names)}`);
  const fraction = split === undefined ? 0 : /^\d*\.?\d+$/.test(split) ? Number(split) : Number.NaN;
  if (!(fraction >= 0 && fraction <= 1)) throw new InputError(`--split: expected a fraction from 0 to 1, got ${quote(split!)}`);
  if (interleave !== undefined && !interleaveMethods.some((one) => one === interleave))
    throw new InputError(`--interleave: no method is called ${quote(interleave)}; ${suggest(interleave, interleaveMethods)}`);
  const source = sourceFrom(rest ?? shadow);
  const name = names.includes(source.name) ? `${source.name}.shadow` : source.name;
  return { ...source, name, of: of ?? names[0]!, split: fraction, interleave: interleave as InterleaveMethod | undefined };
}
