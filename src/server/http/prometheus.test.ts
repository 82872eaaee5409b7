import { describe, expect, it } from "vitest";
import { Metrics } from "./prometheus.ts";

describe("Metrics", () => {
  it("writes counters, gauges and histograms in the text format", () => {
    const metrics = new Metrics();
    const requests = metrics.counter("requests_total", "Requests.\nAll of them.");
    requests.add({ route: "/a" });
    requests.add({ route: "/a" }, 2);
    requests.add({ route: 'b"\\\n' });
    metrics.gauge("depth", "Queue.", () => 7);
    const versions = metrics.gauge("version", "Version.");
    versions.set(1, { digest: "x" });
    versions.remove({ digest: "x" });
    versions.set(Number.POSITIVE_INFINITY, { digest: "y" });
    const sizes = metrics.histogram("sizes", "Sizes.", [1, 10]);
    for (const size of [1, 2, 100]) sizes.observe(size, { model: "m" });
    expect(metrics.text()).toBe(`# HELP requests_total Requests.\\nAll of them.
# TYPE requests_total counter
requests_total{route="/a"} 3
requests_total{route="b\\"\\\\\\n"} 1
# HELP depth Queue.
# TYPE depth gauge
depth 7
# HELP version Version.
# TYPE version gauge
version{digest="y"} +Inf
# HELP sizes Sizes.
# TYPE sizes histogram
sizes_bucket{model="m",le="1"} 1
sizes_bucket{model="m",le="10"} 2
sizes_bucket{model="m",le="+Inf"} 3
sizes_sum{model="m"} 103
sizes_count{model="m"} 3
`);
  });

  it("refuses names that the format does not allow, and a name twice", () => {
    const metrics = new Metrics();
    expect(() => metrics.counter("a-b", "x")).toThrow(/expected a name of letters/);
    metrics.counter("a", "x");
    expect(() => metrics.gauge("a", "x")).toThrow(/exists already/);
    expect(() => metrics.counter("c", "x").add({ "a-b": "1" })).toThrow(/expected a label/);
  });
});
