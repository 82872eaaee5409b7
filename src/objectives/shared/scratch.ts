/** Memory that grows with the longest list seen and is used again for the next: nothing is allocated inside the loop over lists. */
export function scratch(): (n: number) => Float64Array {
  let kept = new Float64Array(64);
  return (n) => {
    if (kept.length < n) kept = new Float64Array(2 * n);
    return kept;
  };
}
