/**
 * Temporary files: content is written to one beside its target, which then takes the target's name, so that a reader sees the old content
 * or the new, never part of it. A process that is ended in between has no chance to remove it; the process that ends it can, because its path is
 * announced to a listener first.
 */
import { randomBytes } from "node:crypto";
import { dirname, join } from "node:path";

/** Is called before a temporary file is created and when it is gone. */
export type TemporaryListener = (path: string, state: "created" | "gone") => void;

let announce: TemporaryListener = () => {};

/** Sets the listener for temporary files, one per thread. */
export function watchTemporary(listener: TemporaryListener): void {
  announce = listener;
}

/** A temporary file for `target`, announced; call `gone` when it was renamed or removed. */
export function temporaryFor(target: string): { readonly path: string; gone(): void } {
  const path = join(dirname(target), `.tierwise-${randomBytes(4).toString("hex")}.part`);
  announce(path, "created");
  return { path, gone: () => announce(path, "gone") };
}
