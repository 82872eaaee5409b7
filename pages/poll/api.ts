/** Requests to the server. A refusal is an ApiError with the server's own message. */

export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export interface ApiOptions {
  readonly method?: "GET" | "POST" | "PUT" | "DELETE";
  readonly body?: unknown;
  /** The token of an admin, or of those who may create polls. */
  readonly token?: string;
  readonly code?: string;
}

export async function request(path: string, { method = "GET", body, token, code }: ApiOptions = {}): Promise<Response> {
  const raw = body instanceof Blob;
  let answer: Response;
  try {
    answer = await fetch(path, {
      method,
      headers: {
        ...(body !== undefined && { "content-type": raw ? "application/octet-stream" : "application/json" }),
        ...(token && { authorization: `Bearer ${token}` }),
        ...(code && { "x-voter-code": code }),
      },
      ...(body !== undefined && { body: raw ? body : JSON.stringify(body) }),
    });
  } catch {
    throw new ApiError(0, "unreachable", "The server cannot be reached. Check the connection and try again.");
  }
  if (answer.ok) return answer;
  const found = (await answer.json().catch(() => ({}))) as { error?: { code: string; message: string } };
  const { code: reason = "unknown", message = `The server answered ${answer.status}.` } = found.error ?? {};
  throw new ApiError(answer.status, reason, message);
}

/** The JSON of an answer. */
export const call = async <T>(path: string, options: ApiOptions = {}): Promise<T> =>
  (await (await request(path, options)).json()) as T;

/** "the poll is closed" as a sentence. */
export function sentence(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
}
