/** Colors of tiers and items where nobody chose any. The page uses them too. */

/** From red to violet, as tier lists are known, light enough for dark letters. */
const TIERS = ["#ff8a80", "#ffc078", "#ffe066", "#c0eb75", "#8ce0c3", "#91c8f7", "#b4a7f5", "#e5a3e8"] as const;

/** Muted, so that names in white or black stay legible on any of them. */
const ITEMS = ["#3b6ea8", "#a3483f", "#4a7c43", "#8a5aa8", "#a86d1f", "#2f7f86", "#a3456f", "#5d6470"] as const;

/** The color of tier t of `count`. */
export const tierColor = (t: number, count: number): string =>
  TIERS[count <= TIERS.length ? t : Math.min(TIERS.length - 1, Math.floor((t * TIERS.length) / count))]!;

export const itemColor = (i: number): string => ITEMS[i % ITEMS.length]!;
