import * as oauth from "oauth4webapi";
import { HOUR_MS } from "#domain/units.ts";
import type { LoginProvider } from "../../login-providers.ts";
import { toIdentity, type Identity, type Secrets, authorizationUrl, requestOptions } from "./oauth.ts";

interface Discovered {
  server: oauth.AuthorizationServer;
  until: number;
}

/** The providers' discovery documents by issuer. A document is kept for an hour, so that most sign-ins fetch none. */
const discovered = new Map<string, Discovered>();

/** @returns the URL of the provider's sign-in page @throws Error when the provider does not answer */
export async function openIdEmail(provider: LoginProvider, secrets: Secrets, now: number): Promise<string> {
  const server = await discover(provider, now);
  const address = await authorizationUrl(server.authorization_endpoint ?? "", provider, "openid email", secrets);
  address.searchParams.set("nonce", secrets.nonce);
  return address.href;
}

/**
 * Checks state, `iss` (RFC 9207), and the ID token's nonce, audience, times and signature.
 * @param callback the URL to which the provider sent the person back @throws Error when a check fails
 */
export async function openIdIdentity(
  provider: LoginProvider,
  callback: URL,
  secrets: Secrets,
  now: number,
): Promise<Identity> {
  const server = await discover(provider, now);
  const client: oauth.Client = { client_id: provider.clientId };
  const options = requestOptions(provider);
  const parameters = oauth.validateAuthResponse(server, client, callback, secrets.state);
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    clientAuth(server, provider),
    parameters,
    secrets.redirectUri,
    secrets.verifier,
    options,
  );
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
    expectedNonce: secrets.nonce,
    requireIdToken: true,
  });
  await oauth.validateApplicationLevelSignature(server, response, options);
  const claims = oauth.getValidatedIdTokenClaims(tokens);
  if (!claims) throw new Error("The provider sent no ID token.");
  const needsMore = claims.email === undefined && server.userinfo_endpoint !== undefined;
  const more = needsMore
    ? await oauth.processUserInfoResponse(
        server,
        client,
        claims.sub,
        await oauth.userInfoRequest(server, client, tokens.access_token, options),
      )
    : claims;
  return toIdentity(provider, claims.sub, { email: more.email, isVerified: more.email_verified, hd: claims.hd });
}

async function discover(provider: LoginProvider, now: number): Promise<oauth.AuthorizationServer> {
  const known = discovered.get(provider.issuer);
  if (known && known.until > now) return known.server;
  const issuer = new URL(provider.issuer);
  const response = await oauth.discoveryRequest(issuer, requestOptions(provider));
  const server = await oauth.processDiscoveryResponse(issuer, response);
  discovered.set(provider.issuer, { server, until: now + HOUR_MS });
  return server;
}

function clientAuth(server: oauth.AuthorizationServer, { clientSecret }: LoginProvider): oauth.ClientAuth {
  const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  return methods.includes("client_secret_basic")
    ? oauth.ClientSecretBasic(clientSecret)
    : oauth.ClientSecretPost(clientSecret);
}
