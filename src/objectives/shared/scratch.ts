/** A scratch array that grows with the longest list and is reused: nothing is allocated in the loop over lists. */
export function scratch(): (n: number) => Float64Array {
  let kept = new Float64Array(64);
  return (n) => {
    if (kept.length < n) kept = new Float64Array(2 * n);
    return kept;
  };
}
