/**
 * Files of a page, read into memory at the start: a request is a look-up in a table of exact paths, so no path leads out of the folder. Files
 * whose names hold a hash of their content (name-AbCd1234.js) are cached for a year, others are checked again by their ETag.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join, sep } from "node:path";
import type {} from "@fastify/swagger";
import type { FastifyInstance } from "fastify";

export interface StaticFile {
  readonly bytes: Buffer;
  readonly type: string;
  readonly etag: string;
  readonly cache: string;
}

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".webp": "image/webp",
  ".wasm": "application/wasm",
  ".woff2": "font/woff2",
  ".txt": "text/plain; charset=utf-8",
};

const HASHED = /-[\w-]{8,}\.\w+$/;

export function staticFile(name: string, content: string | Uint8Array): StaticFile {
  const bytes = Buffer.from(content);
  return {
    bytes,
    type: TYPES[extname(name)] ?? "application/octet-stream",
    etag: `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`,
    cache: HASHED.test(name) ? "public, max-age=31536000, immutable" : "no-cache",
  };
}

/** The files of a folder and of folders in it, by their path from there with slashes. */
export function readStaticFolder(folder: string): Map<string, StaticFile> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    statSync(join(folder, name)).isFile(),
  );
  return new Map(names.map((name) => [name.split(sep).join("/"), staticFile(name, readFileSync(join(folder, name)))]));
}

/** Serves one file on a path, without a token. */
export function addStaticFile(app: FastifyInstance, path: string, file: StaticFile): void {
  app.get(path, { config: { open: true }, schema: { hide: true } }, async (request, reply) => {
    reply.headers({ "content-type": file.type, etag: file.etag, "cache-control": file.cache });
    if (request.headers["if-none-match"] === file.etag) return reply.code(304).send();
    return reply.send(file.bytes);
  });
}
