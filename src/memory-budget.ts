/**
 * How much memory the process may use, and how much it uses. What allocates much asks here first, so that too much data end with one line
 * instead of a process that the system kills. The budget counts resident memory: kernel memory, arrays and the JavaScript heap alike.
 */
import { InputError } from "./input-error.ts";

interface Host {
  readonly memoryUsage?: { readonly rss?: () => number };
}

const { process: host } = globalThis as { process?: Host };

let budget = Number.POSITIVE_INFINITY;
let remedy = "raise the option memory";

/** The bytes that the process may use; Infinity where no budget is set. */
export const memoryBudget = (): number => budget;

/** How a budget is raised, in words that follow "use less data, or". */
export const memoryRemedy = (): string => remedy;

/** Sets the budget of this thread. */
export function setMemoryBudget(bytes: number, how = "raise the option memory"): void {
  budget = bytes;
  remedy = how;
}

/** The bytes that the process uses; 0 where that is not known, as in a browser. */
export const usedMemory = (): number => host?.memoryUsage?.rss?.() ?? 0;

/** Runs `act` under a budget; undefined leaves the present one. It holds for everything that the process does meanwhile. */
export async function withMemory<R>(bytes: number | undefined, act: () => Promise<R>): Promise<R> {
  if (bytes === undefined) return act();
  const [before, how] = [budget, remedy];
  setMemoryBudget(bytes);
  try {
    return await act();
  } finally {
    setMemoryBudget(before, how);
  }
}

/** Refuses, before it is allocated, what would exceed the budget: `what` needs `bytes`. */
export function checkMemory(what: string, bytes: number, used?: number): void {
  if (budget === Number.POSITIVE_INFINITY) return; // and the system is not asked, which takes longer than reading a small file
  used ??= usedMemory();
  if (used + bytes <= budget) return;
  throw new InputError(
    `out of memory: ${what} needs ${sizeText(bytes)}, ${sizeText(used)} are in use and the budget is ${sizeText(budget)}; use less data, or ${remedy}`,
  );
}

/** Whether an error says that memory, of this process, is used up. */
export const isOutOfMemory = (error: unknown): boolean => error instanceof InputError && /\bout of memory: /.test(error.message);

const UNITS = ["bytes", "KB", "MB", "GB", "TB", "PB"];

/** A number of bytes as people write it: "1.5 GB", in units of 1024. */
export function sizeText(bytes: number): string {
  if (!Number.isFinite(bytes)) return "unlimited";
  let unit = 0;
  for (; bytes >= 1000 && unit < UNITS.length - 1; unit++) bytes /= 1024;
  return `${unit > 0 && bytes < 10 ? bytes.toFixed(1) : Math.round(bytes)} ${UNITS[unit]}`;
}

const SIZE = /^(\d+(?:\.\d+)?)\s*(?:([kmgt])i?)?b?$/i;

/** The bytes that a text such as "2g", "512 MB" or "1.5GiB" stands for, or undefined. */
export function sizeFrom(text: string): number | undefined {
  const [, number, unit = ""] = SIZE.exec(text.trim()) ?? [];
  if (number === undefined) return undefined;
  const bytes = Math.floor(Number(number) * 1024 ** (unit === "" ? 0 : "kmgt".indexOf(unit.toLowerCase()) + 1));
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}
