declare module "#build/server/index.js" {
  import type { ServerBuild } from "@remix-run/cloudflare";

  const build: ServerBuild;
  export = build;
}
declare module "#build/throwaway-domains.js" {
  /** One domain a line. */
  const domains: string;
  export default domains;
}
