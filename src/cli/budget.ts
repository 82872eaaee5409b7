/** `--memory`: how much memory a command may use. The process that runs the command watches over it (see main.ts). */
import type { Command } from "commander";
import { InputError, quote } from "../input-error.ts";
import { setMemoryBudget, sizeFrom } from "../memory-budget.ts";
import { defaultMemory } from "../teams/machine-memory.ts";

let announce: (bytes: number) => void = () => {};

/** Is called with the budget of a command, in bytes. */
export function watchBudget(listener: (bytes: number) => void): void {
  announce = listener;
}

/** What Node and the modules of a command take before anything is read. */
const LEAST = 64 * 2 ** 20;

/** The option, for every command that reads files. */
export const addBudgetOption = (command: Command): Command =>
  command
    .option(
      "--memory <size>",
      "memory that the command may use, such as 500m or 2g (default: nine tenths of what the machine or container has)",
    )
    .hook("preAction", () => applyBudget(command));

/** Sets the budget that the options name, or the default. */
export function applyBudget(command: Command): void {
  const { memory } = command.opts<{ memory?: string }>();
  const bytes = memory === undefined ? defaultMemory() : sizeFrom(memory);
  if (bytes === undefined) throw new InputError(`--memory: expected a size such as 500m or 2g, got ${quote(memory!)}`);
  if (bytes < LEAST) throw new InputError(`--memory: expected at least 64m, got ${quote(memory!)}`);
  setMemoryBudget(bytes, "raise --memory");
  announce(bytes);
}
