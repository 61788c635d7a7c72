import type { PageContext } from "#worker/page-types.ts";

declare module "@remix-run/cloudflare" {
  // oxlint-disable-next-line typescript/no-empty-object-type -- only an interface can be merged
  interface AppLoadContext extends PageContext {}
}
