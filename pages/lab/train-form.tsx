/** Which model is trained under which objective. */

export interface TrainSettings {
  readonly model: string;
  readonly objective: string;
  readonly seed: number;
}

const MODELS = [
  ["linear", "linear"],
  ["trees:rounds=100,leaves=16", "boosted trees"],
  ["mlp:hidden=32,epochs=20", "neural network"],
] as const;
const OBJECTIVES = ["pl-partition", "lambdarank", "ranknet", "listnet", "listmle"];
const BALLOT_OBJECTIVES = ["pl-partition", "davidson", "rao-kupper", "ranknet"];

interface TrainFormProps {
  readonly settings: TrainSettings;
  readonly ballots: boolean;
  readonly busy: boolean;
  onChange(settings: TrainSettings): void;
  onTrain(): void;
  onStop(): void;
}

export function TrainForm({ settings, ballots, busy, onChange, onTrain, onStop }: TrainFormProps) {
  const set = (more: Partial<TrainSettings>) => onChange({ ...settings, ...more });
  const objectives = ballots ? BALLOT_OBJECTIVES : OBJECTIVES;
  const submit = (event: Event) => {
    event.preventDefault();
    onTrain();
  };
  return (
    <form class="card" onSubmit={submit}>
      <h2>Model</h2>
      <div class="columns">
        {!ballots && (
          <div class="field">
            <label for="kind">Kind</label>
            <select
              id="kind"
              value={MODELS.find(([spec]) => spec === settings.model)?.[0] ?? ""}
              onChange={(event) => event.currentTarget.value && set({ model: event.currentTarget.value })}
            >
              {MODELS.map(([spec, name]) => (
                <option key={spec} value={spec}>
                  {name}
                </option>
              ))}
              <option value="">as written</option>
            </select>
          </div>
        )}
        <div class="field">
          <label for="model">Model and options</label>
          <input
            id="model"
            type="text"
            required
            value={settings.model}
            onInput={(event) => set({ model: event.currentTarget.value })}
          />
        </div>
        <div class="field">
          <label for="objective">Objective</label>
          <select id="objective" value={settings.objective} onChange={(event) => set({ objective: event.currentTarget.value })}>
            {objectives.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </div>
        <div class="field">
          <label for="seed">Seed</label>
          <input
            id="seed"
            type="number"
            min={0}
            value={settings.seed}
            onInput={(event) => set({ seed: Number(event.currentTarget.value) })}
          />
        </div>
      </div>
      {busy ? (
        <button type="button" onClick={onStop}>
          Stop
        </button>
      ) : (
        <button class="main" type="submit">
          Train
        </button>
      )}
    </form>
  );
}
