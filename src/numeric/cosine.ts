/** The cosine by its series, with the same bits on every machine, for arguments of moderate size. */
export function cosine(x: number): number {
  const turn = 2 * Math.PI;
  let angle = Math.abs(x) % turn;
  if (angle > Math.PI) angle = turn - angle;
  const sign = angle > Math.PI / 2 ? -1 : 1;
  if (sign < 0) angle = Math.PI - angle;
  const square = angle * angle;
  let sum = 0;
  for (let k = 22; k > 0; k -= 2) sum = (1 - sum) * (square / (k * (k - 1)));
  return sign * (1 - sum);
}
