/** One list in the order of its scores; features of an item can be moved, and the order follows. */
import { useEffect, useState } from "preact/hooks";
import type { LabList } from "./messages.ts";

interface WhatIfProps {
  readonly names: readonly string[];
  readonly list: LabList | undefined;
  readonly scores: readonly number[] | undefined;
  onList(at: number): void;
  onScore(rows: readonly (readonly number[])[]): void;
}

const MOST = 40; // features that can be moved

export function WhatIf({ names, list, scores, onList, onScore }: WhatIfProps) {
  const [at, setAt] = useState(0);
  const [chosen, setChosen] = useState(0);
  const [rows, setRows] = useState<readonly (readonly number[])[]>([]);
  useEffect(() => onList(at), [at]);
  const reset = () => {
    const fresh = list?.rows.map(({ values }) => values) ?? [];
    setRows(fresh);
    if (list) onScore(fresh);
  };
  useEffect(() => {
    setChosen(0);
    reset();
  }, [list]);
  const move = (column: number, value: number) => {
    const next = rows.map((row, r) => (r === chosen ? row.map((before, c) => (c === column ? value : before)) : row));
    setRows(next);
    onScore(next);
  };
  if (!list || rows.length !== list.rows.length) return <section class="card">Loading …</section>;
  const order = list.rows.map((_, r) => r).sort((a, b) => (scores?.[b] ?? 0) - (scores?.[a] ?? 0));
  return (
    <section class="card">
      <h2>What if</h2>
      <div class="field">
        <label for="list">List</label>
        <select id="list" value={at} onChange={(event) => setAt(Number(event.currentTarget.value))}>
          {names.map((name, q) => (
            <option key={name} value={q}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <table>
        <caption class="hidden">Items of the list by score</caption>
        <thead>
          <tr>
            <th scope="col">Rank</th>
            <th scope="col">Item</th>
            <th scope="col" class="number">
              Score
            </th>
            <th scope="col" class="number">
              Label
            </th>
          </tr>
        </thead>
        <tbody>
          {order.map((r, place) => (
            <tr key={r} class={r === chosen ? "chosen" : ""}>
              <td>{place + 1}</td>
              <td>
                <button type="button" aria-pressed={r === chosen} onClick={() => setChosen(r)}>
                  {list.rows[r]!.id}
                </button>
              </td>
              <td class="number">{scores?.[r]?.toFixed(4) ?? "…"}</td>
              <td class="number">{list.rows[r]!.label}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <h3>Features of {list.rows[chosen]!.id}</h3>
      {list.features.slice(0, MOST).map((name, c) => {
        const { low, high } = list.ranges[c]!;
        const value = rows[chosen]![c]!;
        return (
          <div class="slider" key={name}>
            <label for={`feature-${c}`}>{name}</label>
            <input
              id={`feature-${c}`}
              type="range"
              {...{ min: low, max: high, step: "any", value: Number.isNaN(value) ? low : value, disabled: !(low < high) }}
              onInput={(event) => move(c, Math.fround(Number(event.currentTarget.value)))}
            />
            <span class="number">{Number.isNaN(value) ? "missing" : Number(value.toPrecision(5))}</span>
          </div>
        );
      })}
      {list.features.length > MOST && (
        <p class="soft">
          The first {MOST} of {list.features.length} features.
        </p>
      )}
      <p>
        <button type="button" onClick={reset}>
          As in the data
        </button>
      </p>
    </section>
  );
}
