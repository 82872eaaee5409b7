/**
 * Requests that are admitted and whose bodies are still arriving. They count towards the limit of the queue, so that under overload a request is
 * refused before its body is read; but only for a second, so that clients that send slowly do not keep out others.
 */
const COUNTED = 1000; // milliseconds

export class Arrivals {
  /** When each began and how many bytes it announced, the oldest first. */
  readonly #under = new Map<object, { readonly since: number; readonly size: number }>();
  /** Bytes of those that count. */
  bytes = 0;

  begin(request: object, size: number, now = performance.now()): void {
    this.end(request);
    this.#under.set(request, { since: now, size });
    this.bytes += size;
  }

  end(request: object): void {
    const one = this.#under.get(request);
    if (!one) return;
    this.#under.delete(request);
    this.bytes -= one.size;
  }

  /** How many count. */
  get count(): number {
    return this.countAt(performance.now());
  }

  countAt(now: number): number {
    for (const [request, { since }] of this.#under) {
      if (now - since <= COUNTED) break;
      this.end(request);
    }
    return this.#under.size;
  }
}
