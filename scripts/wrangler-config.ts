import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { experimental_readRawConfig, type Unstable_RawConfig } from "wrangler";

/** Wrangler exports its configuration reader without types. */
const readRawConfig = experimental_readRawConfig as (args: { config: string }) => { rawConfig: Unstable_RawConfig };

export function readConfig(path = "wrangler.toml"): Unstable_RawConfig {
  return readRawConfig({ config: path }).rawConfig;
}

/** Makes a configuration usable from any folder (absolute paths) and without [build]. */
export function portable(source: Unstable_RawConfig): Unstable_RawConfig {
  const config = { ...source };
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

export function writeConfig(folder: string, name: string, config: Unstable_RawConfig): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, name);
  writeFileSync(path, `${JSON.stringify(config, null, 2)}\n`);
  return path;
}
