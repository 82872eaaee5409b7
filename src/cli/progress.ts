/** Progress on standard error: one line that changes on a terminal, with the time left; plain lines elsewhere. */
import { visible } from "../printable.ts";

const terminal = process.stderr.isTTY === true;

export interface Progress {
  /** A fraction between 0 and 1, with a text. */
  at(fraction: number, text: string): void;
  /** A line that stays, where there is no terminal. */
  line(text: string): void;
  /** Work of known size, in equal pieces: how much of it is done. The remaining time is estimated from the pace so far. */
  steady(fraction: number): void;
  isSteady(): boolean;
  done(): void;
}

const silent: Progress = { at() {}, line() {}, steady() {}, isSteady: () => false, done() {} };

const SELDOM = 30_000; // milliseconds between lines where there is no terminal

export function progress(what: string, quiet: boolean): Progress {
  if (quiet) return silent;
  const begun = Date.now();
  let shown = 0;
  let steady = false;
  const line = (text: string) => void process.stderr.write(`${visible(text)}\n`);
  /** The longest that is left: training may end sooner. */
  const most = (fraction: number) => durationText(((Date.now() - begun) / 1000) * (1 / fraction - 1));
  if (!terminal)
    return {
      at() {},
      line,
      steady(fraction) {
        steady = true;
        if (Date.now() - Math.max(begun, shown) < SELDOM) return;
        shown = Date.now();
        line(`${what}: ${(100 * fraction).toFixed(1)} % of the maximum duration, at most ${most(fraction)} left`);
      },
      isSteady: () => steady,
      done() {},
    };
  return {
    steady(fraction) {
      steady = true;
      this.at(fraction, `at most ${most(fraction)}`);
    },
    isSteady: () => steady,
    at(fraction, text) {
      const now = Date.now();
      if (now - shown < 80 && fraction < 1) return;
      shown = now;
      const spent = (now - begun) / 1000;
      const left = fraction > 0.01 && spent > 0.5 ? `  ${durationText((spent * (1 - fraction)) / fraction)} left` : "";
      const filled = Math.round(20 * Math.min(1, fraction));
      const bar = `${"█".repeat(filled)}${"░".repeat(20 - filled)}`;
      const line = visible(`${what} ${bar} ${text}${left}`).slice(0, (process.stderr.columns || 120) - 1); // a longer one would stay
      process.stderr.write(`\r\u001b[2K${line}`);
    },
    line() {},
    done: () => void process.stderr.write("\r\u001b[2K"),
  };
}

export function durationText(seconds: number): string {
  if (seconds < 90) return `${Math.max(0, Math.round(seconds))} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}
