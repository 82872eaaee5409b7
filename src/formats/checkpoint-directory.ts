/**
 * Checkpoints as files of a directory. Those of a name are numbered, NAME.000017.checkpoint, and the last two are kept. A file is written
 * beside its place, flushed to the disk and renamed, and then the directory is flushed, so that after a crash or a loss of power the files
 * are whole and the last that was reported as written is there.
 */
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { check, someName } from "../arguments.ts";
import { InputError } from "../input-error.ts";
import { isFolder } from "./check-paths.ts";
import { makeFolder, writeDurably } from "./durable.ts";
import { isTemporary } from "./temporary.ts";

/** A directory of checkpoints, which is also a `CheckpointStore`; its functions return no promises. */
export interface CheckpointDirectory {
  /** The path. */
  readonly where: string;
  /** What was saved under a name, the newest first. */
  load(name: string): Uint8Array[];
  /** Saves bytes under a name, and removes all but the last two of it. The directory is created if it does not exist. */
  save(name: string, bytes: Uint8Array): void;
  /** Removes what was saved under a name. */
  remove(name: string): void;
  /** Whether it has no checkpoint. */
  isEmpty(): boolean;
  /** Removes all checkpoints. Other files stay, and so does the directory. */
  clear(): void;
}

const KEPT = 2;
const FILE = /^(.+)\.(\d{6,})\.checkpoint$/;

/** Keeps checkpoints as files of a directory. */
export function checkpointDirectory(path: string): CheckpointDirectory {
  check("checkpointDirectory", path, someName);

  /** The files, the newest of a name first. */
  const files = (): { file: string; name: string; number: number }[] =>
    (isFolder(path) ? readdirSync(path) : [])
      .flatMap((file) => {
        const [, name, number] = FILE.exec(file) ?? [];
        return name === undefined ? [] : [{ file: join(path, file), name, number: Number(number) }];
      })
      .sort((a, b) => b.number - a.number);
  const filesOf = (name: string) => files().filter((one) => one.name === name);
  /** Files of writes that a killed process did not finish. */
  const unfinished = () =>
    (isFolder(path) ? readdirSync(path) : []).filter(isTemporary).map((file) => ({ file: join(path, file) }));
  const removeAll = (some: readonly { file: string }[]) => {
    for (const { file } of some) rmSync(file, { force: true });
  };

  return {
    where: path,
    load: (name) =>
      filesOf(name)
        .slice(0, KEPT)
        .map(({ file }) => contentOf(file)),
    save(name, bytes) {
      const before = filesOf(name);
      const number = (before[0]?.number ?? 0) + 1;
      makeFolder(path);
      removeAll(unfinished());
      writeDurably(join(path, `${name}.${String(number).padStart(6, "0")}.checkpoint`), bytes);
      removeAll(before.slice(KEPT - 1));
    },
    remove: (name) => removeAll(filesOf(name)),
    isEmpty: () => files().length === 0,
    clear: () => removeAll([...files(), ...unfinished()]),
  };
}

function contentOf(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new InputError(`${file}: the checkpoint cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}
