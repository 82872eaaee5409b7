/**
 * Which of two models serves a list: its share is the first 32 bits of the SHA-256 of "MODEL/ID", as a fraction of 2^32, where MODEL is the name
 * under which the model is served and ID the id of the list. Lists whose share is below --split go to the second model: always the same ones, and a
 * larger split keeps all lists of a smaller one.
 */
import { createHash } from "node:crypto";

/** A number from 0 to 1 that depends on the name of the model and the id of the list alone. */
export const shareOf = (model: string, id: string): number =>
  createHash("sha256").update(`${model}/${id}`).digest().readUInt32BE(0) / 2 ** 32;
