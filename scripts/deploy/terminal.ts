import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";

export interface Question {
  /** The setting that is asked for; in the environment it goes by the same name. */
  name: string;
  text: string;
  /** What an empty answer stands for; without it, there has to be one. */
  fallback?: string;
  /** Not shown as it is typed. */
  isSecret?: boolean;
  /** @returns what is wrong with an answer, in words that say what is asked for, or null */
  check?: (answer: string) => string | null;
}

/** Whoever runs the deployment. */
export interface Terminal {
  /** Whether somebody is there to answer. */
  isInteractive: boolean;
  print(line: string): void;
  /** @returns one line, trimmed */
  read(prompt: string, isSecret: boolean): Promise<string>;
}

/** A refusal to go on, in words for whoever runs the deployment. */
export class DeployError extends Error {}

/** The terminal of this process. */
export function processTerminal(): Terminal {
  return {
    isInteractive: process.stdin.isTTY && process.stdout.isTTY,
    print: (line) => {
      console.log(line);
    },
    read: async (prompt, isSecret) => {
      // A secret's letters are echoed to nowhere, so its prompt is not readline's to write.
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
      const abandoned = new Promise<never>((_, reject) =>
        lines.on("SIGINT", () => {
          reject(new DeployError("Stopped. What has been done stays done; run this again to go on."));
        }),
      );
      try {
        return (await Promise.race([lines.question(isSecret ? "" : prompt), abandoned])).trim();
      } finally {
        lines.close();
        if (isSecret) process.stdout.write("\n");
      }
    },
  };
}

/**
 * Answers a question: by the environment, by the person, or by what an empty answer stands for.
 * @throws DeployError where there is no good answer and nobody to ask
 */
export async function answer(terminal: Terminal, env: NodeJS.ProcessEnv, question: Question): Promise<string> {
  const { name, text, fallback, isSecret = false, check = () => null } = question;
  const given = env[name]?.trim();
  if (given) {
    const fault = check(given);
    if (fault !== null) throw new DeployError(`${name} in the environment is no good: ${fault}`);
    return given;
  }
  if (!terminal.isInteractive) {
    if (fallback !== undefined) return fallback;
    throw new DeployError(`${name} is not set, and nobody is here to be asked. ${text}`);
  }
  for (;;) {
    const hint = fallback === undefined || fallback === "" ? "" : ` [${fallback}]`;
    const typed = (await terminal.read(`\n${text}\n${name}${hint}: `, isSecret)) || fallback;
    const fault = typed === undefined ? "this is needed." : check(typed);
    if (typed !== undefined && fault === null) return typed;
    terminal.print(`  ${fault}`);
  }
}
