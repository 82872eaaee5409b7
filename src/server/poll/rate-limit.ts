/** Limits how often an address may do something: a bucket of tokens that fills at a constant rate. Addresses of IPv6 count by their first 64 bits. */
import { HttpError } from "../http/http-error.ts";

interface Bucket {
  tokens: number;
  at: number;
}

const MOST = 100_000; // addresses that are remembered

export class RateLimit {
  readonly #buckets = new Map<string, Bucket>();
  readonly #what: string;
  readonly #perMinute: number;
  readonly #burst: number;

  /** `perMinute` 0 is no limit. */
  constructor(what: string, perMinute: number, burst = perMinute) {
    this.#what = what;
    this.#perMinute = perMinute;
    this.#burst = burst;
  }

  /** Takes one token; refuses with 429 if the address has none left. */
  take(address: string, now = Date.now()): void {
    const bucket = this.#checked(address, now);
    if (bucket) bucket.tokens--;
  }

  /** Refuses if the address has none left, and takes none. */
  check(address: string, now = Date.now()): void {
    this.#checked(address, now);
  }

  #checked(address: string, now: number): Bucket | undefined {
    if (this.#perMinute === 0) return undefined;
    const bucket = this.#bucketOf(networkOf(address), now);
    if (bucket.tokens >= 1) return bucket;
    const seconds = Math.ceil(((1 - bucket.tokens) * 60) / this.#perMinute);
    throw new HttpError(429, "too_many_requests", `too many ${this.#what} from this address; try again in ${seconds} s`, {
      "retry-after": String(seconds),
    });
  }

  #bucketOf(key: string, now: number): Bucket {
    const known = this.#buckets.get(key);
    if (known) {
      known.tokens = Math.min(this.#burst, known.tokens + ((now - known.at) / 60_000) * this.#perMinute);
      known.at = now;
      return known;
    }
    if (this.#buckets.size >= MOST) this.#buckets.delete(this.#buckets.keys().next().value!);
    const fresh = { tokens: this.#burst, at: now };
    this.#buckets.set(key, fresh);
    return fresh;
  }
}

/** Limits how many streams an address holds open. */
export class Streams {
  readonly #open = new Map<string, number>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  take(address: string): void {
    const key = networkOf(address);
    const count = this.#open.get(key) ?? 0;
    if (count >= this.#most)
      throw new HttpError(429, "too_many_streams", `this address has ${count} pages open already, the limit`, {
        "retry-after": "60",
      });
    this.#open.set(key, count + 1);
  }

  give(address: string): void {
    const key = networkOf(address);
    const count = (this.#open.get(key) ?? 1) - 1;
    if (count === 0) this.#open.delete(key);
    else this.#open.set(key, count);
  }
}

/** The network of an address that one person has at hand. */
export function networkOf(address: string): string {
  if (!address.includes(":")) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped) return mapped[1]!;
  const [head = "", tail = ""] = address.split("::");
  const first = head.split(":").filter((part) => part !== "");
  const last = tail.split(":").filter((part) => part !== "");
  const zeros = address.includes("::") ? Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => "0") : [];
  return [...first, ...zeros, ...last].slice(0, 4).join(":").toLowerCase();
}
