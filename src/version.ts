/** The version of the package, as package.json has it; a constant, because a browser has no package.json. */
export const VERSION = "0.1.0";
