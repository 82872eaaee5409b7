/** Options that name files, in a module of their own: most commands need nothing else of files.ts, which loads every format. */
import { Option } from "commander";

/** An option whose value is a file, or several. "reads data" stands for files with others beside them. */
export class FileOption extends Option {
  readonly role: "reads" | "reads data" | "writes";
  constructor(flags: string, about: string, role: FileOption["role"]) {
    super(flags, about);
    this.role = role;
  }
}
