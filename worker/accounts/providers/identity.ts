import { withAsciiDomain } from "#domain/email-address.ts";
import { isGoogle } from "../../login-providers.ts";

/** Who a provider says has signed in to it. */
export interface Identity {
  /** Never changes and never names somebody else later. At most 255 characters. */
  sub: string;
  /** In lower case. Null unless the provider calls it verified. */
  email: string | null;
  /** Whether the provider runs the address itself, so that nobody else can have proved it. */
  runsAddress: boolean;
}

/** What is kept between going to the provider's page and coming back. */
export interface Secrets {
  state: string;
  nonce: string;
  /** Of PKCE (RFC 7636). */
  verifier: string;
  /** Where the provider sends the person back to. */
  redirectUri: string;
}

/**
 * Reads claims. Google answers for addresses of its own only: others it has verified once, and they may have moved on.
 * @param claims `hd` is the domain of the organisation that has its mail at Google
 */
export function toIdentity(
  provider: { issuer: string },
  sub: string,
  { email, isVerified, hd }: { email: unknown; isVerified: unknown; hd: unknown },
): Identity {
  const address = typeof email === "string" && isVerified === true ? withAsciiDomain(email.toLowerCase()) : null;
  const isGoogles = address !== null && (address.endsWith("@gmail.com") || (typeof hd === "string" && hd !== ""));
  return { sub, email: address, runsAddress: !isGoogle(provider) || isGoogles };
}
