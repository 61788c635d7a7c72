import { shortenIp } from "#domain/ip-address.ts";
import { truncateUserAgent } from "../user-agent.ts";

/** The request of somebody who signs in, as devices, mails and the list of events tell of it. */
export interface Visit {
  headers: Headers;
  /** "" when the browser does not say. */
  userAgent: string;
  /** The whole IP address; "" when it is not known. */
  ip: string;
  /** Shortened (decision 020); "" when it is not known. */
  shortIp: string;
  /** Two letters (ISO 3166-1), as Cloudflare reads it from the address. Null when it is not known. */
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

/** What an event says of the browser. */
export function placeOf({ userAgent, shortIp }: Visit): { device: string; address: string } {
  return { device: userAgent, address: shortIp };
}
