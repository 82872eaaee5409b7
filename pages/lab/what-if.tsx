/** One list in the order of its scores; features of an item can be moved, and the order follows. */
import { useEffect, useState } from "preact/hooks";
import type { LabColumn, LabList } from "./messages.ts";

interface WhatIfProps {
  readonly names: readonly string[];
  readonly list: LabList | undefined;
  readonly scores: readonly number[] | undefined;
  onList(at: number): void;
  onScore(rows: readonly (readonly number[])[]): void;
}

const MOST = 40; // columns that can be changed
const DAY = 86_400;

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
  /** Gives features of the chosen item other values, from the one at `at` on. */
  const move = (at: number, values: readonly number[]) => {
    const next = rows.map((row, r) => (r === chosen ? row.map((before, c) => values[c - at] ?? before) : row));
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
      {list.columns.slice(0, MOST).map((column) => (
        <Control
          key={column.name}
          {...{ column, range: list.ranges[column.at]!, row: rows[chosen]! }}
          onMove={(values) => move(column.at, values)}
        />
      ))}
      {list.columns.length > MOST && (
        <p class="soft">
          The first {MOST} of {list.columns.length} columns.
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

interface ControlProps {
  readonly column: LabColumn;
  readonly range: { readonly low: number; readonly high: number };
  readonly row: readonly number[];
  onMove(values: readonly number[]): void;
}

/** What changes a column: a choice for categories and for yes and no, a date, or a slider. */
function Control({ column: { name, kind, categories = [], origin = 0, at }, range: { low, high }, row, onMove }: ControlProps) {
  const id = `feature-${at}`;
  const value = row[at]!;
  const choice = (options: readonly string[], now: number, pick: (option: number) => readonly number[]) => (
    <div class="slider">
      <label for={id}>{name}</label>
      <select id={id} value={now} onChange={(event) => onMove(pick(Number(event.currentTarget.value)))}>
        {options.map((option, o) => (
          <option key={option} value={o}>
            {option}
          </option>
        ))}
        <option value={-1}>{kind === "category" ? "another or missing" : "missing"}</option>
      </select>
    </div>
  );
  if (kind === "category") {
    const now = categories.findIndex((_, c) => row[at + c] === 1);
    return choice(categories, now, (option) => categories.map((_, c) => (c === option ? 1 : 0)));
  }
  if (kind === "boolean")
    return choice(["no", "yes"], Number.isNaN(value) ? -1 : value, (option) => [option < 0 ? Number.NaN : option]);
  if (kind === "date") {
    const text = Number.isNaN(value) ? "" : new Date((origin + value * DAY) * 1000).toISOString().slice(0, 10);
    return (
      <div class="slider">
        <label for={id}>{name}</label>
        <input
          id={id}
          type="date"
          value={text}
          onChange={(event) => onMove([Math.fround((event.currentTarget.valueAsNumber / 1000 - origin) / DAY)])}
        />
        <span class="number">{Number.isNaN(value) && "missing"}</span>
      </div>
    );
  }
  return (
    <div class="slider">
      <label for={id}>{name}</label>
      <input
        id={id}
        type="range"
        {...{ min: low, max: high, step: "any", value: Number.isNaN(value) ? low : value, disabled: !(low < high) }}
        onInput={(event) => onMove([Math.fround(Number(event.currentTarget.value))])}
      />
      <span class="number">{Number.isNaN(value) ? "missing" : Number(value.toPrecision(5))}</span>
    </div>
  );
}
