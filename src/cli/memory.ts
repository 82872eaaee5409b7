/** Memory of the data that a command reads. It stays until the command ends, where training and scoring need no copy of it. */
import { Heap } from "../numeric/heap.ts";

export const heap = new Heap();

/** Gives back the memory of all that was loaded. */
export const unload = (): void => heap.close();
