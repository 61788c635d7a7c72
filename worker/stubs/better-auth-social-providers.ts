import * as z from "zod/mini";

/**
 * Stands in for better-auth's list of social providers in the Worker (wrangler.toml): accounts are opened by address and
 * password alone, so some forty providers would be carried along for nothing.
 */
export const socialProviders = {};

/** better-auth names it in the schemas of routes that are not mounted. */
export const SocialProviderListEnum = z.string();
