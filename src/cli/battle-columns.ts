/** The options that name the columns of a table of battles, of all commands that read battles. */
import type { Command } from "commander";
import { checkResultColumns, RESULT_COLUMNS, type ResultColumnOptions } from "../formats/data/battle-columns.ts";
import { InputError } from "../input-error.ts";

export const addResultColumns = (command: Command): Command =>
  command
    .option("--first <column>", "column of the first item, where another says who won (default: model_a)")
    .option("--second <column>", "column of the second item (default: model_b)")
    .option(
      "--winner <column>",
      "column of the winner; with --first and --second, of what says which of them won, or that it is a tie (default: winner)",
    )
    .option("--loser <column>", "column of the loser, where --winner has the other item (default: loser)")
    .option("--tie <column>", "column that says whether a battle of winner and loser is a tie (default: tie, where there is one)")
    .option("--count <column>", "column of how many such battles there were (default: count, where there is one)");

/** What the options say. */
export function resultColumns(options: ResultColumnOptions): ResultColumnOptions {
  const given = RESULT_COLUMNS.flatMap((key) => (options[key] === undefined ? [] : [[key, options[key]] as const]));
  for (const [key, name] of given)
    if (name === "") throw new InputError(`--${key}: expected the name of a column, got an empty one`);
  const columns: ResultColumnOptions = Object.fromEntries(given);
  checkResultColumns(columns);
  return columns;
}
