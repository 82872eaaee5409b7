/** The leaderboard of a poll, updated while ballots come in. */
import { useEffect, useState } from "preact/hooks";
import type { PollResults, PollView } from "../../src/server/poll/types.ts";
import { call, sentence } from "./api.ts";
import { Leaderboard } from "./leaderboard.tsx";
import { counted, LinkToShare, Page, Problem } from "./parts.tsx";
import { StudySections } from "./study-sections.tsx";

export function ResultsView({ token }: { token: string }) {
  const [poll, setPoll] = useState<PollView>();
  const [results, setResults] = useState<PollResults>();
  const [problem, setProblem] = useState("");
  const [connected, setConnected] = useState(false);
  useEffect(() => {
    let events: EventSource | undefined;
    begin().catch((error) => setProblem(sentence(error)));
    return () => events?.close();
    async function begin() {
      const found = await call<PollView>(`/api/polls/${token}`);
      setPoll(found);
      if (found.results === "closed" && found.status === "open")
        return setProblem("The results will be shown when voting has ended.");
      events = new EventSource(`/api/polls/${token}/events`);
      events.addEventListener("open", () => setConnected(true));
      events.addEventListener("error", () => setConnected(false));
      events.addEventListener("results", (event) => setResults(JSON.parse(event.data) as PollResults));
    }
  }, [token]);
  if (!poll) return <Page title="Results">{problem === "" ? <p role="status">Loading …</p> : <Problem>{problem}</Problem>}</Page>;
  return (
    <Page title={`Results: ${poll.title}`}>
      <h1>{poll.title}</h1>
      {poll.description !== "" && <p class="soft description">{poll.description}</p>}
      {problem !== "" ? (
        <p class="notice">
          {problem} {poll.status === "open" && <a href={`/p/${token}`}>Back to the ballot</a>}
        </p>
      ) : (
        <Found {...{ token, poll, results, connected }} />
      )}
    </Page>
  );
}

interface FoundProps {
  readonly token: string;
  readonly poll: PollView;
  readonly results: PollResults | undefined;
  readonly connected: boolean;
}

function Found({ token, poll, results, connected }: FoundProps) {
  const status = poll.status === "open" ? "voting is open" : poll.status === "closed" ? "voting has ended" : "imported ballots";
  if (!results) return <p role="status">Counting …</p>;
  const pictureOf = (item: number) => (poll.items[item]!.picture ? `/api/polls/${token}/pictures/${item}` : undefined);
  return (
    <>
      <div class="row spread">
        <p class="soft" role="status">
          {counted(results.ballots, "ballot")}, {status}
        </p>
        <p class="row">
          <span class={`live small soft${connected ? "" : " lost"}`}>{connected ? "Live" : "Not connected"}</span>
          {poll.status === "open" && (
            <a class="button main" href={`/p/${token}`}>
              Vote
            </a>
          )}
        </p>
      </div>
      {results.ballots === 0 ? (
        <section class="card">
          <h2>No ballots yet</h2>
          <p class="soft">The leaderboard appears with the first ballot, on this page, by itself.</p>
          <LinkToShare label="Send this link to everyone who should vote" url={`${location.origin}/p/${token}`} />
        </section>
      ) : (
        <>
          <Leaderboard {...{ poll, results, pictureOf }} />
          <StudySections {...{ poll, results, pictureOf }} />
        </>
      )}
    </>
  );
}
