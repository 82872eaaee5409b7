/** Letters that are legible on a color: black or white, whichever has more contrast (WCAG 2.2, relative luminance). */

export function inkOn(color: string): string {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  const luminance = 0.2126 * r + 0.7152 * g + 0.0722 * b;
  return (luminance + 0.05) / 0.05 >= 1.05 / (luminance + 0.05) ? "#000000" : "#ffffff";
}

export const painted = (color: string) => ({ backgroundColor: color, color: inkOn(color) });
