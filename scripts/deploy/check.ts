import { readSettings } from "#worker/settings.ts";
import { SECRETS } from "./secrets.ts";
import { DeployError } from "./terminal.ts";

/** Stands for a secret that Cloudflare keeps and nobody can read: long enough for each of them. */
const UNREADABLE = "x".repeat(32);

/**
 * Reads the settings as the Worker will, so that one which it refuses is never deployed.
 * @param secrets those that were just given
 * @param stored the names of those that Cloudflare has
 * @throws DeployError with the Worker's own words
 */
export function checkSettings(
  vars: Record<string, string>,
  secrets: Record<string, string>,
  stored: Set<string>,
): void {
  const kept = SECRETS.filter((name) => stored.has(name)).map((name) => [name, UNREADABLE]);
  try {
    readSettings({ ...vars, ...(Object.fromEntries(kept) as object), ...secrets });
  } catch (error) {
    throw new DeployError(`The Worker would not start with these settings. ${String(error)}`);
  }
}
