/**
 * A model of the time a tree takes on several processes, in the form of the tables of docs/scale.md.
 *
 *   T(P) = C / min(P, cores) + calls · latency · log2 P + bytes · (P - 1) / P / bandwidth
 *
 * C is the time of one process, and cores are those that the processes have in all; on machines of their own, as many as they want. A tree of L leaves sums histograms L times, for the root and for the smaller of two leaves at each split, and each time the
 * processes reduce and scatter G groups of 8 columns x 256 bins x 8 bytes, gather the best split of each feature, and count the rows that went left.
 *
 *   npm run bench scale-model [--seconds 0.1] [--features 136] [--leaves 31] [--latency 20e-6] [--cores 2] [--gigabits 10,25,100] [--most 256]
 */
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "0.1" }, // of a tree in one process
    features: { type: "string", default: "136" },
    leaves: { type: "string", default: "31" },
    latency: { type: "string", default: "20e-6" }, // seconds of a small message
    cores: { type: "string", default: "Infinity" },
    gigabits: { type: "string", default: "10,25,100" }, // per second, of networks
    most: { type: "string", default: "256" }, // processes
  },
});
const [seconds, features, leaves, latency] = [values.seconds, values.features, values.leaves, values.latency].map(Number) as [
  number,
  number,
  number,
  number,
];
const GROUP = 8 * 256 * 8; // bytes of the histograms of eight columns
const CALLS = 3; // exchanges for each sum of histograms
const FIXED = 5; // of a tree: its derivatives, the heaviest row, rows and totals of the root
const bytes = leaves * (Math.ceil(features / 8) * GROUP + 2 * features * 5 * 8);

/** Seconds of a tree with so many processes, over a network of so many bytes a second. */
const perTree = (processes: number, bandwidth: number): number =>
  seconds / Math.min(processes, Number(values.cores)) +
  (CALLS * leaves + FIXED) * latency * Math.log2(processes) +
  (bytes * (processes - 1)) / processes / bandwidth;

console.log(`one process: ${seconds} s a tree; ${(bytes / 1e6).toFixed(1)} MB a tree; latency ${latency * 1e6} us`);
const networks = values.gigabits.split(",").map(Number);
console.log(`| processes | ${networks.map((one) => `${one} Gbit/s`).join(" | ")} |\n|---${"|---".repeat(networks.length)}|`);
for (let processes = 1; processes <= Number(values.most); processes *= 2) {
  const cells = networks.map((gigabits) => {
    const time = perTree(processes, (gigabits * 1e9) / 8);
    return `${(1000 * time).toFixed(1)} ms (${(seconds / time).toFixed(1)}x)`;
  });
  console.log(`| ${processes} | ${cells.join(" | ")} |`);
}
