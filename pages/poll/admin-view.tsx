/** What the creator of a poll can do: end voting, issue codes, export, delete. */
import { useEffect, useState } from "preact/hooks";
import type { PollView } from "../../src/server/poll/types.ts";
import { call, request, sentence } from "./api.ts";
import { CodeList } from "./code-list.tsx";
import { counted, download, LinkToShare, Page, Problem } from "./parts.tsx";

const FORMATS = [
  ["preflib", "PrefLib", "ballots.toi"],
  ["csv", "CSV", "ballots.csv"],
  ["json", "JSON", "ballots.json"],
] as const;

export function AdminView({ admin }: { admin: string }) {
  const [found, setFound] = useState<{ poll: string; view: PollView }>();
  const [problem, setProblem] = useState("");
  const [codes, setCodes] = useState<readonly string[]>([]);
  const [deleted, setDeleted] = useState(false);
  useEffect(() => {
    call<{ poll: string; view: PollView }>("/api/admin", { token: admin })
      .then(setFound)
      .catch((error) => setProblem(sentence(error)));
  }, [admin]);
  const act = (work: () => Promise<void>) => {
    setProblem("");
    work().catch((error) => setProblem(sentence(error)));
  };
  if (deleted)
    return (
      <Page title="Poll deleted">
        <h1>The poll is deleted</h1>
        <p>Its ballots are gone with it.</p>
      </Page>
    );
  if (!found) return <Page title="Admin">{problem === "" ? <p role="status">Loading …</p> : <Problem>{problem}</Problem>}</Page>;
  const { poll, view } = found;
  const post = async (what: "close" | "reopen") =>
    setFound({ poll, view: await call<PollView>(`/api/admin/${what}`, { method: "POST", token: admin }) });
  const save = async (format: string, name: string) =>
    download(name, await (await request(`/api/admin/export?format=${format}`, { token: admin })).blob());
  const issue = async () =>
    setCodes((await call<{ codes: string[] }>("/api/admin/codes", { method: "POST", body: { count: 10 }, token: admin })).codes);
  return (
    <Page title={`Admin: ${view.title}`}>
      <h1>{view.title}</h1>
      <p class="soft">
        {counted(view.ballots, "ballot")},{" "}
        {view.status === "open" ? "voting is open" : view.status === "closed" ? "voting has ended" : "imported ballots"}
      </p>
      {problem !== "" && <Problem>{problem}</Problem>}
      <section class="card">
        <h2>Voting</h2>
        <LinkToShare label="Link for voters" url={`${location.origin}/p/${poll}`} />
        <div class="row">
          <a class="button main" href={`/p/${poll}/results`}>
            Results
          </a>
          {view.status === "open" && (
            <button type="button" onClick={() => act(() => post("close"))}>
              End voting
            </button>
          )}
          {view.status === "closed" && (
            <button type="button" onClick={() => act(() => post("reopen"))}>
              Open voting again
            </button>
          )}
          {view.access === "codes" && (
            <button type="button" onClick={() => act(issue)}>
              Issue 10 more codes
            </button>
          )}
        </div>
      </section>
      {codes.length > 0 && <CodeList codes={codes} />}
      <section class="card">
        <h2>Export ballots</h2>
        <p class="soft">
          Without names or addresses, which are not stored. <code>tierwise train</code> reads each of them.
        </p>
        <div class="row">
          {FORMATS.map(([format, label, name]) => (
            <button type="button" key={format} disabled={view.ballots === 0} onClick={() => act(() => save(format, name))}>
              {label}
            </button>
          ))}
        </div>
      </section>
      <DeleteSection
        onDelete={() => act(() => request("/api/admin", { method: "DELETE", token: admin }).then(() => setDeleted(true)))}
      />
    </Page>
  );
}

function DeleteSection({ onDelete }: { onDelete(): void }) {
  const [asked, setAsked] = useState(false);
  return (
    <section class="card">
      <h2>Delete</h2>
      {asked ? (
        <div class="row">
          <span>The poll and all its ballots will be gone for good.</span>
          <button type="button" class="bad" onClick={onDelete}>
            Delete for good
          </button>
          <button type="button" onClick={() => setAsked(false)}>
            Keep it
          </button>
        </div>
      ) : (
        <button type="button" class="bad" onClick={() => setAsked(true)}>
          Delete this poll
        </button>
      )}
    </section>
  );
}
