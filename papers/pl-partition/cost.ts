/**
 * What 1,000 steps of batch 20 cost (Figure 2): seconds of processor time, and memory beyond what the data take, of one
 * process. A method that
 * would need longer than `seconds` is stopped after the steps it has made, and its time is scaled to 1,000.
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { isUtilities, learner, objective } from "../../src/index.ts";
import { runSolo } from "../internal.ts";
import { METHODS } from "./recovery.ts";
import { draw } from "./simulated.ts";

export interface Cost {
  readonly seconds: number; // for 1,000 steps
  readonly megabytes: number;
  readonly steps: number; // made
}

const STEPS = 1000;
const BATCH = 20;

/** Runs in a process of its own, because memory is counted for the whole process. */
export function costOf(method: string, items: number, seconds: number): Cost {
  const script = fileURLToPath(import.meta.url);
  const { stdout, status, stderr } = spawnSync(process.execPath, [script, method, String(items), String(seconds)], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`${method} at ${items} items: ${stderr.trim().split("\n").at(-1)}`);
  return JSON.parse(stdout) as Cost;
}

function measure(name: string, items: number, seconds: number): Cost {
  const method = METHODS.find((one) => one.name === name)!;
  const { tiers, oracle } = draw(items, BATCH, 1);
  const data = method.oracle ? oracle : tiers;
  const before = process.resourceUsage().maxRSS;
  // A pass over as many lists as a batch holds is one step, so a round is a step.
  const model = learner(`utilities:errors=no,optimizer=adagrad(rate=0.1,batch=${BATCH},epochs=${STEPS})`);
  const timer = () => process.cpuUsage().user / 1e6;
  let [begun, steps, spent] = [0, 0, 0];
  runSolo((team) => {
    const learned = model.learn(data, objective(method.objective), {
      seed: 1,
      team,
      afterRound(round) {
        // The first step, which also compiles, is not counted.
        if (round === 1) begun = timer();
        else [steps, spent] = [round - 1, timer() - begun];
        return round > 2 && spent > seconds ? "stop" : "improved";
      },
    });
    if (!isUtilities(learned)) throw new Error("the simulation fits utilities");
  });
  return {
    seconds: (spent / steps) * STEPS,
    megabytes: Math.max(0, process.resourceUsage().maxRSS - before) / 1024,
    steps: steps + 1,
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , name, items, seconds] = process.argv;
  process.stdout.write(JSON.stringify(measure(name!, Number(items), Number(seconds))));
}
