/** Access by a token: `Authorization: Bearer TOKEN`, compared in constant time. */
import { createHash, timingSafeEqual } from "node:crypto";
import { bytesOfSmall } from "../../formats/small-files.ts";
import { InputError, quote } from "../../input-error.ts";
import { HttpError } from "./http-error.ts";

/** Where a token may come from; at most one of the first two. */
export interface TokenSources {
  readonly token?: string | undefined;
  readonly tokenFile?: string | undefined;
  /** Used where neither is given. */
  readonly environment?: string | undefined;
}

const LEAST = 8;

/** The token of a server, or undefined where none is wanted. */
export function tokenFrom({ token, tokenFile, environment }: TokenSources): string | undefined {
  if (token !== undefined && tokenFile !== undefined)
    throw new InputError("--token and --token-file: give one of them, not both");
  const [source, given] =
    tokenFile !== undefined
      ? [`--token-file ${tokenFile}`, new TextDecoder().decode(tokenBytes(tokenFile)).trim()]
      : token !== undefined
        ? ["--token", token]
        : ["TIERWISE_TOKEN", environment];
  if (given === undefined) return undefined;
  if (given.length < LEAST || !/^[\x21-\x7e]+$/.test(given))
    throw new InputError(`${source}: expected a token of at least ${LEAST} printable ASCII characters without blanks`);
  return given;
}

function tokenBytes(path: string): Uint8Array {
  try {
    return bytesOfSmall(path, 1 << 16);
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(`--token-file ${quote(path)}: cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

const digest = (text: string) => createHash("sha256").update(text).digest();

/** Whether two texts are equal, in a time that depends on neither. */
export const equalSecrets = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));

/** Refuses a request whose Authorization header does not have the token. */
export function checkToken(header: string | undefined, token: string): void {
  const [, given] = /^Bearer +(\S+)$/i.exec(header ?? "") ?? [];
  if (given !== undefined && equalSecrets(given, token)) return;
  const message = given === undefined ? "this server wants a token: Authorization: Bearer TOKEN" : "the token is wrong";
  throw new HttpError(401, "unauthorized", message, { "www-authenticate": "Bearer" });
}
