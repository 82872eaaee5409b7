/** How opinion splits, and which treatment of ties predicts ballots best. */
import type { PollResults, PollView } from "../../src/server/poll/types.ts";
import { percent } from "./leaderboard.tsx";
import { Chip, counted } from "./parts.tsx";

interface StudyProps {
  readonly poll: PollView;
  readonly results: PollResults;
  pictureOf(item: number): string | undefined;
}

const TREATMENTS: Readonly<Record<string, string>> = {
  "pl-partition": "a tier is an unknown order (Plackett-Luce of tiers, used above)",
  davidson: "a tie is a result of its own (Davidson)",
  "rao-kupper": "a tie is a difference too small to see (Rao-Kupper)",
  "listmle:ties=random": "ties are broken at random (ListMLE)",
};

export function StudySections({ poll, results, pictureOf }: StudyProps) {
  const { study } = results;
  if (!study)
    return (
      <section class="card">
        <h2>How opinion splits</h2>
        <p class="soft">
          From a dozen ballots that compare items on, and after some seconds of computing, this page also says whether voters form
          groups and how well ties are modeled.
        </p>
      </section>
    );
  const split = study.clusters.length > 1;
  return (
    <>
      <section class="card">
        <h2>How opinion splits</h2>
        {split ? (
          <p class="soft">
            {study.clusters.length} groups of voters with leaderboards of their own predict held-out ballots better than one
            leaderboard does.
          </p>
        ) : (
          <p>
            Voters form no groups: two leaderboards do not predict held-out ballots better than one does, beyond chance
            (log-likelihood of a ballot {signed(study.gain)} ± {study.error.toFixed(3)}).
          </p>
        )}
        {split && (
          <div class="split">
            {study.clusters.map(({ share, items }, k) => (
              <div key={k}>
                <h3>
                  Group {k + 1}: {Math.round(100 * share)} % of voters
                </h3>
                <ol>
                  {items.slice(0, 10).map(({ item, worth }, place) => (
                    // With a number of its own: Chromium keeps old ones when items change places.
                    <li key={item} value={place + 1}>
                      <Chip {...{ name: poll.items[item]!.name, color: poll.items[item]!.color, picture: pictureOf(item) }} />{" "}
                      <span class="soft small">{percent(worth)} first</span>
                    </li>
                  ))}
                </ol>
              </div>
            ))}
          </div>
        )}
      </section>
      <section class="card">
        <h2>What a tie means</h2>
        <p class="soft">
          Treatments of ties, by how well they predict held-out ballots ({counted(study.ballots, "ballot")}): mean of -log
          P(better above worse), the lower the better.
        </p>
        <table>
          <thead>
            <tr>
              <th scope="col">Treatment</th>
              <th scope="col" class="number">
                -log P of a pair
              </th>
              <th scope="col" class="number">
                log-likelihood of tiers
              </th>
            </tr>
          </thead>
          <tbody>
            {study.ties.map(({ objective, pairs, tiers }) => (
              <tr key={objective}>
                <td>{TREATMENTS[objective] ?? objective}</td>
                <td class="number">{pairs.toFixed(4)}</td>
                <td class="number">{tiers.toFixed(4)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}

const signed = (value: number) => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(3)}`;
