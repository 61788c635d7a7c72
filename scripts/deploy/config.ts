import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import * as z from "zod/mini";
import { experimental_readRawConfig, type Unstable_RawConfig } from "wrangler";

/** What is deployed, as wrangler.toml has it. */
export interface Project {
  config: Unstable_RawConfig;
  worker: string;
  database: string;
  bucket: string;
  /** The settings that are not secret, as they are where nobody says otherwise. */
  vars: Record<string, string>;
}

/** Wrangler's own reader; the package whose type it has is bundled, so its type is not. */
const readRawConfig = experimental_readRawConfig as (args: { config: string }) => { rawConfig: Unstable_RawConfig };

/** @throws Error when wrangler.toml lacks what a deployment needs */
export function readProject(path = "wrangler.toml"): Project {
  const { rawConfig: config } = readRawConfig({ config: path });
  const worker = config.name;
  const database = config.d1_databases?.[0]?.database_name;
  const bucket = config.r2_buckets?.[0]?.bucket_name;
  if (!worker || !database || !bucket) throw new Error(`${path} names no Worker, database or bucket`);
  return { config, worker, database, bucket, vars: z.record(z.string(), z.string()).parse(config.vars) };
}

/** Where the configuration of this deployment lies: made anew each time, and not in git. */
export const CONFIG_FILE = "wrangler.deploy.json";

/**
 * The production configuration: wrangler.toml with this deployment's database, settings and address, and without what
 * only local development needs. One address serves: the domain, or workers.dev.
 * @param vars every setting that is not secret
 */
export function productionConfig(
  project: Project,
  databaseId: string,
  vars: Record<string, string>,
): Unstable_RawConfig {
  const { config } = project;
  const { hostname } = new URL(vars.APP_ORIGIN ?? "");
  const isWorkersDev = hostname.endsWith(".workers.dev");
  return {
    ...config,
    // Absolute, so that it is good wherever it lies.
    main: resolve(config.main ?? ""),
    alias: absolute(config.alias ?? {}),
    assets: { ...config.assets, directory: resolve(config.assets?.directory ?? "") },
    d1_databases: config.d1_databases?.map(({ migrations_dir, ...database }) => ({
      ...{ ...database, database_id: databaseId, migrations_dir: resolve(migrations_dir ?? "migrations") },
    })),
    r2_buckets: config.r2_buckets?.map(({ binding, bucket_name }) => ({ binding, bucket_name })),
    vars,
    workers_dev: isWorkersDev,
    preview_urls: false,
    routes: isWorkersDev ? [] : [{ pattern: hostname, custom_domain: true }],
  };
}

function absolute(paths: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, resolve(path)]));
}

/** @returns the written file's path */
export function writeConfig(folder: string, config: Unstable_RawConfig): string {
  const path = join(folder, CONFIG_FILE);
  writeFileSync(path, `${JSON.stringify(config, null, 2)}\n`);
  return path;
}

/** The text of a file, or nothing where there is none. */
export function readIfThere(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
    throw error;
  }
}
