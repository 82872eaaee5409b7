/**
 * Structured logs: a JSON object per line with time, level and event. Lines are collected and written together, at most every
 * `EVERY` milliseconds, so that a busy server does not make a system call for each request.
 */
export type Level = "info" | "warn" | "error";

/** Writes one event. Values must be plain JSON. */
export interface Log {
  (level: Level, event: string, fields?: Readonly<Record<string, unknown>>): void;
  /** Writes what has been collected. */
  flush(): void;
}

const EVERY = 100; // milliseconds
const MOST = 1 << 16; // characters that are collected

/** A log that gives its lines to `write`. With `quiet`, only warnings and errors. */
export function newLog(write: (text: string) => void, { quiet = false }: { readonly quiet?: boolean } = {}): Log {
  let waiting = "";
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    const text = waiting;
    waiting = "";
    if (text !== "") write(text);
  };
  const log = (level: Level, event: string, fields: Readonly<Record<string, unknown>> = {}) => {
    if (quiet && level === "info") return;
    waiting += `${JSON.stringify({ time: new Date().toISOString(), level, event, ...fields })}\n`;
    if (waiting.length > MOST) flush();
    else timer ??= setTimeout(flush, EVERY).unref();
  };
  return Object.assign(log, { flush });
}
