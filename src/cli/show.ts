/** `tierwise show`: what a model is and what it learned. */
import type { Command } from "commander";
import { readModel } from "../formats/models/files.ts";
import type { Description } from "../types.ts";
import { descriptionText, print, printJson } from "./output.ts";

export function showCommand(program: Command): void {
  program
    .command("show")
    .summary("what a model is and what it learned")
    .description("Prints what a model file holds: its kind, how it was trained, what it reached, and what it learned.")
    .argument("<model>", "model file")
    .option("--all", "whole tables instead of their first twenty rows")
    .option("--json", "print the result as one line of JSON")
    .action((path: string, { all, json }: { all?: true; json?: true }) => {
      const { model, training, metrics } = readModel(path);
      const told = model.describe();
      if (json) return printJson({ ...told, training, metrics, columns: model.columns });
      const reached = Object.fromEntries(Object.entries(metrics).map(([name, value]) => [`valid ${name}`, value]));
      const { objective, seed, rounds, best, data } = training;
      const facts: Description["facts"] = {
        ...told.facts,
        objective,
        ...(rounds === undefined ? {} : { rounds: best === rounds ? `${rounds}` : `${best} (the best of ${rounds})` }),
        ...(data ? { "trained on": `${data.lists} lists, ${data.items} items` } : {}),
        ...(seed === undefined ? {} : { seed }),
        ...reached,
      };
      print(descriptionText({ ...told, facts }, all ? Infinity : 20));
    });
}
