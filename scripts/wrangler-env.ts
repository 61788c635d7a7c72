import { resolve } from "node:path";

/** Environment for wrangler: offline, quiet, with a compile cache. */
export const wranglerEnv: NodeJS.ProcessEnv = {
  ...process.env,
  CI: "true",
  NODE_COMPILE_CACHE: resolve(".tmp/compiled"),
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  WRANGLER_HIDE_BANNER: "true",
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_SEND_ERROR_REPORTS: "false",
};
