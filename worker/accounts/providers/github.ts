import * as oauth from "oauth4webapi";
import * as z from "zod/mini";
import { PRODUCT_NAME } from "#domain/brand.ts";
import { withAsciiDomain } from "#domain/email-address.ts";
import type { LoginProvider } from "../../login-providers.ts";
import { type Identity, type Secrets, authorizationUrl, PROVIDER_TIMEOUT_MS, requestOptions } from "./oauth.ts";

const userSchema = z.object({ id: z.int() });
const emailsSchema = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

/** GitHub has OAuth without OpenID, so its API tells who the person is. @returns the URL of GitHub's sign-in page */
export async function gitHubEmail(provider: LoginProvider, secrets: Secrets): Promise<string> {
  return (await authorizationUrl(serverOf(provider).authorization_endpoint, provider, "user:email", secrets)).href;
}

/** Reads GitHub's primary address, if GitHub has verified that address. @throws Error when a check fails */
export async function gitHubIdentity(provider: LoginProvider, callback: URL, secrets: Secrets): Promise<Identity> {
  const server = serverOf(provider);
  const client: oauth.Client = { client_id: provider.clientId };
  const parameters = oauth.validateAuthResponse(server, client, callback, secrets.state);
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    oauth.ClientSecretPost(provider.clientSecret),
    parameters,
    secrets.redirectUri,
    secrets.verifier,
    requestOptions(provider),
  );
  const { access_token: token } = await oauth.processAuthorizationCodeResponse(server, client, response);
  const [user, emails] = await Promise.all([
    ask(provider, "/user", token, userSchema),
    ask(provider, "/user/emails", token, emailsSchema),
  ]);
  const primary = emails.find((address) => address.primary && address.verified);
  const email = primary ? withAsciiDomain(primary.email.toLowerCase()) : null;
  return { sub: String(user.id), email, runsAddress: true };
}

async function ask<Schema extends z.ZodMiniType>(
  provider: LoginProvider,
  path: string,
  token: string,
  schema: Schema,
): Promise<z.infer<Schema>> {
  const response = await fetch(`${apiOf(provider)}${path}`, {
    // GitHub refuses requests without a user agent.
    headers: { authorization: `Bearer ${token}`, accept: "application/vnd.github+json", "user-agent": PRODUCT_NAME },
    signal: AbortSignal.timeout(PROVIDER_TIMEOUT_MS),
  });
  if (!response.ok) throw new Error(`GitHub answered ${response.status} for ${path}.`);
  return schema.parse(await response.json());
}

/** GitHub Enterprise Server has its API below its own address. */
function apiOf({ issuer }: LoginProvider): string {
  return issuer === "https://github.com" ? "https://api.github.com" : `${issuer}/api/v3`;
}

function serverOf({ issuer }: LoginProvider) {
  return {
    issuer: `${issuer}/login/oauth`,
    authorization_endpoint: `${issuer}/login/oauth/authorize`,
    token_endpoint: `${issuer}/login/oauth/access_token`,
  };
}
