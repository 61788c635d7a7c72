import type { KnipConfig } from "knip";

/** Files that are reached in other ways than by an import from what knip finds itself. */
const config: KnipConfig = {
  entry: [
    // Remix: routes and the entries of both bundles.
    "app/{entry.client,entry.server,root,routes}.{ts,tsx}",
    "app/routes/**/*.{ts,tsx}",
    // The Vite plugin puts these in the place of Remix's and Vite's own modules.
    "app/lib/script-loading/*.ts",
    // Aliases in wrangler.toml.
    "worker/shims/*.ts",
    // Served as it is.
    "public/share-worker.js",
    // scripts/build.ts bundles it by itself.
    "vite.open-worker.config.ts",
    "app/features/download/sealed/stream/open-worker.ts",
    // Started as processes, or from package.json.
    "bench/*.ts",
    "bench/support/{crowd-process,guest}.ts",
    "bench/lines/line-process.ts",
    "scripts/*.ts",
    "test/support/{stripe-double,login-providers}/main.ts",
    "messages/catalogues.ts",
    "{cli,opener,thunderbird}/{main,vite.config}.ts",
    "thunderbird/settings.{ts,css}",
  ],
  project: ["**/*.{ts,tsx}", "**/*.css"],
  // Two limits may have the same value and still be two limits.
  exclude: ["duplicates"],
  // `cloudflare:workers` and `cloudflare:test` belong to the runtime. The example for Uppy, a text, imports `@uppy/tus`.
  ignoreDependencies: ["cloudflare", "@uppy/tus"],
  // Of the system.
  ignoreBinaries: ["aria2c", "clamd", "mkfifo", "openssl", "perl", "script", "sha256sum", "twist3", "wormhole"],
};

export default config;
