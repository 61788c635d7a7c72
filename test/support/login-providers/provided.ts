import "vitest";

export { TEST_CLIENT } from "./test-client.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Providers that say whatever a test wants. */
    providersOrigin: string;
    /** A certified OpenID provider. */
    oidcIssuer: string;
  }
}
