import { readFileSync } from "node:fs";
import type { Unstable_RawConfig } from "wrangler";
import * as z from "zod/mini";
import { portable, readConfig } from "../wrangler-config.ts";

/** What is deployed, as wrangler.toml has it. */
export interface Project {
  config: Unstable_RawConfig;
  worker: string;
  database: string;
  bucket: string;
  /** The settings that are not secret, as they are where nobody says otherwise. */
  vars: Record<string, string>;
}

/** @throws Error when wrangler.toml lacks what a deployment needs */
export function readProject(path = "wrangler.toml"): Project {
  const config = readConfig(path);
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
  const config = portable(project.config);
  const { hostname } = new URL(vars.APP_ORIGIN ?? "");
  const isWorkersDev = hostname.endsWith(".workers.dev");
  return {
    ...config,
    d1_databases: config.d1_databases?.map((database) => ({ ...database, database_id: databaseId })),
    r2_buckets: config.r2_buckets?.map(({ binding, bucket_name }) => ({ binding, bucket_name })),
    vars,
    workers_dev: isWorkersDev,
    preview_urls: false,
    routes: isWorkersDev ? [] : [{ pattern: hostname, custom_domain: true }],
  };
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
