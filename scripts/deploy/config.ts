import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Unstable_RawConfig } from "wrangler";
import * as z from "zod/mini";
import { portable, readConfig } from "../wrangler-config.ts";

export interface Project {
  config: Unstable_RawConfig;
  worker: string;
  database: string;
  bucket: string;
  queues: string[];
  vars: Record<string, string>;
}

/** @throws Error when wrangler.toml lacks a Worker, database or bucket */
export function readProject(path = "wrangler.toml"): Project {
  const config = readConfig(path);
  const worker = config.name;
  const database = config.d1_databases?.[0]?.database_name;
  const bucket = config.r2_buckets?.[0]?.bucket_name;
  if (!worker || !database || !bucket)
    throw new Error(`${path} lacks the name of the Worker, the database or the bucket`);
  const { producers = [], consumers = [] } = config.queues ?? {};
  const names = [...producers, ...consumers].map(({ queue }) => queue);
  const queues = [...new Set([...names, ...consumers.map((consumer) => consumer.dead_letter_queue)])].filter(
    (name) => name !== undefined,
  );
  return { config, worker, database, bucket, queues, vars: z.record(z.string(), z.string()).parse(config.vars) };
}

/** The configuration that every run writes for wrangler. The file is not in git. */
export const CONFIG_FILE = "wrangler.deploy.json";

/**
 * Derives the production configuration from wrangler.toml: this deployment's database, settings and address, without
 * development settings. Serves one address: the domain or workers.dev.
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
    r2_buckets: config.r2_buckets?.map(({ binding, bucket_name }) => ({
      binding,
      bucket_name,
      ...(vars.DATA_LOCATION === "eu" && { jurisdiction: "eu" }),
    })),
    ratelimits: config.ratelimits?.map((each) => ({
      ...each,
      namespace_id: rateLimitNamespace(project.worker, each.simple.limit),
    })),
    vars,
    workers_dev: isWorkersDev,
    preview_urls: false,
    routes: isWorkersDev ? [] : [{ pattern: hostname, custom_domain: true }],
  };
}

/**
 * The id under which a Rate Limiting binding counts. All Workers of an account that use one id share its counts. The
 * names of an account's Workers differ, so the id is derived from the Worker's name.
 * @param callsPerMinute below 1000 @returns a positive integer of at most 31 bits
 */
function rateLimitNamespace(worker: string, callsPerMinute: number): string {
  const hash = createHash("sha256").update(worker).digest().readUInt32BE();
  return String((1 + (hash % 2_000_000)) * 1000 + callsPerMinute);
}

export function readFileOrEmpty(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
    throw error;
  }
}
