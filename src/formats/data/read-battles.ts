/** Reads battles from files. */
import { check, checkOptions, someFunction, someText, someTexts } from "../../arguments.ts";
import type { Battles } from "../../data/battles.ts";
import { type BattleColumnOptions, battleReader } from "./battles-parser.ts";
import { bytesOf, checkInput, sizeOf } from "./file-bytes.ts";

/** How battles are read. */
export interface ReadBattlesOptions extends BattleColumnOptions {
  /** Called while files are read. */
  readonly progress?: (bytesRead: number, bytesTotal: number) => void;
}

/** Battles from one or several tables: `model_a,model_b,winner` or `winner,loser`, with perhaps `count` and columns that options name. */
export async function readBattles(paths: readonly string[], options: ReadBattlesOptions = {}): Promise<Battles> {
  check("readBattles", paths, { wanted: "an array of paths", fits: Array.isArray });
  for (const path of paths) check("readBattles, a path", path, someText);
  checkOptions("readBattles", options, {
    ...{ cluster: someText, by: someText, weight: someText, covariates: someTexts, progress: someFunction },
  });
  checkInput(paths);
  const sizes = await Promise.all(paths.map(sizeOf));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const reader = battleReader(options);
  let read = 0;
  for (const path of paths) {
    const sink = reader.open(path);
    for await (const chunk of bytesOf(path, (more) => options.progress?.((read += more), Math.max(total, read))))
      sink.push(chunk);
    sink.end();
  }
  return reader.finish();
}
