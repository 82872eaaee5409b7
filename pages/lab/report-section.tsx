/** What was trained: metrics, what the model says of itself, the file, and the command that writes the same one. */
import { download } from "../poll/parts.tsx";
import { commandText } from "./files.ts";
import type { Reading, Trained } from "./messages.ts";
import type { TrainSettings } from "./train-form.tsx";

const MOST = 30; // rows of a table

const figure = (value: string | number) =>
  typeof value === "number" ? (Number.isInteger(value) ? String(value) : value.toPrecision(5)) : value;

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
      {description.tables.map(({ title, head, rows }) => (
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
              {rows.slice(0, MOST).map((row) => (
                <tr key={row.join()}>
                  {row.map((cell, c) => (
                    <td key={c} class={typeof cell === "number" ? "number" : ""}>
                      {figure(cell)}
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
