#!/usr/bin/env node
/** The command line. Exit codes: 0 done, 1 a negative answer or a failure of the program, 2 a mistake of the caller. */
import { readFileSync } from "node:fs";
import { Command, CommanderError } from "commander";
import { Mistake, quote } from "../mistake.ts";
import { guess } from "../part.ts";
import { evaluateCommand } from "./evaluate.ts";
import { examples } from "./examples.ts";
import { listCommand } from "./list.ts";
import { rankCommand } from "./rank.ts";
import { showCommand } from "./show.ts";
import { trainCommand } from "./train.ts";

const { version } = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8")) as { version: string };

const program = new Command("tierwise")
  .description("Learns to rank from tiers: groups of tied items in order, which is what stars, grades and clicks are.")
  .version(version)
  .configureOutput({ writeErr: () => {} }) // mistakes are told once, below
  .exitOverride();

for (const add of [trainCommand, evaluateCommand, rankCommand, showCommand, listCommand]) add(program);
for (const command of program.commands) {
  const lines = examples[command.name()];
  if (lines) command.addHelpText("after", `\nExamples:\n${lines.map((line) => `  ${line}`).join("\n")}`);
  command.copyInheritedSettings(program).exitOverride();
}

function fail(error: unknown): number {
  if (error instanceof CommanderError && error.exitCode === 0) return 0;
  if (error instanceof CommanderError && error.code === "commander.help" && process.argv.length <= 2) {
    process.stderr.write(program.helpInformation());
    return 2;
  }
  if (error instanceof CommanderError || error instanceof Mistake) {
    const text = error instanceof Mistake ? error.message : usage(error);
    process.stderr.write(`tierwise: ${text.replace(/\s*[\r\n]+\s*/g, " ")}\n`);
    return 2;
  }
  process.stderr.write(`tierwise: this is a defect of tierwise, please report it\n${(error as Error)?.stack ?? String(error)}\n`);
  return 1;
}

/** What is wrong with the command line, in one line. */
function usage({ code, message }: CommanderError): string {
  const words = process.argv.slice(2);
  const commands = program.commands.map((command) => command.name());
  if (code === "commander.help") return `unknown command ${quote(words.at(-1)!)}; ${guess(words.at(-1)!, commands)}`;
  const text = message.replace(/^error: /, "");
  if (code !== "commander.missingArgument") return text;
  const swallowed = words.includes("--valid") ? "; --valid takes every file after it, so name the others before it" : "";
  return `${words[0]}: ${text}${swallowed} (tierwise ${words[0]} --help)`;
}

// A reader that has seen enough, such as head, closes the pipe. Without one the results are in vain, the remarks are not missed.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});
process.stderr.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

// Files are written in one step, so that ending between steps leaves none half-written.
const signals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
for (const [signal, code] of Object.entries(signals)) process.on(signal, () => process.exit(code));

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = fail(error);
}
