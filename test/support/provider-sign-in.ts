import { env } from "cloudflare:workers";
import { inject } from "vitest";
import { Browser, signUpInBrowser } from "./browser.ts";
import { TEST_CLIENT } from "./login-providers/provided.ts";
import { rowOf, runSql } from "./worker.ts";

/** `work` may connect to accounts at once; `club` may not. Both are the double's OpenID provider. */
export function withProviders(more: Partial<Env> = {}): Env {
  const origin = inject("providersOrigin");
  const providers = [
    { name: "work", label: "Work", issuer: `${origin}/openid`, trustsEmail: true, ...TEST_CLIENT },
    { name: "club", label: "The club", issuer: `${origin}/openid`, ...TEST_CLIENT },
    { name: "github", label: "GitHub", issuer: origin, ...TEST_CLIENT },
  ];
  return { ...env, LOGIN_PROVIDERS: JSON.stringify(providers), ...more };
}

/** The query of the provider's page, to which our address redirects. */
export async function beginAt(browser: Browser, name: string, search = ""): Promise<URLSearchParams> {
  const response = await browser.fetch(`/api/auth/provider/${name}${search}`, { redirect: "manual" });
  return new URL(response.headers.get("location") ?? "", env.APP_ORIGIN).searchParams;
}

/** Comes back from the provider's page. @param code what the double then says @returns where our address redirects */
export async function comeBack(
  browser: Browser,
  name: string,
  code: unknown,
  search: Record<string, string>,
): Promise<string> {
  const query = new URLSearchParams({ code: typeof code === "string" ? code : encode(code), ...search });
  const path = `/api/auth/provider/${name}/callback?${query.toString()}`;
  const response = await browser.fetch(path, { redirect: "manual" });
  return response.headers.get("location") ?? `status ${response.status}`;
}

/** What an OpenID provider says of a person, as it should be. */
export function claimsOf(sub: string, email: string, nonce: string): Record<string, unknown> {
  const now = Math.floor(Date.now() / 1000);
  const iss = `${inject("providersOrigin")}/openid`;
  return { iss, aud: "mayfly", sub, email, email_verified: true, nonce, iat: now, exp: now + 300 };
}

/** Signs in at `work` or `club`. @param changes replace claims @returns where the person ends up */
export async function signInAt(
  browser: Browser,
  name: "work" | "club",
  person: { sub: string; email: string },
  changes: Record<string, unknown> = {},
): Promise<string> {
  const asked = await beginAt(browser, name);
  const claims = { ...claimsOf(person.sub, person.email, asked.get("nonce") ?? ""), ...changes };
  const iss = `${inject("providersOrigin")}/openid`;
  return comeBack(browser, name, claims, { state: asked.get("state") ?? "", iss });
}

export function newPerson(): { sub: string; email: string } {
  const id = crypto.randomUUID();
  return { sub: `sub-${id}`, email: `${id}@example.com` };
}

function encode(value: unknown): string {
  return btoa(JSON.stringify(value)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/** Somebody with a password, who has proved their address, and a browser of theirs that is signed in. */
export async function confirmedPerson(environment = withProviders()) {
  const person = await signUpInBrowser(environment);
  await runSql("update users set is_verified = 1 where id = ?", person.id);
  return person;
}

/** @returns how many rows of a table an account has */
export const countOf = (table: string, userId: string) =>
  rowOf(`select count(*) as n from ${table} where user_id = ?`, userId);
