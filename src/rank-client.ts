/** A client of `tierwise serve`: ranks rows of numbers by a compact request (formats/rank-body.ts), in Node or in a browser. */
import { check, checkOptions, isNumbers, type Kinds, someName, wholeFrom, yesOrNo } from "./arguments.ts";
import { decodeRankBody, encodeRankBody, RANK_BODY_TYPE } from "./formats/rank-body.ts";
import { InputError, quote } from "./input-error.ts";

/** A list to rank. */
export interface RankClientList {
  /** Id of the list. */
  readonly id?: string;
  /** Rows of numbers, one for each item, in the order of the model's features; NaN for a missing value. */
  readonly rows: readonly ArrayLike<number>[];
}

/** How a server is asked. */
export interface RankClientOptions {
  /** Token of the server. Default: none. */
  readonly token?: string;
  /** How many of the best items are wanted. Default: all. */
  readonly top?: number;
  /** Whether scores are wanted. Default: true. */
  readonly scores?: boolean;
}

/** A list in the order of the model. */
export interface RankedRows {
  /** Id of the list. */
  readonly id?: string;
  /** Places of the items in the request, from 0, best first. */
  readonly order: Uint32Array;
  /** Scores in the same order; empty if they were not wanted. */
  readonly scores: Float64Array;
}

const kinds: Kinds<RankClientOptions> = { token: someName, top: wholeFrom(1), scores: yesOrNo };

/**
 * Ranks lists by a model of a server, one request for all. `url` is that of the model, such as http://127.0.0.1:8080/models/ranker. What the server
 * refuses is an `InputError` with its message.
 */
export async function rankOverHttp(
  url: string,
  lists: readonly RankClientList[],
  options: RankClientOptions = {},
): Promise<RankedRows[]> {
  check("rankOverHttp, the URL", url, someName);
  if (!Array.isArray(lists) || !lists.every((list) => Array.isArray(list?.rows) && list.rows.every(isNumbers)))
    throw new InputError("rankOverHttp: expected an array of lists, each with rows of numbers: [{ rows: [[0.5, 12]] }]");
  checkOptions("rankOverHttp", options, kinds);
  const { token, ...wishes } = options;
  const answer = await fetch(`${url.replace(/\/$/, "")}/rank`, {
    method: "POST",
    headers: {
      ...{ "content-type": RANK_BODY_TYPE, accept: RANK_BODY_TYPE },
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: bodyOf(lists, wishes),
  });
  const bytes = new Uint8Array(await answer.arrayBuffer());
  if (!answer.ok) throw new InputError(`rankOverHttp, ${url}: ${answer.status} ${refusalOf(bytes)}`);
  return listsOf(bytes, options.scores ?? true);
}

function bodyOf(lists: readonly RankClientList[], wishes: Omit<RankClientOptions, "token">): Uint8Array<ArrayBuffer> {
  const rows = lists.flatMap((list) => list.rows);
  const columns = rows[0]?.length ?? 0;
  const values = new Float32Array(rows.length * columns);
  rows.forEach((row, r) => {
    if (row.length !== columns)
      throw new InputError(`rankOverHttp: row ${r} has ${row.length} numbers, and the rows before it have ${columns}`);
    values.set(row, r * columns);
  });
  const heads = lists.map(({ id, rows: own }) => ({ ...(id === undefined ? {} : { id }), rows: own.length }));
  return encodeRankBody({ columns, lists: heads, ...wishes }, [values]);
}

function refusalOf(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes);
  try {
    return (JSON.parse(text) as { error: { message: string } }).error.message;
  } catch {
    return quote(text);
  }
}

function listsOf(bytes: Uint8Array, withScores: boolean): RankedRows[] {
  const { head, numbers } = decodeRankBody(bytes);
  const heads = head.lists as readonly { readonly id?: string; readonly items: number }[];
  const total = heads.reduce((sum, { items }) => sum + items, 0);
  const whole = numbers.slice(); // its own buffer, aligned
  const orders = new Uint32Array(whole.buffer, 0, total);
  const scores = withScores ? new Float64Array(whole.buffer, Math.ceil((4 * total) / 8) * 8, total) : new Float64Array(0);
  let at = 0;
  return heads.map(({ id, items }) => {
    const from = at;
    at += items;
    return {
      ...(id === undefined ? {} : { id }),
      order: orders.slice(from, at),
      scores: withScores ? scores.slice(from, at) : scores,
    };
  });
}
