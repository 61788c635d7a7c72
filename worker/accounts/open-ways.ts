import type { OpenWays } from "../db/ways-in.ts";
import type { Settings } from "../settings.ts";

/** By what this deployment signs people in, besides passwords and passkeys. */
export function openWays({ providers, mailLinks }: Pick<Settings, "providers" | "mailLinks">): OpenWays {
  return { providerNames: providers.map(({ name }) => name), mailLinks };
}
