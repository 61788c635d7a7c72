import { execFileSync, spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { prepareServer, type LocalServer } from "../../../scripts/local-server.ts";
import { cliPackagePath, CLI_VERSION } from "#domain/cli-package.ts";

/** What the deployment serves. */
const PACKED = resolve(`build/client${cliPackagePath(CLI_VERSION)}`);

/** As `npx` installs it, without a registry. */
export class Installation {
  readonly #folder = mkdtempSync(join(tmpdir(), "mayfly-installed-"));
  readonly program = join(this.#folder, "node_modules/.bin/mayfly");
  readonly files = join(this.#folder, "node_modules/mayfly");

  constructor() {
    const npm = [
      "install",
      PACKED,
      "--prefix",
      this.#folder,
      "--offline",
      "--no-audit",
      "--cache",
      `${this.#folder}/npm`,
    ];
    execFileSync("npm", npm, { stdio: "pipe" });
    process.once("exit", () => {
      rmSync(this.#folder, { recursive: true, force: true });
    });
  }
}

let installed: Installation | null = null;

export interface Ended {
  code: number | null;
  out: string;
  error: string;
}

/** A person's shell: a folder, a home of its own, and the environment. */
export class Shell {
  readonly folder = mkdtempSync(join(tmpdir(), "mayfly-cli-"));
  readonly work = join(this.folder, "work");
  readonly env: Record<string, string | undefined>;

  readonly #program: string;

  constructor(env: Record<string, string> = {}, installation = (installed ??= new Installation())) {
    this.#program = installation.program;
    mkdirSync(this.work);
    this.env = {
      PATH: process.env.PATH,
      HOME: this.folder,
      XDG_CONFIG_HOME: join(this.folder, "config"),
      XDG_STATE_HOME: join(this.folder, "state"),
      ...env,
    };
  }

  /** Deletes the shell's folder. */
  remove(): void {
    rmSync(this.folder, { recursive: true });
  }

  start(...args: string[]): ChildProcessWithoutNullStreams {
    return spawn(this.#program, args, { cwd: this.work, env: this.env });
  }

  /** On a pseudo-terminal, which takes both outputs. */
  runOnTerminal(...args: string[]): Promise<Ended> {
    const command = [this.#program, ...args].join(" ");
    const env = { ...this.env, TERM: "xterm", SHELL: "/bin/sh" };
    const program = spawn("script", ["-qec", command, "/dev/null"], { cwd: this.work, env });
    program.stdin.end();
    return endOf(program);
  }

  run(...args: string[]): Promise<Ended> {
    return this.runWith("", ...args);
  }

  /** @param input of standard input */
  async runWith(input: string | Uint8Array, ...args: string[]): Promise<Ended> {
    const program = this.start(...args);
    // A program that ends before it has read everything breaks the pipe.
    program.stdin.on("error", () => undefined);
    program.stdin.end(input);
    return endOf(program);
  }
}

/** Waits for its end. */
export async function endOf(program: ChildProcessWithoutNullStreams): Promise<Ended> {
  const [[code], out, error] = await Promise.all([
    once(program, "exit") as Promise<[number | null]>,
    text(program.stdout),
    text(program.stderr),
  ]);
  return { code, out, error };
}

/** Waits until the program has written this to standard error. @returns everything that it has written there */
export function untilError(program: ChildProcessWithoutNullStreams, wanted: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let seen = "";
    // A stream that is read to its middle alone would be closed, and the program could write no more.
    program.stderr.on("data", (piece) => {
      seen += String(piece);
      if (seen.includes(wanted)) resolve(seen);
    });
    program.stderr.on("end", () => {
      reject(new Error(`It ended without "${wanted}": ${seen}`));
    });
  });
}

/** A new account, with the cookie of its session. */
export async function newPerson(origin: string): Promise<{ email: string; cookie: string }> {
  const email = `${crypto.randomUUID()}@example.com`;
  const registered = await fetch(`${origin}/api/auth/register`, {
    method: "POST",
    headers: { "content-type": "application/json", origin },
    body: JSON.stringify({ email, password: "a good password" }),
  });
  const [cookie = ""] = registered.headers.getSetCookie()[0]?.split(";") ?? [];
  return { email, cookie };
}

/** A new account with a key. */
export async function newKey(
  origin: string,
  scopes = ["upload", "files:read", "files:write"],
  limits: { monthBytes?: number; largestFileBytes?: number } = {},
): Promise<{ key: string; email: string }> {
  const { email, cookie } = await newPerson(origin);
  const made = await fetch(`${origin}/api/keys`, {
    method: "POST",
    headers: { "content-type": "application/json", origin, cookie },
    body: JSON.stringify({ name: "Command line", scopes, limits }),
  });
  const { key } = (await made.json()) as { key: string };
  return { key, email };
}

/** Starts a local server with an account that has a key. Whoever calls this stops the server. */
export async function serverWithKey(): Promise<{ server: LocalServer; account: { key: string; email: string } }> {
  const server = await prepareServer();
  await server.start();
  return { server, account: await newKey(server.origin) };
}
