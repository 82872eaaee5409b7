/** The ballot of a voter. It can be changed until the poll closes. */
import { useEffect, useMemo, useState } from "preact/hooks";
import type { BallotTiers, PollView } from "../../src/server/poll/types.ts";
import { ApiError, call, sentence } from "./api.ts";
import { counted, Page, Problem } from "./parts.tsx";
import { type Placement, TierBoard } from "./tier-board.tsx";

export function VoteView({ token }: { token: string }) {
  const [poll, setPoll] = useState<PollView>();
  const [problem, setProblem] = useState("");
  const [code, setCode] = useState("");
  const [stored, setStored] = useState<BallotTiers | null>();
  useEffect(() => {
    load().catch((error) => setProblem(sentence(error)));
    async function load() {
      const found = await call<PollView>(`/api/polls/${token}`);
      if (found.status === "imported") return location.replace(`/p/${token}/results`);
      if (found.access === "open") setStored((await call<{ tiers: BallotTiers | null }>(`/api/polls/${token}/ballot`)).tiers);
      setPoll(found);
    }
  }, [token]);
  if (!poll) return <Page title="Vote">{problem === "" ? <p role="status">Loading …</p> : <Problem>{problem}</Problem>}</Page>;
  const enter = async (given: string) => {
    setStored((await call<{ tiers: BallotTiers | null }>(`/api/polls/${token}/ballot`, { code: given })).tiers);
    setCode(given);
  };
  return (
    <Page title={poll.title}>
      <h1>{poll.title}</h1>
      {poll.description !== "" && <p class="soft description">{poll.description}</p>}
      {poll.status === "closed" && (
        <p class="notice">
          Voting has ended. <a href={`/p/${token}/results`}>See the results</a>
        </p>
      )}
      {stored === undefined ? (
        poll.status === "open" && <CodeForm onEnter={enter} />
      ) : (
        <Ballot token={token} poll={poll} code={code} stored={stored} />
      )}
    </Page>
  );
}

function CodeForm({ onEnter }: { onEnter(code: string): Promise<void> }) {
  const [code, setCode] = useState("");
  const [problem, setProblem] = useState("");
  const submit = (event: Event) => {
    event.preventDefault();
    setProblem("");
    onEnter(code.trim()).catch((error) => setProblem(sentence(error)));
  };
  return (
    <form class="card" onSubmit={submit}>
      <div class="field">
        <label for="code">Your code</label>
        <input
          id="code"
          type="text"
          required
          minLength={4}
          maxLength={40}
          autocomplete="off"
          autocapitalize="none"
          placeholder="xxxx-xxxx-xxxx"
          value={code}
          onInput={(event) => setCode(event.currentTarget.value)}
        />
      </div>
      {problem !== "" && <Problem>{problem}</Problem>}
      <button class="main" type="submit">
        Begin
      </button>
    </form>
  );
}

interface BallotProps {
  readonly token: string;
  readonly poll: PollView;
  readonly code: string;
  readonly stored: BallotTiers | null;
}

type Saving = { readonly state: "new" | "changed" | "saving" | "saved" } | { readonly state: "failed"; readonly message: string };

function Ballot({ token, poll, code, stored }: BallotProps) {
  const [placement, setPlacement] = useState(() => placementOf(stored ?? [], poll.items.length));
  const [saving, setSaving] = useState<Saving>({ state: stored ? "saved" : "new" });
  const [voted, setVoted] = useState(stored !== null);
  // Sent with every try, so that a ballot whose answer was lost counts once.
  const request = useMemo(() => crypto.getRandomValues(new Uint32Array(4)).join("-").padEnd(16, "0"), []);
  const open = poll.status === "open";
  const ranked = placement.filter((tier) => tier >= 0).length;

  const send = async () => {
    setSaving({ state: "saving" });
    const tiers = poll.tiers.map((_, t) => poll.items.map((_, i) => i).filter((i) => placement[i] === t));
    const body = { tiers, request, ...(code !== "" && { code }) };
    const put = () => call(`/api/polls/${token}/ballot`, { method: "PUT", body });
    try {
      await put().catch((error) => {
        // The server has removed a cookie that was not of this poll.
        if (error instanceof ApiError && error.code === "unknown_voter") return put();
        throw error;
      });
      setVoted(true);
      setSaving({ state: "saved" });
    } catch (error) {
      setSaving({ state: "failed", message: sentence(error) });
    }
  };
  const move = (item: number, tier: number) => {
    setPlacement(placement.map((before, i) => (i === item ? tier : before)));
    if (saving.state !== "saving") setSaving({ state: voted ? "changed" : "new" });
  };
  return (
    <>
      <TierBoard
        {...{ tiers: poll.tiers, items: poll.items, placement, disabled: !open }}
        pictureOf={(item) => (poll.items[item]!.picture ? `/api/polls/${token}/pictures/${item}` : undefined)}
        onMove={move}
      />
      {open && (
        <div class="bar row spread">
          <p role="status" class={saving.state === "failed" ? "bad" : ""}>
            {ranked > 0 && <b>{placedText(ranked, poll.items.length)}</b>} {statusText(saving, ranked)}
          </p>
          <div class="row">
            <a class="button" href={`/p/${token}/results`}>
              Results
            </a>
            <button
              class="main"
              type="button"
              disabled={ranked === 0 || saving.state === "saving" || saving.state === "saved"}
              onClick={send}
            >
              {voted ? "Update ballot" : "Submit ballot"}
            </button>
          </div>
        </div>
      )}
    </>
  );
}

function statusText(saving: Saving, ranked: number): string {
  if (saving.state === "failed") return saving.message;
  if (saving.state === "saving") return "Saving …";
  if (saving.state === "saved") return "Your ballot is saved. You can change it until voting ends.";
  if (saving.state === "changed") return "Changed, not saved yet.";
  return ranked === 0 ? "Place at least one item." : "";
}

/** How many items have a tier, before the ballot is sent and after. */
function placedText(ranked: number, all: number): string {
  const rest = all - ranked;
  const left = rest === 0 ? "" : ` ${rest} ${rest === 1 ? "stays" : "stay"} unranked.`;
  return `${ranked} of ${counted(all, "item")} placed.${left}`;
}

function placementOf(tiers: BallotTiers, items: number): Placement {
  const found = Array.from({ length: items }, () => -1);
  tiers.forEach((tier, t) => {
    for (const item of tier) found[item] = t;
  });
  return found;
}
