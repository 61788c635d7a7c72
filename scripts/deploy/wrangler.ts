import { execFileSync, spawn } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { stripVTControlCharacters } from "node:util";

interface WranglerOptions {
  input?: string;
  /** Whether wrangler runs at the person's terminal: its output goes there, and nothing is returned. */
  atTerminal?: boolean;
}

/** @returns standard output @throws WranglerFailure */
export type Wrangler = (args: string[], options?: WranglerOptions) => Promise<string>;

/** A failed command of wrangler; `output` is all its output without colours. */
export class WranglerFailure extends Error {
  readonly output: string;

  constructor(command: string, output: string) {
    super(`wrangler ${command} failed`);
    this.output = stripVTControlCharacters(output);
  }
}

/** @param env environment of wrangler, with credentials */
export function wranglerWith(env: NodeJS.ProcessEnv): Wrangler {
  return async (args, { input, atTerminal = false } = {}) => {
    const child = spawn("wrangler", args, {
      env: { ...env, NO_COLOR: "1", ...(atTerminal ? { CI: undefined } : {}) },
      stdio: [
        input === undefined ? (atTerminal ? "inherit" : "ignore") : "pipe",
        atTerminal ? "inherit" : "pipe",
        "pipe",
      ],
    });
    const ended = new Promise<number | null>((resolve, reject) => child.on("error", reject).on("close", resolve));
    child.stdin?.end(input);
    const [status, output, errorOutput] = await Promise.all([
      ended,
      child.stdout ? text(child.stdout) : "",
      child.stderr ? text(child.stderr) : "",
    ]);
    if (status !== 0) throw new WranglerFailure(args.join(" "), `${output}\n${errorOutput}`);
    return output;
  };
}

/**
 * Hands text through a named pipe to a command that reads a file: a real file would stay behind when somebody stops the
 * command.
 * @param run gets the pipe's path @returns what `run` returns @throws what `run` throws
 */
export async function throughPipe<Result>(text: string, run: (path: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "pipe-"));
  const path = join(folder, "secrets");
  try {
    execFileSync("mkfifo", ["-m", "600", path]);
    // Waits until the other side opens the pipe.
    const written = writeFile(path, text).catch(() => undefined);
    try {
      return await run(path);
    } finally {
      // A command that has failed early has not opened the pipe, and `writeFile` would wait for ever. This end stays
      // open until then, because `writeFile` may open its end later.
      const end = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
      await written;
      closeSync(end);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** wrangler's errors for an unknown Worker, bucket or queue. */
export const NO_SUCH_WORKER = /\[code: (10007|10090)\]|Worker ".*" not found/;
export const NO_SUCH_BUCKET = /\[code: 10006\]/;
export const NO_SUCH_QUEUE = /Queue ".*" does not exist/;

/** The permissions that an API token of Cloudflare needs. */
const TOKEN_PERMISSIONS =
  "Account: Workers Scripts, D1, Workers R2 Storage and Queues (edit), Account Settings (read); " +
  "for a domain of your own also Zone: Workers Routes, DNS and Config Rules (edit)";

const EXPLANATIONS: [pattern: RegExp, explanation: string][] = [
  [
    /\[code: (1000|1001|6003|6111|9106|9109|10000)\]|Authentication error|Invalid API Token/i,
    "Cloudflare rejected the credentials. If CLOUDFLARE_API_TOKEN is set, check that it has not expired and has these " +
      `permissions: ${TOKEN_PERMISSIONS}. Otherwise run \`npx wrangler login\` again.`,
  ],
  [
    /"loggedIn":\s*false|not authenticated|wrangler login|CLOUDFLARE_API_TOKEN environment variable/i,
    "Nobody is logged in to Cloudflare. Run `npx wrangler login`, or set CLOUDFLARE_API_TOKEN.",
  ],
  [
    /\[code: 10042\]|enable R2/i,
    "R2 is not enabled in this account. Enable it at https://dash.cloudflare.com, and run this again.",
  ],
  [
    /maximum number of D1 databases/i,
    "This account has as many D1 databases as its plan allows. Delete one, or change the plan.",
  ],
  [
    /\[code: 10063\]|workers\.dev subdomain/i,
    "This account has no workers.dev subdomain yet. Open Workers once at https://dash.cloudflare.com to create it.",
  ],
  [
    /fetch failed|ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EAI_AGAIN|other side closed|socket hang up/i,
    "Cloudflare could not be reached. Check the network, and run this again: finished steps are kept.",
  ],
];

/** Lines of wrangler's output that do not help a person: stack traces, places of logs. */
const NOISE = /^at |^\(?error handler|^APIError|Logs were written|this is a bug/;

/** Explains a failure: advice first, then wrangler's message. */
export function explain({ message, output }: WranglerFailure): string {
  const known = EXPLANATIONS.find(([pattern]) => pattern.test(output));
  const lines = output.split("\n").map((line) => line.trim());
  const error = lines.findIndex((line) => line.includes("[ERROR]"));
  const details = lines.slice(Math.max(0, error)).filter((line) => line !== "" && !NOISE.test(line));
  const advice = known?.[1] ?? "Fix the problem below, and run this again: finished steps are kept.";
  return `${advice}\n\n${message}:\n${[...new Set(details)].map((line) => `  ${line}`).join("\n")}`;
}
