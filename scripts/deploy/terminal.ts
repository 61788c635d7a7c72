import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";

export interface Question {
  /** Name of the setting, also in the environment. */
  name: string;
  text: string;
  /** The value of an empty answer; without it, an answer is required. */
  fallback?: string;
  /** Not echoed. */
  isSecret?: boolean;
  /** @returns the error message for an answer, or null */
  check?: (answer: string) => string | null;
}

export interface Terminal {
  /** Whether a person can answer. */
  isInteractive: boolean;
  print(line: string): void;
  /** @returns one line, trimmed */
  read(prompt: string, isSecret: boolean): Promise<string>;
}

/** Stops the deployment with a message for the person. */
export class DeployError extends Error {}

export function processTerminal(): Terminal {
  return {
    isInteractive: process.stdin.isTTY && process.stdout.isTTY,
    print: (line) => {
      console.log(line);
    },
    read: async (prompt, isSecret) => {
      // readline's output goes nowhere, so it cannot write the prompt.
      if (isSecret) process.stdout.write(prompt);
      const nowhere = new Writable({
        write: (_chunk, _encoding, done) => {
          done();
        },
      });
      const lines = createInterface({
        input: process.stdin,
        output: isSecret ? nowhere : process.stdout,
        terminal: true,
      });
      const interrupted = new Promise<never>((_, reject) =>
        lines.on("SIGINT", () => {
          reject(new DeployError("Stopped. What has been done stays done; run this again to go on."));
        }),
      );
      try {
        return (await Promise.race([lines.question(isSecret ? "" : prompt), interrupted])).trim();
      } finally {
        lines.close();
        if (isSecret) process.stdout.write("\n");
      }
    },
  };
}

/**
 * Answers a question from the environment, the person, or the default.
 * @throws DeployError without a valid answer and without a terminal
 */
export async function answer(terminal: Terminal, env: NodeJS.ProcessEnv, question: Question): Promise<string> {
  const { name, text, fallback, isSecret = false, check = () => null } = question;
  const fromEnv = env[name]?.trim();
  if (fromEnv) {
    const problem = check(fromEnv);
    if (problem !== null) throw new DeployError(`${name} in the environment is no good: ${problem}`);
    return fromEnv;
  }
  if (!terminal.isInteractive) {
    if (fallback !== undefined) return fallback;
    throw new DeployError(`${name} is not set, and nobody is here to be asked. ${text}`);
  }
  for (;;) {
    const hint = fallback === undefined || fallback === "" ? "" : ` [${fallback}]`;
    const typed = (await terminal.read(`\n${text}\n${name}${hint}: `, isSecret)) || fallback;
    const problem = typed === undefined ? "this is needed." : check(typed);
    if (typed !== undefined && problem === null) return typed;
    terminal.print(`  ${problem}`);
  }
}
