import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readProject, type Project } from "../../../scripts/deploy/config.ts";
import { deploy } from "../../../scripts/deploy/run.ts";
import type { Terminal } from "../../../scripts/deploy/terminal.ts";
import { explain, WranglerFailure, wranglerWith } from "../../../scripts/deploy/wrangler.ts";
import { wranglerEnv } from "../../../scripts/wrangler-env.ts";
import { startCloudflareDouble, type CloudflareDouble } from "./server.ts";

const TOKEN = "the-good-token";

interface RunOptions {
  /** What the person types for each question; nothing for the others. */
  answers?: Record<string, string>;
  /** The environment, besides S3_ENDPOINT. */
  env?: Record<string, string>;
  /** Whether there is a terminal. Without one, a question fails the test. */
  isInteractive?: boolean;
  token?: string;
  /** As `--renew`. */
  renewed?: string[];
  /** As in CloudflareDouble. */
  cut?: string | null;
  /** As in CloudflareDouble. */
  lost?: string | null;
  /** The folder of the build's files, if not that of the project. */
  built?: string;
}

interface Run {
  /** The names of the questions, in order, without DEPLOY. */
  asked: string[];
  told: string;
  /** Stripe's key and the address of each set-up. */
  sold: string[];
  /** Null after a success, the explanation of wrangler's failure, or another error. */
  failure: unknown;
  /** The calls of Cloudflare's API. */
  calls: string[];
}

export interface Deployments {
  cloudflare: CloudflareDouble;
  /** Folder of .deploy.vars. */
  folder: string;
  run(options?: RunOptions): Promise<Run>;
  close(): Promise<void>;
}

/** Runs `npm run deploy` against Cloudflare's double, in its own folder. */
export async function startDeployments(): Promise<Deployments> {
  const cloudflare = await startCloudflareDouble(TOKEN);
  const folder = mkdtempSync(join(tmpdir(), "deploy-"));
  return {
    cloudflare,
    folder,
    run: (options = {}) => run(cloudflare, folder, options),
    close: async () => {
      await cloudflare.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** The calls that change something. */
export const changes = (calls: string[]) =>
  calls.filter((call) => !call.startsWith("GET ") && !call.endsWith("/query"));

async function run(cloudflare: CloudflareDouble, folder: string, options: RunOptions): Promise<Run> {
  const { answers = {}, env = {}, isInteractive = true, token = TOKEN, cut = null, lost = null } = options;
  const asked: string[] = [];
  const told: string[] = [];
  const sold: string[] = [];
  const terminal: Terminal = {
    isInteractive,
    print: (line) => told.push(line),
    read: (prompt) => {
      const name = /^(\w+)(?: \[.*\])?: $/m.exec(prompt)?.[1] ?? "";
      if (!isInteractive) throw new Error(`${name} was asked for without a terminal`);
      if (name !== "DEPLOY") asked.push(name);
      return Promise.resolve(answers[name] ?? "");
    },
  };
  const api = { CLOUDFLARE_API_BASE_URL: cloudflare.apiUrl, CLOUDFLARE_API_TOKEN: token };
  // wrangler would prefer these credentials of the machine to the token.
  const nobody = { CLOUDFLARE_API_KEY: undefined, CLOUDFLARE_EMAIL: undefined };
  const quiet = { WRANGLER_LOG_PATH: join(folder, "logs") };
  cloudflare.calls.length = 0;
  cloudflare.cut = cut;
  cloudflare.lost = lost;
  const failure: unknown = await deploy({
    terminal,
    project: projectWith(options.built),
    folder,
    renewed: options.renewed ?? [],
    newDatabase: false,
    withoutFormer: false,
    build: () => undefined,
    siteAt: () => cloudflare.siteUrl,
    env: { S3_ENDPOINT: cloudflare.s3Url, ...api, ...env },
    connect: (accountId = "") => {
      const wrangler = wranglerWith({ ...wranglerEnv, ...quiet, ...nobody, ...api, CLOUDFLARE_ACCOUNT_ID: accountId });
      // Keeps wrangler's output out of the test's.
      return (args, wranglerOptions) => wrangler(args, { ...wranglerOptions, atTerminal: false });
    },
    setUpStripe: (secretKey, origin) => {
      sold.push(`${secretKey} ${origin}`);
      return Promise.resolve("whsec_deploy");
    },
  }).then(
    () => null,
    (error: unknown) => (error instanceof WranglerFailure ? explain(error) : error),
  );
  return { asked, told: told.join("\n"), sold, failure, calls: [...cloudflare.calls] };
}

function projectWith(built: string | undefined): Project {
  const project = readProject();
  if (built === undefined) return project;
  return { ...project, config: { ...project.config, assets: { ...project.config.assets, directory: built } } };
}
