/** The lab as a server of static files, with the headers that give the page shared memory and keep it from sending anything anywhere. */
import type { FastifyInstance } from "fastify";
import { createServer } from "./http/create-server.ts";
import type { Log } from "./http/log.ts";
import { addStaticFile, readStaticFolder } from "./http/static-files.ts";

/** A page may run its own scripts and kernels, and connect to nothing. */
export const LAB_HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": [
    ...[
      "default-src 'none'",
      "script-src 'self' 'wasm-unsafe-eval'",
      "style-src 'self'",
      "img-src 'self' data:",
      "worker-src 'self'",
    ],
    ...["connect-src 'none'", "form-action 'none'", "base-uri 'none'", "frame-ancestors 'none'"],
  ].join("; "),
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-embedder-policy": "require-corp",
};

export async function createLabServer(folder: string, log: Log): Promise<FastifyInstance> {
  const { app } = await createServer({
    command: "lab",
    packages: ["fastify"],
    log,
    limits: { body: 1000, seconds: 10 },
    headers: LAB_HEADERS,
  });
  for (const [name, file] of readStaticFolder(folder)) addStaticFile(app, name === "index.html" ? "/" : `/${name}`, file);
  return app;
}
