/**
 * The leaderboard: rank intervals, how often an item is placed first, how sure it is the best, and on hover, focus or tap of an item how often
 * voters put it above each of the others. Roles of rows and cells are explicit, because a table that is drawn as a grid on small screens loses them.
 */
import { useState } from "preact/hooks";
import type { PollResults, PollView, ResultItem } from "../../src/server/poll/types.ts";
import { Chip, counted } from "./parts.tsx";

interface LeaderboardProps {
  readonly poll: PollView;
  readonly results: PollResults;
  pictureOf(item: number): string | undefined;
}

/** Shares are estimates, so none is said to be nothing or everything. */
export const percent = (share: number): string => {
  const value = 100 * share;
  if (value > 99.9) return "> 99.9 %";
  if (value < 0.1) return "< 0.1 %";
  return `${value.toFixed(1)} %`;
};

const MOST_TIERS = 20; // in the picture of how often an item was put into each

export function Leaderboard({ poll, results, pictureOf }: LeaderboardProps) {
  const [chosen, setChosen] = useState<number>();
  const { items } = results;
  const active = Math.max(
    0,
    items.findIndex(({ item }) => item === chosen),
  );
  const nameOf = (place: number) => poll.items[items[place]!.item]!.name;
  const showTiers = poll.tiers.length <= MOST_TIERS;
  return (
    <section class="card">
      <p class="headline">{firstPlace(results, nameOf)}</p>
      <table class="ranks">
        <caption class="hidden">Leaderboard, the best first</caption>
        <thead>
          <tr role="row">
            <th scope="col">Rank</th>
            <th scope="col">Item</th>
            <th scope="col">Rank interval, 95 % for all at once</th>
            {showTiers && <th scope="col">Tiers</th>}
            <th scope="col" class="number">
              Placed first
            </th>
            <th scope="col" class="number">
              Truly best
            </th>
            <th scope="col" class="number">
              <bdi>{nameOf(active)}</bdi> above it
            </th>
          </tr>
        </thead>
        <tbody>
          {items.map((row, place) => (
            <Row
              key={row.item}
              {...{
                row,
                place,
                poll,
                showTiers,
                active: place === active,
                picture: pictureOf(row.item),
                against: nameOf(active),
              }}
              count={items.length}
              duel={place === active ? undefined : duel(results, active, place)}
              onChoose={() => setChosen(row.item)}
            />
          ))}
        </tbody>
      </table>
      {showTiers && (
        <ul class="legend small soft" aria-label="Colors of tiers">
          {poll.tiers.map(({ name, color }) => (
            <li key={name}>
              <span class="swatch" style={{ backgroundColor: color }} />
              <bdi>{name}</bdi>
            </li>
          ))}
        </ul>
      )}
      <p class="small soft">
        <b>Placed first</b>: how often a voter would put the item before all others. <b>Truly best</b>: how sure it is, given
        these ballots, that no other item is better. Choose an item to see how often voters put it above each of the others.
      </p>
    </section>
  );
}

/** How often voters put the item in one place above that in another, and how sure it is that it is the better one. */
export interface Duel {
  readonly wins: number;
  readonly sure: number;
}

export function duel({ items, above }: PollResults, place: number, other: number): Duel {
  const [low, high] = [Math.min(place, other), Math.max(place, other)];
  const n = items.length;
  const sure = above[low * n - (low * (low + 1)) / 2 + high - low - 1]!;
  return {
    wins: 1 / (1 + Math.exp(items[other]!.utility - items[place]!.utility)),
    sure: place < other ? sure : 1 - sure,
  };
}

interface RowProps {
  readonly row: ResultItem;
  readonly place: number;
  readonly count: number;
  readonly poll: PollView;
  readonly picture: string | undefined;
  readonly active: boolean;
  readonly against: string;
  readonly showTiers: boolean;
  readonly duel: Duel | undefined;
  onChoose(): void;
}

function Row({ row, count, poll, picture, active, against, showTiers, duel: result, onChoose }: RowProps) {
  const { name, color } = poll.items[row.item]!;
  const rank = row.rankLow === row.rankHigh ? `${row.rankLow}` : `${row.rankLow}–${row.rankHigh}`;
  return (
    <tr role="row" class={active ? "active" : ""} onPointerEnter={(event) => event.pointerType === "mouse" && onChoose()}>
      <td role="cell" class="number">
        {rank}
      </td>
      <td role="cell">
        <button
          type="button"
          class="name"
          aria-pressed={active}
          onClick={onChoose}
          onFocus={onChoose}
          aria-label={`${name}: compare with the others`}
        >
          <Chip {...{ name, color, picture }} />
        </button>
      </td>
      <td role="cell" class="wide drawn" data-label="rank interval, 95 %">
        <div class="range" aria-hidden="true">
          <span
            style={{
              left: `${(100 * (row.rankLow - 1)) / count}%`,
              width: `${(100 * (row.rankHigh - row.rankLow + 1)) / count}%`,
            }}
          />
        </div>
        <div class="scale" aria-hidden="true">
          <span>1</span>
          <span>{count}</span>
        </div>
      </td>
      {showTiers && (
        <td role="cell" class="wide drawn" data-label="tiers it was put into">
          <Spectrum row={row} poll={poll} />
        </td>
      )}
      <td role="cell" class="number wide" data-label="placed first">
        {percent(row.worth)}
      </td>
      <td role="cell" class="number wide" data-label="truly best">
        {percent(row.best)}
      </td>
      <td role="cell" class="number wide" data-label={`${against} above it`}>
        {result ? (
          <span title={`${percent(result.sure)} sure that ${against} is the better one`}>
            {percent(result.wins)}
            <span class="hidden">
              , {percent(result.sure)} sure that {against} is the better one
            </span>
          </span>
        ) : (
          "–"
        )}
      </td>
    </tr>
  );
}

/** How often an item was put into each tier. */
function Spectrum({ row, poll }: { row: ResultItem; poll: PollView }) {
  const parts = row.tiers.map((count, t) => ({ count, ...poll.tiers[t]! })).filter(({ count }) => count > 0);
  const text = parts.map(({ name, count }) => `${name}: ${count}`).join(", ");
  return (
    <div
      class="spectrum"
      role="img"
      aria-label={row.ranked === 0 ? "in no ballot" : `in ${counted(row.ranked, "ballot")}; ${text}`}
      title={text}
    >
      {parts.map(({ name, color, count }) => (
        <span key={name} style={{ backgroundColor: color, width: `${(100 * count) / row.ranked}%` }} />
      ))}
    </div>
  );
}

/** How sure the first place is, in a sentence. */
function firstPlace({ items, ballots }: PollResults, nameOf: (place: number) => string) {
  const [first, second] = items;
  if (first!.rankHigh === 1)
    return (
      <>
        <b>{nameOf(0)}</b> is first: {percent(first!.best)} sure.
      </>
    );
  return (
    <>
      First place is open. <b>{nameOf(0)}</b> leads ({percent(first!.best)} sure), before <b>{nameOf(1)}</b> (
      {percent(second!.best)}).
      {ballots < 10 && " More ballots will narrow the intervals."}
    </>
  );
}
