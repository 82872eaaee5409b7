/**
 * Requests that are admitted and whose bodies are still arriving. They count towards the limit of the queue, so that under overload a request is
 * refused before its body is read; but only for a second, so that clients that send slowly do not keep out others.
 */
const COUNTED = 1000; // milliseconds

export class Arrivals {
  /** When each began, the oldest first. */
  readonly #since = new Map<object, number>();

  begin(request: object, now = performance.now()): void {
    this.#since.set(request, now);
  }

  end(request: object): void {
    this.#since.delete(request);
  }

  /** How many count. */
  get count(): number {
    return this.countAt(performance.now());
  }

  countAt(now: number): number {
    for (const [request, since] of this.#since) {
      if (now - since <= COUNTED) break;
      this.#since.delete(request);
    }
    return this.#since.size;
  }
}
