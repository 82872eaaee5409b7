/** The top k of many scores: a heap whose root is the worst item kept. Equal scores are ordered by item number. */
export class TopK {
  private readonly k: number;
  private size = 0;
  private readonly scores: Float64Array;
  private readonly items: Uint32Array;

  constructor(k: number) {
    this.k = k;
    this.scores = new Float64Array(k);
    this.items = new Uint32Array(k);
  }

  clear(): void {
    this.size = 0;
  }

  /** Offers entries from to to of `values` as items `first` on. */
  offer(values: Float32Array | Float64Array, from: number, to: number, first: number): void {
    let least = this.size < this.k ? -Infinity : this.scores[0]!;
    for (let i = from; i < to; i++) {
      const score = values[i]!;
      if (score < least || (this.size === this.k && score === least && first + i - from > this.items[0]!)) continue;
      if (this.size < this.k) this.siftUp(score, first + i - from);
      else this.siftDown(score, first + i - from, 0);
      if (this.size === this.k) least = this.scores[0]!;
    }
  }

  /** Writes what was kept, best first, from `at` on. Empties the heap. */
  drain(items: Uint32Array, scores: Float64Array, at: number): void {
    for (let place = at + this.size - 1; place >= at; place--) {
      scores[place] = this.scores[0]!;
      items[place] = this.items[0]!;
      const last = --this.size;
      if (last > 0) this.siftDown(this.scores[last]!, this.items[last]!, 0);
    }
  }

  private worse(a: number, score: number, item: number): boolean {
    return this.scores[a]! < score || (this.scores[a] === score && this.items[a]! > item);
  }

  private put(at: number, score: number, item: number): void {
    this.scores[at] = score;
    this.items[at] = item;
  }

  private siftUp(score: number, item: number): void {
    let at = this.size++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.worse(parent, score, item)) break;
      this.put(at, this.scores[parent]!, this.items[parent]!);
      at = parent;
    }
    this.put(at, score, item);
  }

  private siftDown(score: number, item: number, at: number): void {
    for (;;) {
      let child = 2 * at + 1;
      if (child >= this.size) break;
      if (child + 1 < this.size && this.worse(child + 1, this.scores[child]!, this.items[child]!)) child++;
      if (!this.worse(child, score, item)) break;
      this.put(at, this.scores[child]!, this.items[child]!);
      at = child;
    }
    this.put(at, score, item);
  }
}
