/**
 * Metrics in the text format of Prometheus (version 0.0.4): counters, gauges and histograms with labels.
 * https://prometheus.io/docs/instrumenting/exposition_formats/
 */
import { InputError } from "../../input-error.ts";

type Labels = Readonly<Record<string, string>>;

/** Only grows. */
export interface Counter {
  add(labels?: Labels, amount?: number): void;
}

/** Goes up and down. */
export interface Gauge {
  set(value: number, labels?: Labels): void;
  /** Forgets the value of labels that exist no more. */
  remove(labels: Labels): void;
}

/** Counts of observations by size. */
export interface Histogram {
  observe(value: number, labels?: Labels): void;
}

/** Seconds of requests: from a tenth of a millisecond to ten seconds. */
export const SECONDS: readonly number[] = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const LABEL = /^[a-zA-Z_][a-zA-Z0-9_]*$/;

/** All metrics of a server. */
export class Metrics {
  readonly #families = new Map<string, () => string[]>();

  counter(name: string, help: string): Counter {
    const values = new Map<string, number>();
    const textOf = labelTexts();
    this.#add(name, help, "counter", () => [...values].map(([labels, value]) => `${name}${labels} ${value}`));
    return {
      add(labels = {}, amount = 1) {
        const key = textOf(labels);
        values.set(key, (values.get(key) ?? 0) + amount);
      },
    };
  }

  /** `read`, where given, provides the value without labels at the time of a scrape. */
  gauge(name: string, help: string, read?: () => number): Gauge {
    const values = new Map<string, number>();
    this.#add(name, help, "gauge", () => {
      if (read) values.set("", read());
      return [...values].map(([labels, value]) => `${name}${labels} ${numberText(value)}`);
    });
    return {
      set: (value, labels = {}) => void values.set(labelText(labels), value),
      remove: (labels) => void values.delete(labelText(labels)),
    };
  }

  histogram(name: string, help: string, bounds: readonly number[] = SECONDS): Histogram {
    const textOf = labelTexts();
    const series = new Map<string, { readonly labels: Labels; readonly counts: number[]; sum: number }>();
    this.#add(name, help, "histogram", () =>
      [...series.values()].flatMap(({ labels, counts, sum }) => {
        let below = 0;
        const lines = [...bounds, Number.POSITIVE_INFINITY].map((bound, b) => {
          below += counts[b]!;
          return `${name}_bucket${labelText({ ...labels, le: numberText(bound) })} ${below}`;
        });
        return [...lines, `${name}_sum${labelText(labels)} ${sum}`, `${name}_count${labelText(labels)} ${below}`];
      }),
    );
    return {
      observe(value, labels = {}) {
        const key = textOf(labels);
        let one = series.get(key);
        if (!one) series.set(key, (one = { labels, counts: new Array(bounds.length + 1).fill(0), sum: 0 }));
        const at = bounds.findIndex((bound) => value <= bound);
        one.counts[at < 0 ? bounds.length : at]! += 1;
        one.sum += value;
      },
    };
  }

  #add(name: string, help: string, type: string, lines: () => string[]): void {
    if (!NAME.test(name))
      throw new InputError(`metrics: expected a name of letters, digits, _ and :, got ${JSON.stringify(name)}`);
    if (this.#families.has(name)) throw new InputError(`metrics: ${name} exists already`);
    const head = [`# HELP ${name} ${help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")}`, `# TYPE ${name} ${type}`];
    this.#families.set(name, () => [...head, ...lines()]);
  }

  /** All families, as a scrape reads them. */
  text(): string {
    return [...this.#families.values()]
      .flatMap((lines) => lines())
      .join("\n")
      .concat("\n");
  }
}

export const PROMETHEUS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

const numberText = (value: number) =>
  value === Number.POSITIVE_INFINITY ? "+Inf" : value === -Infinity ? "-Inf" : String(value);

const MOST_TEXTS = 1000;

/** The texts of labels, of which those of the same names and values are made once: there are few, and each request has some. */
function labelTexts(): (labels: Labels) => string {
  const texts = new Map<string, string>();
  return (labels) => {
    let key = "";
    for (const name in labels) key += `${name}\0${labels[name]}\0`;
    const known = texts.get(key);
    if (known !== undefined) return known;
    const text = labelText(labels);
    if (texts.size < MOST_TEXTS) texts.set(key, text);
    return text;
  };
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => {
    if (!LABEL.test(name))
      throw new InputError(`metrics: expected a label of letters, digits and _, got ${JSON.stringify(name)}`);
    return `${name}="${value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")}"`;
  });
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}
