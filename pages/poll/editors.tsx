/** Editors of the look of items and of the tiers of a new poll. */
import { tierColor } from "../../src/server/poll/colors.ts";
import type { PollTier } from "../../src/server/poll/types.ts";
import { sentence } from "./api.ts";
import { smallPicture } from "./picture.ts";

export interface ItemLook {
  readonly color: string;
  readonly picture?: string;
}

interface ItemEditorProps {
  readonly name: string;
  readonly look: ItemLook;
  onChange(look: ItemLook): void;
  onProblem(text: string): void;
}

export function ItemEditor({ name, look, onChange, onProblem }: ItemEditorProps) {
  const choose = async (file: File | undefined) => {
    if (!file) return;
    try {
      onChange({ ...look, picture: await smallPicture(file) });
    } catch (error) {
      onProblem(sentence(error));
    }
  };
  return (
    <div class="edit">
      <input
        type="color"
        aria-label={`Color of ${name}`}
        value={look.color}
        onInput={(event) => onChange({ ...look, color: event.currentTarget.value })}
      />
      <bdi>{name}</bdi>
      {look.picture === undefined ? <span /> : <img src={look.picture} alt="" />}
      {look.picture === undefined ? (
        <label class="button pick">
          Picture
          <span class="hidden"> of {name}</span>
          <input type="file" accept="image/*" onChange={(event) => choose(event.currentTarget.files?.[0])} />
        </label>
      ) : (
        <button type="button" onClick={() => onChange({ color: look.color })}>
          Remove<span class="hidden"> the picture of {name}</span>
        </button>
      )}
    </div>
  );
}

export function TierEditor({ tiers, onChange }: { tiers: readonly PollTier[]; onChange(tiers: PollTier[]): void }) {
  const set = (at: number, more: Partial<PollTier>) => onChange(tiers.map((tier, t) => (t === at ? { ...tier, ...more } : tier)));
  return (
    <>
      <p class="soft small">The best first.</p>
      {tiers.map((tier, t) => (
        <div class="edit" key={t}>
          <input
            type="color"
            aria-label={`Color of tier ${t + 1}`}
            value={tier.color}
            onInput={(event) => set(t, { color: event.currentTarget.value })}
          />
          <input
            type="text"
            aria-label={`Name of tier ${t + 1}`}
            required
            maxLength={30}
            value={tier.name}
            onInput={(event) => set(t, { name: event.currentTarget.value })}
          />
          <span />
          <button
            type="button"
            disabled={tiers.length <= 2}
            aria-label={`Remove tier ${tier.name}`}
            onClick={() => onChange(tiers.filter((_, other) => other !== t))}
          >
            Remove
          </button>
        </div>
      ))}
      <button
        type="button"
        disabled={tiers.length >= 20}
        onClick={() =>
          onChange([...tiers, { name: `Tier ${tiers.length + 1}`, color: tierColor(tiers.length, tiers.length + 1) }])
        }
      >
        Add a tier
      </button>
    </>
  );
}
