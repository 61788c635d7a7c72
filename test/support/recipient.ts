import { env, exports } from "cloudflare:workers";
import { contentPath } from "./worker.ts";

interface KeptCookie {
  name: string;
  value: string;
  path: string;
}

/** A browser without an account, which keeps cookies by path and sends those whose path matches (RFC 6265). */
export class Recipient {
  readonly #cookies = new Map<string, KeptCookie>();
  readonly #send: (request: Request) => Response | Promise<Response>;

  /** @param send by default the Worker with the default settings */
  constructor(send: (request: Request) => Response | Promise<Response> = (request) => exports.default.fetch(request)) {
    this.#send = send;
  }

  get cookies(): KeptCookie[] {
    return [...this.#cookies.values()];
  }

  async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const url = new URL(path, env.APP_ORIGIN);
    const headers = new Headers({ "accept-language": "en", ...Object.fromEntries(new Headers(init.headers)) });
    const cookies = this.cookies.filter(
      ({ path: folder }) => url.pathname === folder || url.pathname.startsWith(folder.replace(/\/?$/, "/")),
    );
    if (cookies.length > 0) headers.set("cookie", cookies.map(({ name, value }) => `${name}=${value}`).join("; "));
    const response = await this.#send(new Request(url, { redirect: "manual", ...init, headers }));
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      const [, cookiePath = "/"] = /;\s*Path=([^;]+)/i.exec(line) ?? [];
      this.#cookies.set(`${name} ${cookiePath}`, { name, value, path: cookiePath });
    }
    return response;
  }

  post(path: string, body: unknown = {}): Promise<Response> {
    return this.fetch(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  }

  /** A form of a page without scripts. */
  submit(path: string, fields: Record<string, string> = {}): Promise<Response> {
    return this.fetch(path, {
      method: "POST",
      headers: { "sec-fetch-mode": "navigate", "sec-fetch-site": "same-origin" },
      body: new URLSearchParams(fields),
    });
  }

  unlock(downloadId: string, password: string): Promise<Response> {
    return this.post(`/api/files/download/${downloadId}/unlock`, { password });
  }

  take(downloadId: string): Promise<Response> {
    return this.post(`/api/files/download/${downloadId}/take`);
  }

  content(downloadId: string, headers: Record<string, string> = {}): Promise<Response> {
    return this.fetch(contentPath(downloadId), { headers });
  }
}
