import * as oauth from "oauth4webapi";
import { HOUR_MS } from "#domain/units.ts";
import type { LoginProvider } from "../../login-providers.ts";
import { toIdentity, type Identity, type Secrets, authorizationUrl, requestOptions } from "./oauth.ts";

interface Discovered {
  server: oauth.AuthorizationServer;
  until: number;
}

/** By issuer. Kept for an hour, so that most sign-ins ask for no discovery. */
const discovered = new Map<string, Discovered>();

/** @returns the address of the provider's page @throws Error when the provider does not answer */
export async function openIdEmail(provider: LoginProvider, secrets: Secrets, now: number): Promise<string> {
  const server = await discover(provider, now);
  const address = await authorizationUrl(server.authorization_endpoint ?? "", provider, "openid email", secrets);
  address.searchParams.set("nonce", secrets.nonce);
  return address.href;
}

/**
 * Checks state, `iss` (RFC 9207), and of the ID token nonce, audience, times and signature.
 * @param callback the address that the provider sent the person back to @throws Error when something does not hold
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
