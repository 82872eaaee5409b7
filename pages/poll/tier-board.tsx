/**
 * Tiers into which items are moved: dragged with mouse or finger, placed by a click on an item and then on a tier, or moved with the keys: up and
 * down to the next tier, a digit to a tier, 0 or Delete back to the unranked ones, left and right to the neighboring item. Every move is announced
 * in a live region. Items are plain buttons, so screen readers need no special mode.
 */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { PollItem, PollTier } from "../../src/server/poll/types.ts";
import { inkOn, painted } from "./colors.ts";
import { useDrag } from "./drag.ts";

/** For each item the number of its tier, or -1 where it is unranked. */
export type Placement = readonly number[];

interface BoardProps {
  readonly tiers: readonly PollTier[];
  readonly items: readonly PollItem[];
  readonly placement: Placement;
  readonly disabled: boolean;
  pictureOf(item: number): string | undefined;
  onMove(item: number, tier: number): void;
}

export function TierBoard({ tiers, items, placement, disabled, pictureOf, onMove }: BoardProps) {
  const [picked, setPicked] = useState<number>();
  const [announcement, setAnnouncement] = useState("");
  const board = useRef<HTMLDivElement>(null);
  const focusAfter = useRef<number | undefined>(undefined);

  const inTier = (tier: number) => items.map((_, item) => item).filter((item) => placement[item] === tier);
  const tierText = (tier: number) => (tier < 0 ? "unranked" : `tier ${tiers[tier]!.name}`);
  const placeText = (name: string, tier: number) => (tier < 0 ? `Unrank: ${name}` : `Place here: ${name} in ${tierText(tier)}`);
  const move = (item: number, tier: number, focus: boolean) => {
    if (disabled) return;
    setPicked(undefined);
    if (focus) focusAfter.current = item;
    if (placement[item] === tier)
      return setAnnouncement(`${items[item]!.name} stays ${tier < 0 ? "unranked" : `in ${tierText(tier)}`}.`);
    onMove(item, tier);
    setAnnouncement(
      `${items[item]!.name}: ${tier < 0 ? "unranked again" : `moved to ${tierText(tier)}, ${tier + 1} of ${tiers.length}`}.`,
    );
  };
  const { drag, target, start } = useDrag(board, (item, tier) => move(item, tier, false));

  // An item that changes its tier is rendered again there: the focus follows it, before the next key can arrive.
  useLayoutEffect(() => {
    if (focusAfter.current === undefined) return;
    board.current?.querySelector<HTMLElement>(`[data-item="${focusAfter.current}"]`)?.focus();
    focusAfter.current = undefined;
  }, [placement, picked]);

  const onKey = (event: KeyboardEvent, item: number) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const tier = placement[item]!;
    const act = keyAction(event.key, tier, tiers.length);
    if (act === "cancel") setPicked(undefined);
    else if (act === "previous" || act === "next") focusNeighbor(event.currentTarget as HTMLElement, act);
    else if (act !== undefined) move(item, act, true);
    else return;
    event.preventDefault();
  };
  /** A press on a tier, beside its buttons, places the item that is selected. By the keyboard the button of the tier does that. */
  const onTier = (event: MouseEvent, tier: number) => {
    if (picked === undefined || placement[picked] === tier || (event.target as Element).closest("button")) return;
    move(picked, tier, true);
  };
  const itemButton = (item: number) => {
    const { name, color } = items[item]!;
    const picture = pictureOf(item);
    return (
      <li key={item}>
        <button
          type="button"
          class={`item${picture ? " pictured" : ""}${drag?.item === item ? " lifted" : ""}`}
          style={painted(color)}
          data-item={item}
          aria-pressed={picked === item}
          aria-label={`${name}, ${tierText(placement[item]!)}`}
          aria-describedby="board-help"
          disabled={disabled}
          onPointerDown={(event) => start(event, item)}
          onKeyDown={(event) => onKey(event, item)}
          onClick={() => setPicked(picked === item ? undefined : item)}
        >
          {picture && <img src={picture} alt="" draggable={false} />}
          <bdi>{name}</bdi>
        </button>
      </li>
    );
  };
  const placeButton = (tier: number) =>
    picked !== undefined &&
    placement[picked] !== tier && (
      <li>
        <button
          type="button"
          class="place"
          aria-label={placeText(items[picked]!.name, tier)}
          onClick={() => move(picked, tier, true)}
        >
          {tier < 0 ? "Unrank" : "Place here"}
        </button>
      </li>
    );
  const unranked = inTier(-1);
  return (
    <div ref={board}>
      <p id="board-help" class="soft small">
        Drag items into tiers, or tap an item and then a tier.{" "}
        <span class="keys">
          With the keyboard: <b>↑</b> <b>↓</b> move an item, <b>1</b>–<b>{Math.min(9, tiers.length)}</b> choose a tier, <b>0</b>{" "}
          takes it out.
        </span>{" "}
        Items you leave unranked say nothing.
      </p>
      <p class="hidden" role="status" aria-live="assertive">
        {announcement}
      </p>
      <div class={`table${picked === undefined ? "" : " picking"}`}>
        <div class="board">
          {tiers.map(({ name, color }, t) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: keys have the button of the tier and the digits
            <section
              key={t}
              class={`tier${target === t ? " target" : ""}`}
              data-tier={t}
              aria-label={`Tier ${name}`}
              onClick={(event) => onTier(event, t)}
            >
              <div class={`tier-name${name.length > 4 ? " long" : ""}`} style={{ backgroundColor: color, color: inkOn(color) }}>
                <bdi>{name}</bdi>
              </div>
              <ul class="tier-items" aria-label={`Items in tier ${name}`}>
                {inTier(t).map(itemButton)}
                {placeButton(t)}
              </ul>
            </section>
          ))}
        </div>
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: keys have the button and the digit 0 */}
        <section
          class={`pool${target === -1 ? " target" : ""}`}
          data-tier={-1}
          aria-label="Unranked items"
          onClick={(event) => onTier(event, -1)}
        >
          <h2>Not ranked yet</h2>
          {unranked.length === 0 && picked === undefined ? (
            <p class="empty">Every item has a tier.</p>
          ) : (
            <ul>
              {unranked.map(itemButton)}
              {placeButton(-1)}
            </ul>
          )}
        </section>
      </div>
      {drag && (
        <div
          class={`item floating${pictureOf(drag.item) ? " pictured" : ""}`}
          style={{ ...painted(items[drag.item]!.color), transform: `translate(${drag.x}px, ${drag.y}px)` }}
          aria-hidden="true"
        >
          {pictureOf(drag.item) && <img src={pictureOf(drag.item)} alt="" />}
          <bdi>{items[drag.item]!.name}</bdi>
        </div>
      )}
    </div>
  );
}

/** What a key does to an item: the tier it goes to, or another action. */
function keyAction(key: string, tier: number, tiers: number): number | "cancel" | "previous" | "next" | undefined {
  if (key === "ArrowUp") return tier < 0 ? tiers - 1 : Math.max(0, tier - 1);
  if (key === "ArrowDown") return tier < 0 ? -1 : tier + 1 < tiers ? tier + 1 : -1;
  if (key === "ArrowLeft") return "previous";
  if (key === "ArrowRight") return "next";
  if (key === "0" || key === "Delete" || key === "Backspace") return -1;
  if (key === "Escape") return "cancel";
  return /^[1-9]$/.test(key) && Number(key) <= tiers ? Number(key) - 1 : undefined;
}

function focusNeighbor(button: HTMLElement, way: "previous" | "next"): void {
  const all = [...button.closest("ul")!.querySelectorAll<HTMLElement>(".item")];
  all[all.indexOf(button) + (way === "next" ? 1 : -1)]?.focus();
}
