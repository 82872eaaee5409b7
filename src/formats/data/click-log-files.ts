/** Reads logs of clicks from files. */
import { check, checkOptions, numberFrom, someFunction, someName, someText } from "../../arguments.ts";
import type { ClickLog } from "../../clicks/click-log.ts";
import { type ClickLogOptions, clickLogReader } from "./click-log-parser.ts";
import { bytesOf, checkInput, sizeOf } from "./file-bytes.ts";

/** How logs of clicks are read. */
export interface ReadClicksOptions extends ClickLogOptions {
  /** Called while files are read. */
  readonly progress?: (bytesRead: number, bytesTotal: number) => void;
}

/** A log of clicks from one or several files: tables with the columns query, document, position and clicked, or JSON lines. */
export async function readClicks(paths: readonly string[], options: ReadClicksOptions = {}): Promise<ClickLog> {
  check("readClicks", paths, { wanted: "an array of paths", fits: Array.isArray });
  for (const path of paths) check("readClicks, a path", path, someText);
  checkOptions("readClicks", options, {
    ...{ query: someName, document: someName, position: someName, clicked: someName, impression: someName, dwell: someName },
    ...{ minDwell: numberFrom(0), progress: someFunction },
  });
  checkInput(paths);
  const { progress, ...columns } = options;
  const sizes = await Promise.all(paths.map(sizeOf));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const reader = clickLogReader(columns);
  let read = 0;
  for (const path of paths) {
    const sink = reader.open(path);
    for await (const chunk of bytesOf(path, (more) => progress?.((read += more), Math.max(total, read)))) sink.push(chunk);
    sink.end();
  }
  return reader.finish();
}
