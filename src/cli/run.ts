/** The commands of the command line, from words to an exit code: 0 done, 1 a failure of the program, 2 a mistake of the caller. */
import { Command, CommanderError } from "commander";
import { Mistake, quote } from "../mistake.ts";
import { guess } from "../part.ts";
import { compareCommand } from "./compare.ts";
import { compareTiesCommand } from "./compare-ties.ts";
import { convertCommand } from "./convert.ts";
import { cvCommand } from "./cv.ts";
import { evaluateCommand } from "./evaluate.ts";
import { examples } from "./examples.ts";
import { explainCommand } from "./explain.ts";
import { listCommand } from "./list.ts";
import { unload } from "./load.ts";
import { papersCommand } from "./papers.ts";
import { rankCommand } from "./rank.ts";
import { reportCommand, versionOf } from "./report.ts";
import { showCommand } from "./show.ts";
import { trainCommand } from "./train.ts";
import { tuneCommand } from "./tune.ts";

const commands = [
  trainCommand,
  evaluateCommand,
  rankCommand,
  reportCommand,
  showCommand,
  explainCommand,
  convertCommand,
  compareCommand,
  cvCommand,
  tuneCommand,
  compareTiesCommand,
  papersCommand,
  listCommand,
];

export async function run(words: readonly string[]): Promise<number> {
  const program = build();
  try {
    await program.parseAsync([...words], { from: "user" });
    return 0;
  } catch (error) {
    return fail(error, words, program);
  } finally {
    unload();
  }
}

function build(): Command {
  const program = new Command("tierwise")
    .description("Learns to rank from tiers: groups of tied items in order, which is what stars, grades and clicks are.")
    .version(versionOf())
    .configureOutput({ writeErr: () => {} }) // mistakes are told once, below
    .exitOverride();
  for (const add of commands) add(program);
  for (const command of program.commands) {
    const lines = examples[command.name()];
    if (lines) command.addHelpText("after", `\nExamples:\n${lines.map((line) => `  ${line}`).join("\n")}`);
    command.copyInheritedSettings(program).exitOverride();
  }
  return program;
}

function fail(error: unknown, words: readonly string[], program: Command): number {
  if (error instanceof CommanderError && error.exitCode === 0) return 0;
  if (error instanceof CommanderError && words.length === 0) {
    process.stderr.write(program.helpInformation());
    return 2;
  }
  if (error instanceof CommanderError || error instanceof Mistake) {
    const text = error instanceof Mistake ? error.message : usage(error, words, program);
    process.stderr.write(`tierwise: ${text.replace(/\s*[\r\n]+\s*/g, " ")}\n`);
    return 2;
  }
  process.stderr.write(`tierwise: this is a defect of tierwise, please report it\n${(error as Error)?.stack ?? String(error)}\n`);
  return 1;
}

/** What is wrong with the command line, in one line. */
function usage({ code, message }: CommanderError, words: readonly string[], program: Command): string {
  const names = program.commands.map((command) => command.name());
  if (code === "commander.help") return `unknown command ${quote(words.at(-1)!)}; ${guess(words.at(-1)!, names)}`;
  const text = message.replace(/^error: /, "");
  if (code !== "commander.missingArgument") return text;
  const swallowed = words.includes("--valid") ? "; --valid takes every file after it, so name the others before it" : "";
  return `${words[0]}: ${text}${swallowed} (tierwise ${words[0]} --help)`;
}
