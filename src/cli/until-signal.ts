/** Waits for the signal that ends a server. */
import { requestedBy } from "./interrupt.ts";

const LOOK = 50; // milliseconds between looks

/** Resolves when a signal asks the command to end (see main.ts). To be called within `heeding`, which makes signals such requests. */
export async function untilSignal(): Promise<void> {
  while (requestedBy() === 0) await new Promise((resolve) => setTimeout(resolve, LOOK));
}
