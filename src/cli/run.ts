/** Parses the arguments, runs the command and returns an exit code: 0 success, 1 internal error, 2 invalid input or a failed system call, such as a read error. */
import { constants } from "node:os";
import { Command, CommanderError, type Option } from "commander";
import type { TrainingInterrupted } from "../checkpoint.ts";
import { InputError, quote } from "../input-error.ts";
import { suggest } from "../part.ts";
import { visible } from "../printable.ts";
import { addBudgetOption } from "./budget.ts";
import { examples } from "./examples.ts";
import { requestedBy } from "./interrupt.ts";
import { unload } from "./memory.ts";
import { complain } from "./output.ts";
import { runTogether } from "./processes.ts";
import { versionOf } from "./version.ts";

type AddCommand = (program: Command) => void;

/** The commands, in the order of the help. Only the one that runs is loaded: most of the time that a short command takes is loading code. */
const commands: Readonly<Record<string, () => Promise<AddCommand>>> = {
  inspect: async () => (await import("./inspect.ts")).inspectCommand,
  train: async () => (await import("./train.ts")).trainCommand,
  evaluate: async () => (await import("./evaluate.ts")).evaluateCommand,
  rank: async () => (await import("./rank.ts")).rankCommand,
  report: async () => (await import("./report.ts")).reportCommand,
  show: async () => (await import("./show.ts")).showCommand,
  explain: async () => (await import("./explain.ts")).explainCommand,
  importance: async () => (await import("./importance.ts")).importanceCommand,
  "what-if": async () => (await import("./what-if.ts")).whatIfCommand,
  blend: async () => (await import("./blend.ts")).blendCommand,
  convert: async () => (await import("./convert.ts")).convertCommand,
  compare: async () => (await import("./compare.ts")).compareCommand,
  cv: async () => (await import("./cv.ts")).cvCommand,
  tune: async () => (await import("./tune.ts")).tuneCommand,
  leaderboard: async () => (await import("./leaderboard.ts")).leaderboardCommand,
  ratings: async () => (await import("./ratings.ts")).ratingsCommand,
  next: async () => (await import("./next.ts")).nextCommand,
  "compare-ties": async () => (await import("./compare-ties.ts")).compareTiesCommand,
  poll: async () => (await import("./poll.ts")).pollCommand,
  lab: async () => (await import("./lab.ts")).labCommand,
  serve: async () => (await import("./serve.ts")).serveCommand,
  interleave: async () => (await import("./interleave.ts")).interleaveCommand,
  clicks: async () => (await import("./clicks.ts")).clicksCommand,
  papers: async () => (await import("./papers.ts")).papersCommand,
  list: async () => (await import("./list.ts")).listCommand,
};

async function runAlone(words: readonly string[]): Promise<number> {
  const named = words[0] !== undefined && Object.hasOwn(commands, words[0]) ? [words[0]] : undefined;
  const program = await build(named);
  try {
    await program.parseAsync([...words], { from: "user" });
    return 0;
  } catch (error) {
    return fail(error, words, error instanceof CommanderError ? await build() : program);
  } finally {
    unload();
  }
}

/** Runs a command, together with other processes where a launcher of MPI has started some. */
export const run = (words: readonly string[]): Promise<number> => runTogether(words[0], () => runAlone(words), complain);

/** The program with the commands named, or all. */
export async function build(names: readonly string[] = Object.keys(commands)): Promise<Command> {
  const program = new Command("tierwise")
    .description("Learning to rank from tiers: ordered groups of tied items, such as stars, grades and clicks.")
    .version(versionOf())
    .configureOutput({ writeErr: () => {} }) // errors are reported once, below
    .exitOverride();
  for (const name of names) (await commands[name]!())(program);
  for (const command of program.commands) {
    const lines = examples[command.name()];
    if (lines) command.addHelpText("after", `\nExamples:\n${lines.map((line) => `  ${line}`).join("\n")}`);
    command.copyInheritedSettings(program).exitOverride();
    if (command.name() !== "list") addBudgetOption(command);
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
  if (isInterruption(error)) {
    if (process.stderr.isTTY) process.stderr.write("\r\u001b[2K"); // the progress bar
    const number = requestedBy();
    const [signal] = Object.entries(constants.signals).find(([, one]) => one === number) ?? ["a request"];
    complain(`ended by ${signal}; the state of the training is in ${error.where}, and the same command continues from it`);
    return 128 + number;
  }
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

/** By name, so that a command that does not train need not load what does. */
const isInterruption = (error: unknown): error is TrainingInterrupted =>
  error instanceof Error && error.name === ("TrainingInterrupted" satisfies TrainingInterrupted["name"]);

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
