/** Made-up data in the shape of MSLR as binary files, written once, so that processes of a bench and other tools read their part of the rows. */
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, readSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { FEATURES, mslr } from "./mslr.ts";

/** The folder with `values` (32-bit floats, row by row), `labels` and `starts` of so many documents. */
export function mslrFiles(documents: number): string {
  const folder = `${tmpdir()}/tierwise-mslr-${documents}`;
  if (existsSync(`${folder}/complete`)) return folder;
  mkdirSync(folder, { recursive: true });
  const { values, labels, starts } = mslr(documents, 1);
  writeFileSync(`${folder}/values`, values);
  writeFileSync(`${folder}/labels`, labels);
  writeFileSync(`${folder}/starts`, starts);
  writeFileSync(`${folder}/complete`, "");
  return folder;
}

export function mslrStarts(folder: string): Uint32Array {
  const bytes = readFileSync(`${folder}/starts`);
  return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
}

const PIECE = 1 << 28;

/** Rows `from` to `to`. */
export function mslrRows(folder: string, from: number, to: number): { values: Float32Array; labels: Float32Array } {
  return { values: floats(`${folder}/values`, from * FEATURES, to * FEATURES), labels: floats(`${folder}/labels`, from, to) };
}

function floats(path: string, from: number, to: number): Float32Array {
  const into = new Float32Array(to - from);
  const bytes = new Uint8Array(into.buffer);
  const file = openSync(path, "r");
  for (let at = 0; at < bytes.length; ) at += readSync(file, bytes, at, Math.min(PIECE, bytes.length - at), 4 * from + at);
  closeSync(file);
  return into;
}
