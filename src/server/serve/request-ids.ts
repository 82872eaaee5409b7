/** Ids of lists and items of a request as texts. Numbers beyond 2^53, which JSON.parse rounds, are taken from the text of the request with all their digits. */
import { withExactIntegers } from "../../formats/exact-integers.ts";
import { InputError } from "../../input-error.ts";

type Id = string | number;

interface GivenIds {
  readonly id?: Id | undefined;
  readonly ids?: readonly Id[] | undefined;
}

interface TextIds {
  readonly id: string | undefined;
  readonly ids: readonly string[] | undefined;
}

/** The ids of each list; `text` is the JSON that the lists were parsed from: a list, or an object with lists. `where` begins messages about a list. */
export function withIdTexts(lists: readonly GivenIds[], text: string, where: (list: number) => string): readonly TextIds[] {
  const all = lists.some(({ id, ids }) => isRounded(id) || ids?.some(isRounded)) ? exactly(text) : lists;
  return all.map(({ id, ids }, q) => ({
    id: id === undefined ? undefined : idText(id, () => `${where(q)}id`),
    ids: ids?.map((one, i) => idText(one, () => `${where(q)}ids[${i}]`)),
  }));
}

function exactly(text: string): readonly GivenIds[] {
  const request = JSON.parse(withExactIntegers(text)) as GivenIds & { readonly lists?: readonly GivenIds[] };
  return request.lists ?? [request];
}

const isRounded = (id: Id | undefined) => typeof id === "number" && !Number.isSafeInteger(id);

function idText(id: Id, where: () => string): string {
  if (isRounded(id)) throw new InputError(`${where()}: the number ${id} is too long for an id; give it as a text`);
  return String(id);
}
