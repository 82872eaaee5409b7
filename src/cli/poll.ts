/** `tierwise poll`: a server of tier-list polls. */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import type { Command } from "commander";
import { InputError } from "../input-error.ts";
import { HttpError } from "../server/http/http-error.ts";
import { listen, stopGracefully } from "../server/http/listen.ts";
import { newLog } from "../server/http/log.ts";
import { tokenFrom } from "../server/http/token.ts";
import { createPollServer } from "../server/poll/poll-server.ts";
import { FileOption } from "./file-option.ts";
import { checkFiles } from "./files.ts";
import { heeding } from "./interrupt.ts";
import { addCommonOptions, type Common, wholeNumber } from "./options.ts";
import { print, printJson } from "./output.ts";
import { applyConfigStrictly } from "./settings.ts";
import { untilSignal } from "./until-signal.ts";

interface Options extends Common {
  readonly db: string;
  readonly host: string;
  readonly port: string;
  readonly import?: readonly string[];
  readonly votesPerMinute: string;
  readonly token?: string;
  readonly tokenFile?: string;
  readonly trustProxy?: true;
}

const PAGES = fileURLToPath(new URL("../../pages/poll", import.meta.url));
const GRACE = 5; // seconds for requests under way when the server stops

export function pollCommand(program: Command): void {
  const command = program
    .command("poll")
    .summary("serve tier-list polls: people drag items into tiers, and a leaderboard adds them up")
    .description(
      "Serves a page on which anyone can create a poll, drag items into tiers, and see a leaderboard with rank intervals. Needs the packages fastify and libsql.",
    )
    .option(
      "--db <database>",
      "database of the polls: a file, or the URL of a libsql server (its token: TIERWISE_DB_TOKEN)",
      "polls.db",
    )
    .option("--host <address>", "address to listen on; 0.0.0.0 for all", "127.0.0.1")
    .option("--port <number>", "port to listen on; 0 takes a free one", "8321")
    .addOption(new FileOption("--import <files...>", "files of ballots that become polls with results only", "reads data"))
    .option("--votes-per-minute <number>", "votes that one address may send; 0: no limits of any kind", "60")
    .option("--token <token>", "what creators of polls must know (also: TIERWISE_TOKEN); without it anyone may create polls")
    .addOption(new FileOption("--token-file <file>", "a file with that token", "reads"))
    .option("--trust-proxy", "take the addresses of voters from X-Forwarded-For of a proxy on this machine");
  addCommonOptions(command).action(() => run(command));
}

async function run(command: Command): Promise<void> {
  applyConfigStrictly(command);
  checkFiles(command, {});
  const options = command.opts<Options>();
  const port = wholeNumber("port", options.port, 0, 65_535)!;
  const votesPerMinute = wholeNumber("votes-per-minute", options.votesPerMinute, 0)!;
  if (options.db === "") throw new InputError("--db: expected a file or a URL, got an empty text");
  const token = tokenFrom({ token: options.token, tokenFile: options.tokenFile, environment: process.env.TIERWISE_TOKEN });
  const log = newLog((text) => process.stderr.write(text), { quiet: options.quiet ?? false });
  const database = { path: options.db, token: process.env.TIERWISE_DB_TOKEN };
  const { app, importFile } = await createPollServer({
    ...{ database, pages: PAGES, log, votesPerMinute, token, trustProxy: options.trustProxy ?? false },
  });
  try {
    await heeding(() => serve());
  } finally {
    await stopGracefully(app, GRACE);
    log.flush();
  }

  async function serve(): Promise<void> {
    const imported = [];
    for (const path of options.import ?? []) imported.push({ path, ...(await importedBy(importFile, path)) });
    const url = await listen(app, { host: options.host, port });
    const links = imported.map(({ path, poll, admin }) => ({
      file: path,
      poll: `${url}/p/${poll}`,
      admin: `${url}/admin#${admin}`,
    }));
    if (options.json) printJson({ url, db: options.db, imported: links });
    else {
      print(`Polls are at ${url}, stored in ${options.db}. Ctrl+C stops the server.`);
      for (const { file, poll, admin } of links) print(`${file}: ${poll}/results (admin: ${admin})`);
    }
    await untilSignal();
  }
}

async function importedBy(
  importFile: (name: string, content: Uint8Array) => Promise<{ poll: string; admin: string }>,
  path: string,
) {
  try {
    return await importFile(basename(path), readFileSync(path));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof HttpError) throw new InputError(`--import ${path}: ${error.message}`);
    throw code === undefined ? error : new InputError(`--import ${path}: cannot be read (${code})`);
  }
}
