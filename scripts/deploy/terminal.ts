import { isCancel, password, text } from "@clack/prompts";

export interface Question {
  /** The name of the setting. A variable of the environment has the same name. */
  name: string;
  text: string;
  /** The value for an empty answer. Without this field, an answer is required. */
  fallback?: string;
  /** Shown as dots. */
  isSecret?: boolean;
  /** @returns the error message for an answer, or null */
  check?: (answer: string) => string | null;
}

export interface Terminal {
  isInteractive: boolean;
  print(line: string): void;
  read(message: string, isSecret: boolean): Promise<string>;
}

/** Stops the deployment with a message for the person. */
export class DeployError extends Error {}

export function processTerminal(): Terminal {
  return {
    isInteractive: process.stdin.isTTY && process.stdout.isTTY,
    print: (line) => {
      console.log(line);
    },
    read: async (message, isSecret) => {
      const typed = await (isSecret ? password : text)({ message });
      if (isCancel(typed)) throw new DeployError("Stopped. Run this again to continue: finished steps are kept.");
      return typed.trim();
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
    if (problem !== null) throw new DeployError(`${name} in the environment is not valid: ${problem}`);
    return fromEnv;
  }
  if (!terminal.isInteractive) {
    if (fallback !== undefined) return fallback;
    throw new DeployError(`${name} is not set, and there is no terminal to ask for it. ${text}`);
  }
  for (;;) {
    const hint = fallback === undefined || fallback === "" ? "" : ` [${fallback}]`;
    const typed = (await terminal.read(`${text}\n${name}${hint}: `, isSecret)) || fallback;
    const problem = typed === undefined ? "an answer is required." : check(typed);
    if (typed !== undefined && problem === null) return typed;
    terminal.print(`  ${problem}`);
  }
}
