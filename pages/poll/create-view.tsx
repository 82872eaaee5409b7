/** Creates a poll: a title and a line for each item are enough. */
import { useEffect, useState } from "preact/hooks";
import { itemColor, tierColor } from "../../src/server/poll/colors.ts";
import type { CreatedPoll, NewPoll, PollTier } from "../../src/server/poll/types.ts";
import { call, sentence } from "./api.ts";
import { CreatedView } from "./created-view.tsx";
import { ItemEditor, type ItemLook, TierEditor } from "./editors.tsx";
import { Page, Problem } from "./parts.tsx";

const NAMES = ["S", "A", "B", "C", "D", "F"];
const usualTiers = (): PollTier[] => NAMES.map((name, t) => ({ name, color: tierColor(t, NAMES.length) }));

/** The items of a text, one a line. */
export const namesIn = (text: string): string[] => [
  ...new Set(
    text
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== ""),
  ),
];

export function CreateView() {
  const [title, setTitle] = useState("");
  const [description, setDescription] = useState("");
  const [text, setText] = useState("");
  const [looks, setLooks] = useState<Readonly<Record<string, ItemLook>>>({});
  const [tiers, setTiers] = useState(usualTiers);
  const [settings, setSettings] = useState<PollSettings>({ access: "open", results: "always", codes: 20, closes: "" });
  const [token, setToken] = useState("");
  const [wantsToken, setWantsToken] = useState(false);
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const [created, setCreated] = useState<CreatedPoll>();
  useEffect(() => {
    call<{ wantsToken: boolean }>("/api/settings")
      .then((found) => setWantsToken(found.wantsToken))
      .catch(() => {});
  }, []);
  if (created) return <CreatedView created={created} />;

  const names = namesIn(text);
  const lookOf = (name: string): ItemLook => looks[name] ?? { color: itemColor(names.indexOf(name)) };

  const send = async (act: () => Promise<CreatedPoll>) => {
    setBusy(true);
    setProblem("");
    try {
      setCreated(await act());
    } catch (error) {
      setProblem(sentence(error));
    }
    setBusy(false);
  };
  const create = (event: Event) => {
    event.preventDefault();
    if (names.length < 2) return setProblem("A poll needs at least two items: write one on each line.");
    const { access, results, codes, closes } = settings;
    const poll: NewPoll = {
      ...{ title, description, tiers, access, results },
      items: names.map((name) => ({ name, ...lookOf(name) })),
      closes: closes === "" ? null : new Date(closes).getTime(),
      ...(access === "codes" && { codes }),
    };
    return send(() => call("/api/polls", { method: "POST", body: poll, token }));
  };
  const importFile = (file: File | undefined) => {
    if (!file) return;
    const query = new URLSearchParams({ name: file.name, ...(title !== "" && { title }) });
    return send(() => call(`/api/import?${query}`, { method: "POST", body: new Blob([file]), token }));
  };

  return (
    <Page title="New poll">
      <h1>Make a tier-list poll</h1>
      <p class="soft">
        People drag items into tiers. The leaderboard adds up their lists with a likelihood that knows what a tier is, and says
        how sure it is.
      </p>
      <form class="card" onSubmit={create}>
        <div class="field">
          <label for="title">Question</label>
          <input
            id="title"
            type="text"
            required
            maxLength={200}
            placeholder="Which lunch is best?"
            value={title}
            onInput={(event) => setTitle(event.currentTarget.value)}
          />
        </div>
        <div class="field">
          <label for="items">Items, one on each line</label>
          <textarea
            id="items"
            rows={6}
            required
            placeholder={"Noodles\nCurry\nSalad\nBurgers"}
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </div>
        {names.length > 0 && (
          <details class="field">
            <summary>Pictures and colors of items</summary>
            {names.map((name) => (
              <ItemEditor
                key={name}
                name={name}
                look={lookOf(name)}
                onChange={(look) => setLooks({ ...looks, [name]: look })}
                onProblem={setProblem}
              />
            ))}
          </details>
        )}
        <details class="field">
          <summary>Tiers: {tiers.map(({ name }) => name).join(", ")}</summary>
          <TierEditor tiers={tiers} onChange={setTiers} />
        </details>
        <details class="field">
          <summary>Description, who may vote, and when it ends</summary>
          <div class="field">
            <label for="description">Description</label>
            <textarea
              id="description"
              rows={3}
              maxLength={2000}
              value={description}
              onInput={(event) => setDescription(event.currentTarget.value)}
            />
          </div>
          <SettingsEditor settings={settings} onChange={setSettings} />
        </details>
        {wantsToken && (
          <div class="field">
            <label for="token">Token of this server, for creating polls</label>
            <input
              id="token"
              type="text"
              autocomplete="off"
              value={token}
              onInput={(event) => setToken(event.currentTarget.value)}
            />
          </div>
        )}
        {problem !== "" && <Problem>{problem}</Problem>}
        <button class="main" type="submit" disabled={busy}>
          {busy ? "Creating …" : "Create poll"}
        </button>
      </form>
      <section class="card">
        <h2>Or show ballots that you have</h2>
        <p class="soft">
          A PrefLib file, JSON tier lists, plain orders, or a table of ballot, item and tier. The result is a leaderboard without
          voting.
        </p>
        <label class="button pick">
          Choose a file
          <input type="file" onChange={(event) => importFile(event.currentTarget.files?.[0])} />
        </label>
      </section>
    </Page>
  );
}

interface PollSettings {
  readonly access: "open" | "codes";
  readonly results: "always" | "closed";
  readonly codes: number;
  readonly closes: string;
}

function SettingsEditor({ settings, onChange }: { settings: PollSettings; onChange(settings: PollSettings): void }) {
  const set = (more: Partial<PollSettings>) => onChange({ ...settings, ...more });
  return (
    <>
      <div class="field">
        <label for="access">Who may vote</label>
        <select
          id="access"
          value={settings.access}
          onChange={(event) => set({ access: event.currentTarget.value as PollSettings["access"] })}
        >
          <option value="open">Everyone with the link, one ballot for each browser</option>
          <option value="codes">People with a code, one ballot for each code</option>
        </select>
      </div>
      {settings.access === "codes" && (
        <div class="field">
          <label for="codes">Number of codes</label>
          <input
            id="codes"
            type="number"
            min={1}
            max={10_000}
            value={settings.codes}
            onInput={(event) => set({ codes: Number(event.currentTarget.value) })}
          />
        </div>
      )}
      <div class="field">
        <label for="results">Voters see the results</label>
        <select
          id="results"
          value={settings.results}
          onChange={(event) => set({ results: event.currentTarget.value as PollSettings["results"] })}
        >
          <option value="always">at any time</option>
          <option value="closed">when voting has ended</option>
        </select>
      </div>
      <div class="field">
        <label for="closes">Voting ends at (optional)</label>
        <input
          id="closes"
          type="datetime-local"
          value={settings.closes}
          onInput={(event) => set({ closes: event.currentTarget.value })}
        />
      </div>
    </>
  );
}
