/** `tierwise list`: every objective, model, metric, optimizer, source of tiers and format, with its options. */
import type { Command } from "commander";
import { tierSources } from "../data/tier-sources.ts";
import type { DataFormat } from "../formats/data/format.ts";
import { dataFormats } from "../formats/data/formats.ts";
import { InputError, quote } from "../input-error.ts";
import { metrics } from "../metrics/index.ts";
import { models } from "../models/index.ts";
import { objectives } from "../objectives/index.ts";
import { optimizers } from "../optimizers/index.ts";
import { type AnyPart, optionRows, suggest } from "../part.ts";
import { print, printJson } from "./output.ts";

const registries: Readonly<Record<string, readonly AnyPart<unknown>[]>> = {
  objectives,
  models,
  metrics,
  optimizers,
  "tier-sources": tierSources,
};
const kinds = [...Object.keys(registries), "formats"];

export function listCommand(program: Command): void {
  program
    .command("list")
    .summary("objectives, models, metrics, optimizers, sources of tiers and formats")
    .description(`Lists everything available, with options and defaults: ${kinds.join(", ")}.`)
    .argument("[what]", "one of these, or a single name")
    .option("--json", "print the result as one line of JSON")
    .action((what: string | undefined, { json }: { json?: true }) => run(what, json ?? false));
}

function run(what: string | undefined, json: boolean): void {
  const wanted = what === undefined ? kinds : kinds.filter((kind) => kind === what || kind === `${what}s`);
  const single = Object.values(registries).flatMap((parts) => parts.filter(({ id }) => id === what));
  const names = [...kinds, ...Object.values(registries).flatMap((parts) => parts.map(({ id }) => id))];
  if (wanted.length === 0 && single.length === 0)
    throw new InputError(`there is nothing called ${quote(what!)} to list; ${suggest(what!, names)}`);
  if (json) printJson(single.length > 0 ? single.map(partJson) : Object.fromEntries(wanted.map((kind) => [kind, jsonOf(kind)])));
  else if (single.length > 0) print(single.map(partText).join("\n\n"));
  else print(wanted.map((kind) => `${kind.toUpperCase()}\n${textOf(kind)}`).join("\n\n"));
}

const jsonOf = (kind: string) => (kind === "formats" ? dataFormats.map(formatJson) : registries[kind]!.map(partJson));

const textOf = (kind: string) => (kind === "formats" ? formatsText() : registries[kind]!.map(partText).join("\n"));

const formatJson = ({ id, about, extensions, options, tiers }: DataFormat) => ({
  ...{ id, about, extensions, options },
  ...(tiers && { tiers }),
});

const partJson = (part: AnyPart<unknown>) => ({
  id: part.id,
  about: part.about,
  aliases: part.aliases,
  options: optionRows(part),
});

function partText(part: AnyPart<unknown>): string {
  const aliases = part.aliases.length > 0 ? ` (also ${part.aliases.join(", ")})` : "";
  const rows = optionRows(part).map(({ option, start, about }) => `      ${`${option}=${start}`.padEnd(24)} ${about}`);
  return [`  ${part.id.padEnd(16)} ${part.about}${aliases}`, ...rows].join("\n");
}

const formatsText = () =>
  dataFormats.map(({ id, about, extensions }) => `  ${id.padEnd(16)} ${about} (${extensions.join(" ")})`).join("\n");
