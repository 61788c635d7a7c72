import * as oauth from "oauth4webapi";
import type { LoginProvider } from "../../login-providers.ts";
import type { Secrets } from "./identity.ts";

/** How long we wait for each answer of a provider. */
export const PROVIDER_TIMEOUT_MS = 10_000;

/** @param page the provider's authorization endpoint @returns its address for one visit (RFC 6749, RFC 7636) */
export async function authorizationAddress(
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
