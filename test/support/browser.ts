import { env } from "cloudflare:workers";
import { servicesFor } from "#worker/services.ts";
import { createAccountWithSession, PASSWORD } from "./account-with-session.ts";
import { Client, runSql } from "./worker.ts";
import { workerWith } from "./worker-with-env.ts";

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0";
const BROWSER_HEADERS = { "user-agent": FIREFOX, "cf-connecting-ip": "203.0.113.77" };

export { PASSWORD };

/** Keeps all cookies, as a browser does. */
export class Browser {
  readonly cookies = new Map<string, string>();
  readonly #send: (request: Request) => Response | Promise<Response>;

  constructor(environment: Env = env) {
    this.#send = workerWith(environment);
  }

  async fetch(path: string, init: RequestInit & { cf?: { country: string } } = {}): Promise<Response> {
    const headers = new Headers(BROWSER_HEADERS);
    new Headers(init.headers).forEach((value, name) => {
      headers.set(name, value);
    });
    headers.set("cookie", [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; "));
    const response = await this.#send(new Request(new URL(path, env.APP_ORIGIN), { ...init, headers }));
    this.keep(response.headers.getSetCookie());
    return response;
  }

  /** @param setCookies values of `Set-Cookie` */
  keep(setCookies: string[]): void {
    for (const cookie of setCookies) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (/Max-Age=0/.test(cookie)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
  }

  post(path: string, body: unknown, init: { cf?: { country: string } } = {}): Promise<Response> {
    const headers = { "content-type": "application/json" };
    return this.fetch(path, { method: "POST", headers, body: JSON.stringify(body), ...init });
  }

  logIn(email: string, password = PASSWORD, init: { cf?: { country: string } } = {}): Promise<Response> {
    return this.post("/api/auth/login", { email, password }, init);
  }

  async isSignedIn(): Promise<boolean> {
    return (await (await this.fetch("/api/auth/me")).json()) !== null;
  }

  /** @returns the value; "" without such a cookie */
  cookie(part: string): string {
    return [...this.cookies].find(([name]) => name.includes(part))?.[1] ?? "";
  }

  /** As a client that keeps this browser's session. */
  asClient(): Client {
    return new Client([...this.cookies].map(([name, value]) => `${name}=${value}`).join("; "));
  }
}

/** A person who has registered in this browser, some days ago. */
export async function signUpInBrowser(
  environment: Env = env,
): Promise<{ browser: Browser; id: string; email: string }> {
  const browser = new Browser(environment);
  const email = `browser-${crypto.randomUUID()}@example.com`;
  const request = new Request(new URL("/api/auth/register", env.APP_ORIGIN), { headers: BROWSER_HEADERS });
  const { id, cookies } = await createAccountWithSession(servicesFor(environment), email, request);
  browser.keep(cookies);
  await runSql("update users set created_at = ? where id = ?", Date.now() - 3 * 86_400_000, id);
  return { browser, id, email };
}

/** Lets a session's confirmation run out. */
export async function letConfirmationRunOut(userId: string): Promise<void> {
  await runSql("update sessions set confirmed_at = ? where user_id = ?", Date.now() - 600_000, userId);
}

/** The mails to an address, the newest first. */
export async function mailsTo(email: string): Promise<{ subject: string; text: string }[]> {
  const { results } = await env.DB.prepare(
    `select subject, text from local_mailbox where "to" = ?1
     union all select subject, text from mail_outbox where "to" = ?1 and id not in (select id from local_mailbox)`,
  )
    .bind(email)
    .all<{ subject: string; text: string }>();
  return results.reverse();
}

/** The token of the mail whose subject contains `subject`; "" before it is there. */
export async function tokenIn(email: string, subject: string): Promise<string> {
  const mail = (await mailsTo(email)).find((candidate) => candidate.subject.includes(subject));
  return /token=(\S+)/.exec(mail?.text ?? "")?.[1] ?? "";
}
