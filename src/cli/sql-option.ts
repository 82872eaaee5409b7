/** The option --sql of commands that read data: the result of a query among the data files. */
import type { Command } from "commander";
import { queryPath } from "../formats/data/columnar/query-path.ts";
import { InputError } from "../input-error.ts";

/** Adds the option to a command whose last argument is data files, of which one is needed where the query is missing. */
export function addSqlOption(command: Command): Command {
  const place = command.registeredArguments.findIndex((argument) => argument.variadic && argument.name() === "files");
  if (place < 0) return command;
  const files = command.registeredArguments[place]!;
  const { required } = files;
  files.required = false; // checked below, when the query is known
  return command
    .option("--sql <query>", "read the result of a query with DuckDB, such as \"select * from 'x.parquet'\", after the files")
    .hook("preAction", (_, acted) => {
      const given = (acted.processedArgs[place] ?? []) as readonly string[];
      const { sql } = acted.opts<{ sql?: string }>();
      if (sql !== undefined && sql.trim() === "") throw new InputError("--sql: expected a query, got an empty one");
      const all = sql === undefined ? given : [...given, queryPath(sql)];
      if (required && all.length === 0)
        acted.error("error: missing required argument 'files'", { code: "commander.missingArgument" });
      acted.processedArgs[place] = all;
    });
}
