/** What requests bring besides their bodies: the origin, the cookie of a voter, the token of an admin. */
import type { FastifyReply, FastifyRequest } from "fastify";
import { HttpError } from "../http/http-error.ts";

/**
 * Refuses a change that a page of another site asks for. Browsers send Origin with every such request; programs that send none have no cookies of
 * others to misuse.
 */
export function checkOrigin({ headers, host }: FastifyRequest): void {
  const { origin, "sec-fetch-site": site } = headers;
  const foreign = origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`;
  if (foreign || (site !== undefined && site !== "same-origin" && site !== "none"))
    throw new HttpError(403, "foreign_origin", "changes are accepted only from the pages of this server");
}

const COOKIE = "voter";
const YEAR = 31_536_000; // seconds

/** The token of the voter, if the request has a cookie. */
export function voterOf({ headers }: FastifyRequest): string | undefined {
  const found = (headers.cookie ?? "").split(";").map((part) => part.trim().split("="));
  return found.find(([name]) => name === COOKIE)?.[1];
}

/** Sets the cookie of a voter, which goes to the routes of this poll alone and to no script; an empty token removes it. */
export function setVoter(request: FastifyRequest, reply: FastifyReply, poll: string, token: string): void {
  const age = token === "" ? 0 : YEAR;
  const secure = request.protocol === "https" ? "; Secure" : "";
  reply.header("set-cookie", `${COOKIE}=${token}; Path=/api/polls/${poll}; Max-Age=${age}; HttpOnly; SameSite=Strict${secure}`);
}

/** The token of an admin, which comes in a header and so never stands in a log or in a link to elsewhere. */
export function adminOf({ headers }: FastifyRequest): string {
  const [, token] = /^Bearer +([\w-]+)$/i.exec(headers.authorization ?? "") ?? [];
  if (token === undefined)
    throw new HttpError(401, "no_admin", "this needs the token of the admin link", { "www-authenticate": "Bearer" });
  return token;
}

/** The code of a voter in a closed poll. */
export function codeOf({ headers }: FastifyRequest): string | undefined {
  const code = headers["x-voter-code"];
  return typeof code === "string" && code.length <= 40 ? code : undefined;
}
