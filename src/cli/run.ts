/** Parses the arguments, runs the command and returns an exit code: 0 success, 1 internal error, 2 invalid input or a failed system call, such as a read error. */
import { Command, CommanderError, type Option } from "commander";
import { InputError, quote } from "../input-error.ts";
import { suggest } from "../part.ts";
import { visible } from "../printable.ts";
import { blendCommand } from "./blend.ts";
import { compareCommand } from "./compare.ts";
import { compareTiesCommand } from "./compare-ties.ts";
import { convertCommand } from "./convert.ts";
import { cvCommand } from "./cv.ts";
import { evaluateCommand } from "./evaluate.ts";
import { examples } from "./examples.ts";
import { explainCommand } from "./explain.ts";
import { listCommand } from "./list.ts";
import { unload } from "./load.ts";
import { complain } from "./output.ts";
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
  blendCommand,
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

/** The program with all its commands. */
export function build(): Command {
  const program = new Command("tierwise")
    .description("Learning to rank from tiers: ordered groups of tied items, such as stars, grades and clicks.")
    .version(versionOf())
    .configureOutput({ writeErr: () => {} }) // errors are reported once, below
    .exitOverride();
  for (const add of commands) add(program);
  for (const command of program.commands) {
    const lines = examples[command.name()];
    if (lines) command.addHelpText("after", `\nExamples:\n${lines.map((line) => `  ${line}`).join("\n")}`);
    command.copyInheritedSettings(program).exitOverride();
    for (const option of command.options) refuseTwice(command, option);
  }
  return program;
}

/** An option with a single value may be given once only: two values would be ambiguous. */
function refuseTwice(command: Command, option: Option): void {
  if (option.isBoolean() || option.variadic || option.parseArg) return; // the last two collect values
  let first: string | undefined;
  command.on(`option:${option.name()}`, (value: string) => {
    if (first !== undefined) throw new InputError(`${option.long} is given twice, as ${quote(first)} and as ${quote(value)}`);
    first = value;
  });
}

function fail(error: unknown, words: readonly string[], program: Command): number {
  if (error instanceof CommanderError && error.exitCode === 0) return 0;
  if (error instanceof CommanderError && words.length === 0) {
    process.stderr.write(program.helpInformation());
    return 2;
  }
  if (error instanceof CommanderError || error instanceof InputError) {
    const text = error instanceof InputError ? error.message : usage(error, words, program);
    complain(text);
    return 2;
  }
  const { code, syscall, path } = error as NodeJS.ErrnoException;
  if (error instanceof Error && syscall !== undefined && code !== undefined) {
    complain(`${path ?? "the system"}: ${syscall} failed (${code})`); // such as a disk that fails while data are read
    return 2;
  }
  complain("internal error, please report it");
  process.stderr.write(`${visible((error as Error)?.stack ?? String(error), "\n")}\n`);
  return 1;
}

/** What is wrong with the command line, in one line. */
function usage({ code, message }: CommanderError, words: readonly string[], program: Command): string {
  const names = program.commands.map((command) => command.name());
  if (code === "commander.help") return `unknown command ${quote(words.at(-1)!)}; ${suggest(words.at(-1)!, names)}`;
  const text = message.replace(/^error: /, "");
  if (code === "commander.unknownOption") return `${text}${ownersOf(text, program)}`;
  if (code !== "commander.missingArgument") return text;
  const swallowed = words.includes("--valid") ? "; --valid consumes every file after it, so list the other files first" : "";
  return `${words[0]}: ${text}${swallowed} (tierwise ${words[0]} --help)`;
}

/** The commands that know an option which another does not. */
function ownersOf(text: string, program: Command): string {
  const [, name] = /^unknown option '(.+?)'/.exec(text) ?? [];
  const owners = program.commands.filter(({ options }) => options.some(({ long, short }) => long === name || short === name));
  return owners.length === 0 ? "" : `; it is an option of ${owners.map((one) => one.name()).join(", ")}`;
}
