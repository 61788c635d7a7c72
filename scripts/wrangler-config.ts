import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { experimental_readRawConfig, type Unstable_RawConfig } from "wrangler";

export type Config = Unstable_RawConfig;

/** Wrangler exports its configuration reader without types. */
const readRawConfig = experimental_readRawConfig as (args: { config: string }) => { rawConfig: Config };

export function readConfig(path = "wrangler.toml"): Config {
  return readRawConfig({ config: path }).rawConfig;
}

/** Makes a configuration usable from any folder, with absolute paths, and without the [build] command. */
export function portable(source: Config): Config {
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

export function writeConfig(folder: string, name: string, config: Config): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, name);
  writeFileSync(path, `${JSON.stringify(config, null, 2)}\n`);
  return path;
}
