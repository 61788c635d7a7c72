import * as oauth from "oauth4webapi";
import { withAsciiDomain } from "#domain/email-address.ts";
import { isGoogle, type LoginProvider } from "../../login-providers.ts";

/** The person who has signed in to a provider, as the provider says. */
export interface Identity {
  /** The provider's id of the person, which never changes and never names another person. At most 255 characters. */
  sub: string;
  /** In lower case. Null unless the provider says that the address is verified. */
  email: string | null;
  /** Whether the provider runs the mailbox itself, so that its word proves who has the address now. */
  runsAddress: boolean;
}

/** The secrets of a visit to a provider's page, kept until the person comes back. */
export interface Secrets {
  state: string;
  nonce: string;
  /** PKCE's verifier (RFC 7636). */
  verifier: string;
  /** The URL to which the provider sends the person back. */
  redirectUri: string;
}

/**
 * Reads a provider's claims about a person. Google's claim proves the present owner only of an address whose mail Google
 * runs: Google verified every other address once, and somebody else may have it by now. @param claims `hd` is the domain of the organisation that has its mail at Google
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

/** The time-out of each call to a provider. */
export const PROVIDER_TIMEOUT_MS = 10_000;

/**
 * @param page the provider's authorization endpoint
 * @returns the URL of the endpoint for one visit (RFC 6749, RFC 7636)
 */
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
