/** Imports an optional package when a server first needs it; a missing one is named in one line with the command that installs it. */
import { InputError } from "../../input-error.ts";

/** The packages that servers use, with the versions to install. */
const VERSIONS = { fastify: "5", "@fastify/swagger": "9", typebox: "1", libsql: "0.5", "apache-arrow": "21" } as const;

export type PackageName = keyof typeof VERSIONS;

/** `load` is `() => import(name)`; `who` is the command or function that needs it, with all the packages that it needs. */
export async function importPackage<M>(
  { command, packages }: { readonly command: string; readonly packages: readonly PackageName[] },
  load: () => Promise<M>,
): Promise<M> {
  try {
    return await load();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const name = packages.find((one) => code === "ERR_MODULE_NOT_FOUND" && message.includes(`'${one}'`));
    if (name === undefined) throw error;
    const wanted = packages.map((one) => `${one}@${VERSIONS[one]}`).join(" ");
    throw new InputError(`${command}: the package ${name} is not installed: npm install ${wanted}`);
  }
}
