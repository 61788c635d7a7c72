import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { stripVTControlCharacters } from "node:util";

export interface WranglerOptions {
  /** What it reads from its standard input. */
  input?: string;
  /** It may speak to the person and ask them; its standard output is theirs then, and nothing is returned. */
  isTheirs?: boolean;
}

/**
 * Runs wrangler.
 * @returns what it wrote to its standard output
 * @throws WranglerFailure when it fails
 */
export type Wrangler = (args: string[], options?: WranglerOptions) => Promise<string>;

/** A command of wrangler's that failed; `output` is all it said, without colours. */
export class WranglerFailure extends Error {
  readonly output: string;

  constructor(command: string, output: string) {
    super(`wrangler ${command} failed`);
    this.output = stripVTControlCharacters(output);
  }
}

/** @param env wrangler's environment: credentials, and what keeps it quiet */
export function wranglerWith(env: NodeJS.ProcessEnv): Wrangler {
  return async (args, { input, isTheirs = false } = {}) => {
    const child = spawn("wrangler", args, {
      env: { ...env, NO_COLOR: "1", ...(isTheirs ? { CI: undefined } : {}) },
      stdio: [input === undefined ? (isTheirs ? "inherit" : "ignore") : "pipe", isTheirs ? "inherit" : "pipe", "pipe"],
    });
    const ended = new Promise<number | null>((resolve, reject) => child.on("error", reject).on("close", resolve));
    child.stdin?.end(input);
    const [status, said, complained] = await Promise.all([
      ended,
      child.stdout ? text(child.stdout) : "",
      child.stderr ? text(child.stderr) : "",
    ]);
    if (status !== 0) throw new WranglerFailure(args.join(" "), `${said}\n${complained}`);
    return said;
  };
}

/** What wrangler says when Cloudflare knows no Worker or no bucket of that name. */
export const NO_SUCH_WORKER = /\[code: (10007|10090)\]|Worker ".*" not found/;
export const NO_SUCH_BUCKET = /\[code: 10006\]/;

/** What an API token has to be allowed to do. */
export const TOKEN_PERMISSIONS =
  "Account: Workers Scripts, D1 and Workers R2 Storage (edit), Account Settings (read); " +
  "for a domain of your own also Zone: Workers Routes and DNS (edit)";

const EXPLANATIONS: [said: RegExp, explanation: string][] = [
  [
    /\[code: (1000|1001|6003|6111|9106|9109|10000)\]|Authentication error|Invalid API Token/i,
    "Cloudflare refused the credentials. If CLOUDFLARE_API_TOKEN is set, check that it has not run out and that it may " +
      `do this: ${TOKEN_PERMISSIONS}. Otherwise run \`npx wrangler login\` again.`,
  ],
  [
    /"loggedIn":\s*false|not authenticated|wrangler login|CLOUDFLARE_API_TOKEN environment variable/i,
    "Nobody is logged in to Cloudflare. Run `npx wrangler login`, or set CLOUDFLARE_API_TOKEN.",
  ],
  [
    /\[code: 10042\]|enable R2/i,
    "R2 is not switched on in this account. Open R2 once at https://dash.cloudflare.com, and run this again.",
  ],
  [
    /maximum number of D1 databases/i,
    "This account has as many D1 databases as its plan allows. Delete one, or change the plan.",
  ],
  [
    /\[code: 10063\]|workers\.dev subdomain/i,
    "This account has no workers.dev subdomain yet. Open Workers once at https://dash.cloudflare.com, which makes one.",
  ],
  [
    /fetch failed|ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EAI_AGAIN|other side closed|socket hang up/i,
    "Cloudflare could not be reached. Check the network, and run this again: what has been done stays done.",
  ],
];

/** What wrangler says besides an error: where its code was, where its logs are, whom to tell. */
const NOISE = /^at |^\(?error handler|^APIError|Logs were written|this is a bug/;

/** What failed and what to do about it, in plain words, then what wrangler said. */
export function explain({ message, output }: WranglerFailure): string {
  const known = EXPLANATIONS.find(([said]) => said.test(output));
  const lines = output.split("\n").map((line) => line.trim());
  const error = lines.findIndex((line) => line.includes("[ERROR]"));
  const said = lines.slice(Math.max(0, error)).filter((line) => line !== "" && !NOISE.test(line));
  const advice = known?.[1] ?? "Run this again once that is mended: what has been done stays done.";
  return `${advice}\n\n${message}:\n${[...new Set(said)].map((line) => `  ${line}`).join("\n")}`;
}
