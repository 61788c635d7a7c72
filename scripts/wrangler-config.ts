import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { experimental_readRawConfig, type Unstable_RawConfig } from "wrangler";

/** Wrangler's own reader; the package whose type it has is bundled, so its type is not. */
const readRawConfig = experimental_readRawConfig as (args: { config: string }) => { rawConfig: Unstable_RawConfig };

/** What a configuration says, as it is written. */
export function readConfig(path = "wrangler.toml"): Unstable_RawConfig {
  return readRawConfig({ config: path }).rawConfig;
}

/**
 * A configuration that is good in any folder, since its paths are absolute, and for whoever has built the pages already,
 * since it has no [build].
 */
export function portable(given: Unstable_RawConfig): Unstable_RawConfig {
  const config = { ...given };
  delete config.build;
  const alias = Object.entries(config.alias ?? {}).map(([name, path]) => [name, resolve(path)]);
  return {
    ...config,
    main: resolve(config.main ?? ""),
    alias: Object.fromEntries(alias) as Record<string, string>,
    assets: { ...config.assets, directory: resolve(config.assets?.directory ?? "") },
    d1_databases: config.d1_databases?.map((database) => ({
      ...database,
      migrations_dir: resolve(database.migrations_dir ?? "migrations"),
    })),
  };
}

/** @returns the written file's path */
export function writeConfig(folder: string, name: string, config: Unstable_RawConfig): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, name);
  writeFileSync(path, `${JSON.stringify(config, null, 2)}\n`);
  return path;
}
