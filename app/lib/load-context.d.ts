import type { PageContext } from "#worker/pages/page-types.ts";

declare module "@remix-run/cloudflare" {
  // Remix hands this to every loader.
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- an interface is what can be merged
  interface AppLoadContext extends PageContext {}
}
