import { generateRandomCodeVerifier, generateRandomNonce } from "oauth4webapi";
import { AppError } from "#domain/errors.ts";
import { parseReturnUrl } from "#domain/return-url.ts";
import { PROVIDER_STATE_TTL_MS } from "#domain/sign-in.ts";
import { saveProviderVisit, takeProviderVisit, type ProviderVisit } from "../../db/provider-accounts.ts";
import { localizedError } from "../../errors/translate-error.ts";
import { logError } from "../../log.ts";
import type { LoginProvider } from "../../login-providers.ts";
import type { Services } from "../../services.ts";
import { hashToken } from "../../tokens.ts";
import { createToken, readTokenCookie, tokenCookie } from "../cookies.ts";
import { gitHubEmail, gitHubIdentity } from "./github.ts";
import type { Identity } from "./oauth.ts";
import { openIdEmail, openIdIdentity } from "./openid.ts";

/** @throws AppError NOT_FOUND */
export function findProvider({ settings }: Services, name: string): LoginProvider {
  const provider = settings.providers.find((candidate) => candidate.name === name);
  if (!provider) throw localizedError("NOT_FOUND", "providerGone", {});
  return provider;
}

/**
 * Begins a visit to a provider's page.
 * @param purpose `userId`: the account to connect; null for a sign-in. `returnTo`: the page to open after the visit
 * @returns the page's URL, and the `Set-Cookie` value that ties the visit to this browser
 * @throws AppError PROVIDER_REFUSED
 */
export async function beginVisit(
  { db, settings }: Services,
  provider: LoginProvider,
  { userId, returnTo }: { userId: string | null; returnTo: string | undefined },
  headers: Headers,
  now: number,
): Promise<{ url: string; cookie: string }> {
  const browser = readTokenCookie(settings, "asking", headers) ?? createToken();
  const state = createToken();
  const nonce = generateRandomNonce();
  const verifier = generateRandomCodeVerifier();
  const secrets = { state, nonce, verifier, redirectUri: redirectUriOf(settings.origin, provider) };
  const url = await fromProvider(() =>
    provider.kind === "github" ? gitHubEmail(provider, secrets) : openIdEmail(provider, secrets, now),
  );
  const visit = {
    userId,
    name: provider.name,
    browser: await hashToken(browser),
    nonce,
    verifier,
    returnTo: ownPath(returnTo, settings.origin),
  };
  await saveProviderVisit(db, await hashToken(state), visit, now + PROVIDER_STATE_TTL_MS);
  return { url, cookie: tokenCookie(settings, "asking", browser) };
}

/**
 * Finds a visit by the callback's state and the browser's cookie, and ends the visit, so that a callback works once.
 * @throws AppError PROVIDER_REFUSED
 */
export async function endVisit(
  { db, settings }: Services,
  provider: LoginProvider,
  callback: URL,
  headers: Headers,
  now: number,
): Promise<ProviderVisit> {
  const state = callback.searchParams.get("state") ?? "";
  const browser = readTokenCookie(settings, "asking", headers);
  const visit =
    browser === null
      ? null
      : await takeProviderVisit(db, await hashToken(state), provider.name, await hashToken(browser), now);
  if (!visit) throw new AppError("PROVIDER_REFUSED");
  return visit;
}

/** Asks the provider who has signed in. Does not keep the provider's tokens. @throws AppError PROVIDER_REFUSED */
export async function identify(
  { settings }: Services,
  provider: LoginProvider,
  callback: URL,
  { nonce, verifier }: ProviderVisit,
  now: number,
): Promise<Identity> {
  const state = callback.searchParams.get("state") ?? "";
  const secrets = { state, nonce, verifier, redirectUri: redirectUriOf(settings.origin, provider) };
  const identity = await fromProvider(() =>
    provider.kind === "github"
      ? gitHubIdentity(provider, callback, secrets)
      : openIdIdentity(provider, callback, secrets, now),
  );
  // OpenID Connect Core, 2, allows at most 255 characters.
  if (identity.sub === "" || identity.sub.length > 255) throw new AppError("PROVIDER_REFUSED");
  return identity;
}

async function fromProvider<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    logError("account.provider_refused", error);
    throw new AppError("PROVIDER_REFUSED");
  }
}

/** The callback URL, which the operator registers at the provider. */
function redirectUriOf(origin: string, { name }: LoginProvider): string {
  return `${origin}/api/auth/provider/${name}/callback`;
}

function ownPath(path: string | undefined, origin: string): string | null {
  const address = path?.startsWith("/") ? parseReturnUrl(path, origin) : null;
  return address && address.pathname + address.search;
}
