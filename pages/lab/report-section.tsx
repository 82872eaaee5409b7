/** What was trained: metrics, what the model says of itself, the file, and the command that writes the same one. */
import { download } from "../poll/parts.tsx";
import { commandText } from "./files.ts";
import type { Reading, Trained } from "./messages.ts";
import type { TrainSettings } from "./train-form.tsx";

const MOST = 30; // rows of a table

const figure = (value: string | number) =>
  typeof value === "number" ? (Number.isInteger(value) ? String(value) : value.toPrecision(5)) : value;

const DIGITS = 5; // of the largest number of a column

/** How the numbers of a column are written: whole numbers as they are, others with the same number of decimals. */
function figuresOf(cells: readonly (string | number | undefined)[]): (cell: string | number) => string | number {
  const numbers = cells.filter((cell) => typeof cell === "number");
  const largest = Math.max(...numbers.map(Math.abs));
  if (numbers.every(Number.isInteger) || !Number.isFinite(largest)) return figure;
  const decimals = Math.min(DIGITS + 3, Math.max(0, DIGITS - 1 - Math.floor(Math.log10(largest))));
  return (cell) => (typeof cell === "number" ? cell.toFixed(decimals) : cell);
}

type Row = Trained["description"]["tables"][number]["rows"][number];

function writtenRows(rows: readonly Row[]) {
  const figures = (rows[0] ?? []).map((_, c) => figuresOf(rows.map((row) => row[c])));
  return { rows, write: (cell: string | number, c: number) => figures[c]!(cell) };
}

export function ReportSection({
  trained,
  name,
  reading,
  settings,
}: {
  trained: Trained;
  name: string;
  reading: Reading;
  settings: TrainSettings;
}) {
  const { file, description, metrics, seconds, notices } = trained;
  return (
    <section class="card">
      <h2>Result</h2>
      <p role="status">Trained in {seconds.toFixed(1)} s.</p>
      {notices.map((line) => (
        <p class="notice" key={line}>
          {line}
        </p>
      ))}
      {metrics.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">Metric</th>
              <th scope="col" class="number">
                on the training lists
              </th>
              <th scope="col" class="number">
                on held-out lists
              </th>
            </tr>
          </thead>
          <tbody>
            {metrics.map(({ name: metric, training, heldOut }) => (
              <tr key={metric}>
                <td>{metric}</td>
                <td class="number">{training.toFixed(4)}</td>
                <td class="number">{heldOut === undefined ? "–" : heldOut.toFixed(4)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <h3>{description.title}</h3>
      <dl class="facts small">
        {Object.entries(description.facts).map(([key, value]) => [
          <dt key={key}>{key}</dt>,
          <dd key={`${key} value`}>{figure(value)}</dd>,
        ])}
      </dl>
      {description.tables
        .map(({ title, head, rows: all }) => ({ title, head, ...writtenRows(all.slice(0, MOST)) }))
        .map(({ title, head, rows, write }) => (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keys
          <section class="scroll" key={title} tabIndex={0} aria-label={title}>
            <table class="small">
              <caption>{title}</caption>
              <thead>
                <tr>
                  {head.map((one, c) => (
                    <th scope="col" key={one} class={typeof rows[0]?.[c] === "number" ? "number" : ""}>
                      {one}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {rows.map((row) => (
                  <tr key={row.join()}>
                    {row.map((cell, c) => (
                      <td key={c} class={typeof cell === "number" ? "number" : ""}>
                        {write(cell, c)}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        ))}
      <p>
        <button class="main" type="button" onClick={() => download("model.json", new Blob([file], { type: "application/json" }))}>
          Download the model
        </button>
      </p>
      <p class="small soft">
        The same bytes on the command line:{" "}
        <code>{commandText(name, reading, settings.model, settings.objective, settings.seed)}</code>
      </p>
    </section>
  );
}
