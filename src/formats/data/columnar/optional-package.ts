/** Packages that only some files need: imported when the first such file is read or written, and named where they are missing. */
import { InputError } from "../../../input-error.ts";

const known = new Map<string, unknown>();

/** Imports packages; `what` needs them, such as "reading Parquet". */
export async function importPackage<M>(name: string, what: string, install: string, load: () => Promise<M>): Promise<M> {
  if (known.has(name)) return known.get(name) as M;
  try {
    const loaded = await load();
    known.set(name, loaded);
    return loaded;
  } catch (error) {
    const { code, message = "" } = error as NodeJS.ErrnoException;
    const isMissing = code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND";
    // A package of another platform is part of this one, and missing where it was installed elsewhere.
    if (!isMissing)
      throw new InputError(
        `${what} needs the package ${name}, which cannot be loaded (${message.split("\n")[0]}): npm install ${install}`,
      );
    throw new InputError(`${what} needs the package ${name}, which is not installed: npm install ${install}`);
  }
}

/** A package that was imported before. */
export function imported<M>(name: string): M | undefined {
  return known.get(name) as M | undefined;
}
