import { shortenIp } from "#domain/ip-address.ts";
import { truncateUserAgent } from "../user-agent.ts";

/** The facts about a sign-in's request that devices, mails and the list of events show. */
export interface Visit {
  headers: Headers;
  /** "" when the browser sends no user agent. */
  userAgent: string;
  /** The whole IP address; "" when it is not known. */
  ip: string;
  /** The shortened IP address (decision 020); "" when it is not known. */
  shortIp: string;
  /** Two letters (ISO 3166-1), as Cloudflare derives them from the IP address. Null when the country is not known. */
  country: string | null;
}

export function readVisit(request: Request): Visit {
  const { headers, cf } = request;
  const ip = headers.get("cf-connecting-ip") ?? "";
  const country: unknown = cf?.country;
  return {
    headers,
    userAgent: truncateUserAgent(headers.get("user-agent") ?? ""),
    ip,
    shortIp: ip === "" ? "" : shortenIp(ip),
    country: typeof country === "string" && /^[A-Z]{2}$/.test(country) && country !== "XX" ? country : null,
  };
}

/** The browser and the shortened address, as columns of an event. */
export function placeOf({ userAgent, shortIp }: Visit): { device: string; address: string } {
  return { device: userAgent, address: shortIp };
}
