import * as oauth from "oauth4webapi";
import { withAsciiDomain } from "#domain/email-address.ts";
import { isGoogle, type LoginProvider } from "../../login-providers.ts";

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
  /** PKCE's verifier (RFC 7636). */
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

/** How long we wait for each answer of a provider. */
export const PROVIDER_TIMEOUT_MS = 10_000;

/** @param page the provider's authorization endpoint @returns its address for one visit (RFC 6749, RFC 7636) */
export async function authorizationUrl(
  page: string,
  { clientId }: LoginProvider,
  scope: string,
  { redirectUri, state, verifier }: Secrets,
): Promise<URL> {
  const address = new URL(page);
  const parameters = {
    client_id: clientId,
    response_type: "code",
    scope,
    redirect_uri: redirectUri,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  };
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  return address;
}

export function requestOptions({ issuer }: LoginProvider) {
  return {
    // oxlint-disable-next-line typescript/no-deprecated -- it is marked to stand out; the settings allow http in development only
    [oauth.allowInsecureRequests]: issuer.startsWith("http:"),
    signal: () => AbortSignal.timeout(PROVIDER_TIMEOUT_MS),
  };
}
