import { resolve } from "node:path";

/** The environment for wrangler, which then asks no other server, prints little, and uses a compile cache. */
export const wranglerEnv: NodeJS.ProcessEnv = {
  ...process.env,
  CI: "true",
  NODE_COMPILE_CACHE: resolve(".tmp/compiled"),
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  WRANGLER_HIDE_BANNER: "true",
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_SEND_ERROR_REPORTS: "false",
};
