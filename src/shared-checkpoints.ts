/** Checkpoints of several processes: the first of them reads and writes the store, and all continue from what it finds. */
import type { CheckpointStore } from "./checkpoint.ts";
import { broadcastAll } from "./teams/communicator.ts";
import { communicator, isFirstProcess } from "./teams/processes.ts";

/** What the store has under a name, in every process. */
export async function loadTogether(store: CheckpointStore, name: string): Promise<readonly Uint8Array[]> {
  const found = isFirstProcess() ? await store.load(name) : [];
  const others = communicator();
  return others ? broadcastAll(others, found) : found;
}

/** Saves bytes, in the first process. */
export async function saveOnce(store: CheckpointStore, name: string, bytes: Uint8Array): Promise<void> {
  if (isFirstProcess()) await store.save(name, bytes);
}

/** Removes what was saved, in the first process. */
export async function removeOnce(store: CheckpointStore, name: string): Promise<void> {
  if (isFirstProcess()) await store.remove(name);
}
