/**
 * The names of temporary files (see durable.ts). A process that is ended while it writes one has no chance to remove it; the process that ends
 * it can, because its path is announced to a listener first.
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

/** Whether a name is that of a temporary file, which a process that was killed may have left. */
export const isTemporary = (name: string): boolean => /^\.tierwise-[0-9a-f]{8}\.part$/.test(name);
