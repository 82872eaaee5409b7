/** `tierwise lab`: a page that trains in the browser, served or written as static files. */
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Command } from "commander";
import { checkFolder } from "../formats/check-paths.ts";
import { writeDurably } from "../formats/durable.ts";
import { InputError } from "../input-error.ts";
import { listen, stopGracefully } from "../server/http/listen.ts";
import { newLog } from "../server/http/log.ts";
import { readStaticFolder } from "../server/http/static-files.ts";
import { createLabServer } from "../server/lab-server.ts";
import { heeding } from "./interrupt.ts";
import { addCommonOptions, type Common, wholeNumber } from "./options.ts";
import { print, printJson } from "./output.ts";
import { applyConfigStrictly } from "./settings.ts";
import { untilSignal } from "./until-signal.ts";

interface Options extends Common {
  readonly out?: string;
  readonly host: string;
  readonly port: string;
}

const FOLDER = fileURLToPath(new URL("../../pages/lab", import.meta.url));
const GRACE = 2; // seconds for requests under way when the server stops

export function labCommand(program: Command): void {
  const command = program
    .command("lab")
    .summary("train in the browser: drop data on a page, which sends nothing anywhere")
    .description(
      "Serves a page that reads CSV, SVMlight and ballot files, trains on the kernels of this package in the browser, and gives the model file that tierwise train would write. Serving needs the package fastify; --out needs none.",
    )
    .option("--out <folder>", "write the page as static files into this folder, and serve nothing")
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .option("--port <number>", "port to listen on; 0 takes a free one", "8322");
  addCommonOptions(command).action(() => run(command));
}

async function run(command: Command): Promise<void> {
  applyConfigStrictly(command);
  const options = command.opts<Options>();
  const port = wholeNumber("port", options.port, 0, 65_535)!;
  if (options.out !== undefined) return writeOut(options.out, options);
  const log = newLog((text) => process.stderr.write(text), { quiet: options.quiet ?? false });
  const app = await createLabServer(FOLDER, log);
  try {
    await heeding(async () => {
      const url = await listen(app, { host: options.host, port });
      if (options.json) printJson({ url });
      else print(`The lab is at ${url}. Ctrl+C stops the server.`);
      await untilSignal();
    });
  } finally {
    await stopGracefully(app, GRACE);
    log.flush();
  }
}

function writeOut(folder: string, { json }: Options): void {
  checkFolder("--out", folder);
  const files = readStaticFolder(FOLDER);
  for (const [name, { bytes }] of files) {
    const path = join(folder, name);
    mkdir(dirname(path));
    writeDurably(path, bytes);
  }
  if (json) printJson({ out: folder, files: [...files.keys()].sort() });
  else print(`The lab is in ${folder}: ${files.size} files, to be served with the headers that docs/commands/lab.md lists.`);
}

function mkdir(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw new InputError(`--out ${folder}: cannot be made a folder (${(error as NodeJS.ErrnoException).code})`);
  }
}
