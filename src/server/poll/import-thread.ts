/** The thread that reads a file of ballots for one imported poll, so that a large file keeps nobody waiting. */
import { parentPort, workerData } from "node:worker_threads";
import { InputError } from "../../input-error.ts";
import { importPoll } from "./import-poll.ts";

export interface ImportRequest {
  readonly name: string;
  readonly content: Uint8Array;
  readonly title: string | undefined;
}

export type ImportAnswer = ReturnType<typeof importPoll> | { readonly refusal: string };

const { name, content, title } = workerData as ImportRequest;
let answer: ImportAnswer;
try {
  answer = importPoll(name, content, title);
} catch (error) {
  if (!(error instanceof InputError)) throw error;
  answer = { refusal: error.message };
}
parentPort!.postMessage(answer);
