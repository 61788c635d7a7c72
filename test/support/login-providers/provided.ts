import "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** Providers that say whatever a test wants. */
    providersOrigin: string;
    /** A certified OpenID provider. */
    oidcIssuer: string;
  }
}

/** As every provider of the tests knows us. */
export const TEST_CLIENT = { clientId: "mayfly", clientSecret: "a secret that the provider knows" } as const;
