/** The lab: drop data, choose columns and a model, train in this page, look at the result, try what-if, take the model file. */
import { render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { columnByDefault, DEFAULT_NAMES } from "../../src/formats/data/columns.ts";
import { type DroppedFile, openFile } from "./files.ts";
import type { LabAnswer, LabList, LabRequest, ReadFacts, Reading, Trained } from "./messages.ts";
import { ReportSection } from "./report-section.tsx";
import { TrainForm, type TrainSettings } from "./train-form.tsx";
import { WhatIf } from "./what-if.tsx";

/** What readers say with options of the command line, in terms of this page. */
function inPage(message: string): string {
  if (/: no qid column; /.test(message)) return "Which rows belong to one list? Choose the column of the list below.";
  if (/: no label column; /.test(message)) return "Which rows are better? Choose the column of the label below.";
  return message
    .replace(/ \(--categories \S+ makes it a category\)/, " (“Read as categories” above changes that)")
    .replace(/--categories (?:"[^"]*"|\S+) makes it a category/, "choose it under “Read as categories” above to keep it");
}

interface Progress {
  readonly what: string;
  readonly round: number;
  readonly cost: number;
  readonly share: number | undefined;
}

function Lab() {
  const [file, setFile] = useState<DroppedFile>();
  const [reading, setReading] = useState<Reading>({});
  const [facts, setFacts] = useState<ReadFacts>();
  const [progress, setProgress] = useState<Progress>();
  const [trained, setTrained] = useState<Trained>();
  const [settings, setSettings] = useState<TrainSettings>({ model: "linear", objective: "pl-partition", seed: 1 });
  const [list, setList] = useState<LabList>();
  const [scores, setScores] = useState<readonly number[]>();
  const [problem, setProblem] = useState("");
  const worker = useRef<Worker | undefined>(undefined);

  const answer = (given: LabAnswer) => {
    if (given.kind === "round") setProgress(given);
    else if (given.kind === "list") setList(given);
    else if (given.kind === "scored") setScores(given.scores);
    else if (given.kind === "columns") setFile((before) => before && { ...before, columns: given.columns });
    else {
      setProgress(undefined);
      if (given.kind === "read") {
        setFacts(given);
        setSettings((before) => ({
          ...before,
          model: given.ballots ? "utilities:ghost=0.5" : before.model.startsWith("utilities") ? "linear" : before.model,
        }));
      } else if (given.kind === "trained") setTrained(given);
      else setProblem(given.bug ? `An internal error, please report it: ${given.message}` : inPage(given.message));
    }
  };
  const start = () => {
    worker.current?.terminate();
    worker.current = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    worker.current.addEventListener("message", ({ data }: MessageEvent<LabAnswer>) => answer(data));
    worker.current.addEventListener("error", (event) => setProblem(`The worker could not run: ${event.message}`));
  };
  const send = (request: LabRequest) => worker.current!.postMessage(request);
  useEffect(start, []);

  const read = (given: DroppedFile, how: Reading) => {
    setProblem("");
    setTrained(undefined);
    setFacts(undefined);
    setList(undefined);
    setReading(how);
    send({ kind: "read", name: given.name, content: given.bytes.slice().buffer, reading: how });
  };
  const open = async (given: File | undefined) => {
    if (!given) return;
    try {
      const found = await openFile(given);
      setFile(found);
      read(found, {});
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  const train = () => {
    setProblem("");
    setTrained(undefined);
    setList(undefined);
    setScores(undefined);
    setProgress({ what: "Training", round: 0, cost: Number.NaN, share: undefined });
    send({ kind: "train", ...settings });
  };
  const stop = () => {
    start();
    setProgress(undefined);
    if (file) read(file, reading);
  };
  return (
    <main>
      <h1>Tierwise lab</h1>
      <p class="soft">Train a ranker in this page. Your data stay here: nothing is sent anywhere.</p>
      <DropArea onFile={open} />
      {problem !== "" && (
        <p class="notice bad" role="alert">
          {problem}
        </p>
      )}
      {file && file.columns.length > 0 && (
        <ColumnForm columns={file.columns} reading={reading} onRead={(how) => read(file, how)} />
      )}
      {facts && (
        <section class="card">
          <h2>Data</h2>
          {facts.notices.map((line) => (
            <p class="small" key={line}>
              {inPage(line)}
            </p>
          ))}
          {!facts.kernels && (
            <p class="notice">
              This page has no shared memory, so training uses the slower fallback without WebAssembly kernels, with the same
              result. Serve it with the headers Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy:
              require-corp.
            </p>
          )}
        </section>
      )}
      {facts && (
        <TrainForm
          {...{
            settings,
            ballots: facts.ballots,
            busy: progress !== undefined,
            onChange: setSettings,
            onTrain: train,
            onStop: stop,
          }}
        />
      )}
      {progress && (
        <p role="status">
          {progress.what}: round {progress.round}
          {Number.isFinite(progress.cost) && `, cost ${progress.cost.toPrecision(6)}`}
          <progress aria-label="Training" {...(progress.share !== undefined && { value: progress.share })} />
        </p>
      )}
      {trained && file && <ReportSection {...{ trained, name: file.name, reading, settings }} />}
      {trained && facts && !facts.ballots && (
        <WhatIf
          {...{ names: facts.listNames, list, scores }}
          onList={(at) => {
            setScores(undefined);
            send({ kind: "list", list: at });
          }}
          onScore={(rows) => send({ kind: "score", rows })}
        />
      )}
    </main>
  );
}

function DropArea({ onFile }: { onFile(file: File | undefined): void }) {
  const [over, setOver] = useState(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping has the button as its other way
    <div
      class={`drop${over ? " over" : ""}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        onFile(event.dataTransfer?.files[0]);
      }}
    >
      <p>
        Drop a file here: CSV, TSV, Parquet, Arrow, SVMlight, or ballots (PrefLib, JSON tier lists, orders, pairs), also gzipped.
      </p>
      <label class="button main pick">
        Choose a file
        <input type="file" onChange={(event) => onFile(event.currentTarget.files?.[0])} />
      </label>
    </div>
  );
}

/** What is taken if no column is chosen. */
function byName(columns: readonly string[], key: "qid" | "label" | "id"): string {
  const found = columns[columnByDefault(columns, DEFAULT_NAMES[key])];
  return found === undefined ? (key === "id" ? "none" : "choose a column") : `${found} (by its name)`;
}

function ColumnForm({ columns, reading, onRead }: { columns: readonly string[]; reading: Reading; onRead(how: Reading): void }) {
  // In the order of the options of the command line, which model files keep.
  const apply = (more: Reading) => {
    const all = { ...reading, ...more };
    const keys = ["label", "qid", "id", "ignore", "categories"] as const;
    onRead(Object.fromEntries(keys.flatMap((key) => (all[key] ? [[key, all[key]!]] : []))));
  };
  const choice = (key: "qid" | "label" | "id", label: string) => (
    <div class="field">
      <label for={key}>{label}</label>
      <select id={key} value={reading[key] ?? ""} onChange={(event) => apply({ [key]: event.currentTarget.value })}>
        <option value="">{byName(columns, key)}</option>
        {columns.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </div>
  );
  const several = (key: "ignore" | "categories", title: string) => {
    const chosen = reading[key]?.split(",") ?? [];
    return (
      <details>
        <summary>{title}</summary>
        {columns.map((name) => (
          <label key={name} class="row">
            <input
              type="checkbox"
              checked={chosen.includes(name)}
              onChange={(event) => {
                const others = chosen.filter((one) => one !== name);
                apply({ [key]: (event.currentTarget.checked ? [...others, name] : others).join(",") });
              }}
            />
            {name}
          </label>
        ))}
      </details>
    );
  };
  return (
    <section class="card">
      <h2>Columns</h2>
      <div class="columns">
        {choice("qid", "List (who or what was asked)")}
        {choice("label", "Label (higher is better)")}
        {choice("id", "Name of an item (optional)")}
      </div>
      {several("ignore", "Leave columns out")}
      {several("categories", "Read as categories")}
    </section>
  );
}

render(<Lab />, document.getElementById("app")!);
