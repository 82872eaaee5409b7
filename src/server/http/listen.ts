/** Starts a server on an address, and stops it gracefully. */
import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { InputError } from "../../input-error.ts";

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: "another program listens there; choose another --port (0 takes a free one)",
  EADDRNOTAVAIL: "this machine has no such address; choose another --host",
  EACCES: "that needs more rights; choose a --port above 1023",
  EAI_AGAIN: "there is no host of that name; choose another --host",
  ENOTFOUND: "there is no host of that name; choose another --host",
};

/**
 * Connections that wait to be accepted. Beyond that number the operating system, which may have a lower limit of its own, drops attempts to
 * connect, and clients try again only after one, three and seven seconds.
 */
const BACKLOG = 4096;

/** Resolves to the URL of the server. */
export async function listen(app: FastifyInstance, { host, port }: { host: string; port: number }): Promise<string> {
  try {
    await app.listen({ host, port, backlog: BACKLOG });
  } catch (error) {
    const reason = REASONS[(error as NodeJS.ErrnoException).code ?? ""];
    throw reason === undefined ? error : new InputError(`cannot listen on ${host}:${port}: ${reason}`);
  }
  const { address, family, port: bound } = app.server.address() as AddressInfo;
  return `http://${family === "IPv6" ? `[${address}]` : address}:${bound}`;
}

/**
 * Stops accepting connections, lets requests that are under way finish, and closes what is still open after `seconds`. Resolves to how many
 * connections had to be cut off.
 */
export async function stopGracefully(app: FastifyInstance, seconds: number): Promise<number> {
  let cut = 0;
  const idle = setInterval(() => app.server.closeIdleConnections(), 50); // those whose last request has finished meanwhile
  const limit = setTimeout(async () => {
    cut = await new Promise<number>((resolve) => app.server.getConnections((_, count) => resolve(count ?? 0)));
    app.server.closeAllConnections();
  }, seconds * 1000);
  try {
    await app.close();
  } finally {
    clearTimeout(limit);
    clearInterval(idle);
  }
  return cut;
}
