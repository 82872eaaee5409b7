/** Names of lists and items in formats that cannot contain all characters, and the refusal to give one name to two of them. */
import { InputError, quote } from "../input-error.ts";
import type { Ranked } from "../rank.ts";

const FAITHFUL = "csv, jsonl and parquet keep names as they are";

interface NameSpeller {
  /** The ranking with names as the format has them. */
  spell<R extends Ranked>(ranked: R): R;
  /** How many names were changed, with an example; undefined where none was. */
  renamed(): string | undefined;
}

/** Names are compared with each other only where one of them is changed: those of all lists at once, those of items list by list. */
export function nameSpeller(
  format: string,
  { of, why }: { readonly of: (name: string) => string; readonly why: string },
  lists: readonly string[],
): NameSpeller {
  let changed = 0;
  let example: string | undefined;
  const spelledOne = (name: string): string => {
    const spelled = of(name);
    if (spelled === name) return name;
    changed++;
    example ??= name;
    return spelled;
  };
  const refuseClash = (names: readonly string[], what: string) => {
    const owners = new Map<string, string>();
    for (const name of names) {
      const spelled = of(name);
      const owner = owners.get(spelled) ?? name;
      if (owner !== name)
        throw new InputError(
          `--format ${format}: ${what} ${quote(owner)} and ${quote(name)} would both be called ${quote(spelled)}, as ${why}; ${FAITHFUL}`,
        );
      owners.set(spelled, name);
    }
  };
  if (lists.some((name) => of(name) !== name)) refuseClash(lists, "the lists");
  return {
    spell(ranked) {
      const { list, items } = ranked;
      const name = spelledOne(list);
      const before = changed;
      const ids = items.map(({ id }) => spelledOne(id));
      if (changed === before) return name === list ? ranked : { ...ranked, list: name };
      refuseClash(
        items.map(({ id }) => id),
        `in the list ${quote(list)} the items`,
      );
      return { ...ranked, list: name, items: items.map((item, place) => ({ ...item, id: ids[place]! })) };
    },
    renamed: () =>
      example === undefined
        ? undefined
        : `--format ${format}: ${changed === 1 ? "1 name was" : `${changed} names were`} changed, such as ${quote(example)} to ${quote(of(example))}, as ${why}; ${FAITHFUL}`,
  };
}
