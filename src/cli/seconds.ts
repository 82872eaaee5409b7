/** Times on the command line. */
const UNITS = { s: 1, m: 60, h: 3600 } as const;

/** The seconds of a time above 0, such as 90s, 10m or 2h; undefined for other texts. */
export function secondsOf(text: string): number | undefined {
  const [, number, unit] = /^(\d+(?:\.\d+)?)\s*([smh])$/.exec(text.trim()) ?? [];
  const seconds = Number(number) * UNITS[unit as keyof typeof UNITS];
  return seconds > 0 && Number.isFinite(seconds) ? seconds : undefined;
}
