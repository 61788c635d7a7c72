import { readSettings } from "#worker/settings.ts";
import { SECRETS } from "./secrets.ts";
import { DeployError } from "./terminal.ts";

/** Stands in for a stored secret, whose value cannot be read. */
const UNREADABLE = "x".repeat(32);
/** Stand-ins for the stored secrets whose values must have a certain form. */
const UNREADABLE_FORMS: Record<string, string> = { LOGIN_PROVIDERS: "[]", ADMIN_TOTP_SECRET: "A".repeat(32) };

/**
 * Parses the settings as the Worker will, so that invalid ones are never deployed.
 * @param secrets new values
 * @param stored names of secrets that Cloudflare has
 * @throws DeployError with the Worker's message
 */
export function checkSettings(
  vars: Record<string, string>,
  secrets: Record<string, string>,
  stored: Set<string>,
): void {
  const kept = SECRETS.filter((name) => stored.has(name)).map((name) => [name, UNREADABLE_FORMS[name] ?? UNREADABLE]);
  try {
    readSettings({ ...vars, ...(Object.fromEntries(kept) as object), ...secrets });
  } catch (error) {
    throw new DeployError(`The Worker would not start with these settings. ${String(error)}`);
  }
}
