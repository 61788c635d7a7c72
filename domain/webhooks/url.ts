import { isFree, type PlanId } from "../plans.ts";

export const WEBHOOK_URL_MAX_LENGTH = 2000;

export type UrlFault =
  "webhookNotUrl" | "webhookNotHttps" | "webhookPort" | "webhookCredentials" | "webhookHost" | "webhookOwnHost";

/**
 * Checks that a webhook's address is on the public internet.
 * @param origin of this site @param isProduction if false, any http or https address is allowed
 * @returns null for an allowed address
 */
export function findUrlFault(text: string, origin: string, isProduction: boolean): UrlFault | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol)) return "webhookNotUrl";
  if (url.username !== "" || url.password !== "") return "webhookCredentials";
  if (!isProduction) return null;
  if (url.protocol !== "https:") return "webhookNotHttps";
  // The URL parser removes the standard port.
  if (url.port !== "") return "webhookPort";
  const host = url.hostname.replace(/\.$/, "");
  if (host === new URL(origin).hostname) return "webhookOwnHost";
  return isPublicName(host) ? null : "webhookHost";
}

/**
 * Names that only local networks have (RFC 6761, RFC 6762, RFC 8375, and names that ICANN reserves for private use).
 */
const LOCAL_NAMES = /\.(?:localhost|local|internal|home\.arpa|test|invalid|onion)$/;

/** The URL parser writes every form of an IPv4 address as four numbers, and IPv6 in brackets. */
function isPublicName(host: string): boolean {
  const isAddress = host.startsWith("[") || /^\d+(?:\.\d+){3}$/.test(host);
  return !isAddress && host.includes(".") && !LOCAL_NAMES.test(host);
}

/**
 * The number of webhooks of an account. The number is not in the table of plans, because the home page loads that
 * table.
 */
export function mostWebhooks(plan: PlanId): number {
  return isFree(plan) ? 1 : 5;
}
