import * as z from "zod/mini";

/**
 * Replaces better-auth's list of some forty social providers, which no bundler can tree-shake and sign-in here does not
 * use (https://github.com/better-auth/better-auth/issues/10503).
 */
export const socialProviders = {};

/** Used in the schemas of routes that are not mounted. */
export const SocialProviderListEnum = z.string();
