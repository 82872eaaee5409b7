/**
 * A mistake of the caller, not of the program: bad input, an unknown name, an option out of range.
 * Its message is one line that says who, what was wanted, what came, and the way out; the command line prints it and exits with 2.
 */
export class Mistake extends Error {
  override readonly name = "Mistake";
}

/** How text from outside is shown inside a message: quoted, cut, and with control characters made visible. */
export function quote(text: string, most = 60): string {
  const cut = text.length > most ? `${text.slice(0, most)}...` : text;
  return JSON.stringify(cut);
}
