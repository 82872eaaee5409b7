#!/usr/bin/env node
/** The command line. Exit codes: 0 done, 1 a negative answer or a failure of the program, 2 a mistake of the caller. */
import { readFileSync } from "node:fs";
import { Command, CommanderError } from "commander";
import { Mistake } from "../mistake.ts";
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
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0;
    if (error.code === "commander.help") {
      process.stderr.write(program.helpInformation());
      return 2;
    }
    process.stderr.write(`tierwise: ${error.message.replace(/^error: /, "").replace(/\s*\n\s*/g, " ")}\n`);
    return 2;
  }
  if (error instanceof Mistake) {
    process.stderr.write(`tierwise: ${error.message}\n`);
    return 2;
  }
  process.stderr.write(`tierwise: this is a defect of tierwise, please report it\n${(error as Error)?.stack ?? String(error)}\n`);
  return 1;
}

process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0); // the reader, such as head, has seen enough
  throw error;
});
process.on("SIGINT", () => process.exit(130));

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = fail(error);
}
