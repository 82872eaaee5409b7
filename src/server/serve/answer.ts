/** Answers to requests to rank: JSON text in pieces, so that a large one is sent while it is written, or one compact body. */
import { encodeRankBody } from "../../formats/rank-body.ts";
import type { Probabilities } from "../../probabilities.ts";
import type { ParsedRequest } from "./parse-request.ts";

/** A list in order, with what the request wants to know about its items. */
export interface RankedList {
  readonly id?: string | undefined;
  readonly ids?: readonly string[] | undefined;
  /** Places of the items in the request, best first, all or those wanted. */
  readonly order: Uint32Array;
  /** By place in the request; absent where the order has no scores. */
  readonly scores?: Float64Array | undefined;
  /** Names of labels, by number, where the model ranks labels; `order` then has labels, and `scores` is in its order. */
  readonly labels?: { readonly names: readonly string[] | undefined };
  readonly probabilities?: Probabilities | undefined;
  /** By place in the request. */
  readonly reasons?: ReadonlyMap<number, readonly Reason[]> | undefined;
  /** Name and version of the model, where it is not that of the answer. */
  readonly model?: string | undefined;
  readonly impression?: string | undefined;
}

export interface Reason {
  readonly feature: string;
  readonly contribution: number;
}

const PIECE = 1 << 16; // characters

const number = (value: number) => (Number.isFinite(value) ? String(value) : "null");

/** The text of the answer, in pieces. */
export function* jsonPieces(
  model: string,
  { single, wishes }: ParsedRequest,
  lists: Iterable<RankedList>,
  warnings: readonly string[],
): Generator<string> {
  const warned = warnings.length > 0 ? `,"warnings":${JSON.stringify(warnings)}` : "";
  let text = `{"model":${JSON.stringify(model)}${warned}${single ? "," : ',"lists":['}`;
  let q = 0;
  for (const list of lists) {
    text += single ? "" : `${q++ > 0 ? "," : ""}{`;
    if (list.id !== undefined) text += `"id":${JSON.stringify(list.id)},`;
    if (list.model !== undefined && !single) text += `"model":${JSON.stringify(list.model)},`;
    if (list.impression !== undefined) text += `"impression":${JSON.stringify(list.impression)},`;
    text += '"items":[';
    for (let place = 0; place < list.order.length; place++) {
      text += `${place > 0 ? "," : ""}${itemText(list, place, wishes.scores ?? true)}`;
      if (text.length > PIECE) {
        yield text;
        text = "";
      }
    }
    text += single ? "]" : "]}";
  }
  yield `${text}${single ? "" : "]"}}`;
}

function itemText(list: RankedList, place: number, withScore: boolean): string {
  const { order, ids, scores, labels, probabilities, reasons } = list;
  const index = order[place]!;
  const id = labels ? (labels.names?.[index] ?? String(index)) : ids?.[index];
  let text = `{"index":${index}${id === undefined ? "" : `,"id":${JSON.stringify(id)}`},"rank":${place + 1}`;
  if (withScore && scores) text += `,"score":${number(scores[labels ? place : index]!)}`;
  if (probabilities) {
    const { first, within, expected, low, high } = probabilities;
    const chances = within.map(({ k, chances: all }) => `"${k}":${number(all[index]!)}`).join(",");
    text += `,"first":${number(first[index]!)},"within":{${chances}},"expected":${number(expected[index]!)},"interval":[${low[index]},${high[index]}]`;
  }
  const own = reasons?.get(index);
  return `${text}${own ? `,"reasons":${JSON.stringify(own)}` : ""}}`;
}

/** The answer as a compact body. */
export function compactAnswer(
  model: string,
  { wishes }: ParsedRequest,
  lists: readonly RankedList[],
  warnings: readonly string[],
): Uint8Array<ArrayBuffer> {
  const total = lists.reduce((sum, { order }) => sum + order.length, 0);
  const [orders, scores] = [new Uint32Array(total), new Float64Array(total)];
  let at = 0;
  for (const { order, scores: own, labels } of lists) {
    orders.set(order, at);
    order.forEach((index, place) => void (scores[at + place] = own?.[labels ? place : index] ?? Number.NaN));
    at += order.length;
  }
  const head = {
    model,
    ...(warnings.length > 0 && { warnings }),
    lists: lists.map(({ id, order, model: own, impression }) => ({ id, model: own, impression, items: order.length })),
  };
  return encodeRankBody(head, wishes.scores === false ? [orders] : [orders, scores]);
}
