const PLAIN = /^[\w./:@%+=,-]+$/;

/** @param args of the process @returns what somebody reads who interrupts the program */
export function describeInterruption(args: readonly string[]): string {
  const [command] = args;
  if (command !== "send" && command !== "get") return "Interrupted.";
  if (command === "send" && args.includes("-")) {
    return "Interrupted. Standard input cannot be read again, so this upload cannot go on.";
  }
  if (command === "send" && args.includes("--fresh")) return "Interrupted. An upload with --fresh cannot go on.";
  // Logs keep standard error.
  if (args.some((arg) => /^--password(=|$)/.test(arg))) return "Interrupted. The same command goes on.";
  return `Interrupted. This goes on: ${["mayfly", ...args].map(quoted).join(" ")}`;
}

/** As a shell reads it. */
function quoted(arg: string): string {
  return PLAIN.test(arg) ? arg : `'${arg.replaceAll("'", String.raw`'\''`)}'`;
}
