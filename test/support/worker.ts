import { env, exports } from "cloudflare:workers";
import type { StartUploadAnswer } from "#domain/wire.ts";

/** Talks to the whole Worker, inside workerd, as a browser would. */
export class Client {
  #cookie: string;

  /** @param cookie that of another client, as a thief would have it */
  constructor(cookie = "") {
    this.#cookie = cookie;
  }

  get cookie(): string {
    return this.#cookie;
  }

  async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (this.#cookie) headers.set("cookie", this.#cookie);
    const response = await exports.default.fetch(new Request(new URL(path, env.APP_ORIGIN), { ...init, headers }));
    const [set] = response.headers.getSetCookie();
    if (set) this.#cookie = set.split(";")[0] ?? "";
    return response;
  }

  post(path: string, body: unknown): Promise<Response> {
    return this.fetch(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  }

  /** Starts an upload. @throws Error when it is refused */
  async startUpload(fileSize: number, more: Record<string, unknown> = {}): Promise<StartUploadAnswer> {
    const body = { filename: "a file.txt", fileType: "text/plain", fileSize, expiration: "1d", ...more };
    const response = await this.post("/api/direct-upload/presigned-url", body);
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    return response.json();
  }

  complete(downloadId: string, receipts: { part: number; etag: string }[] = []): Promise<Response> {
    return this.post("/api/direct-upload/complete", { downloadId, receipts });
  }
}

let accounts = 0;

/** A fresh account, signed in. */
export async function signUp(): Promise<Client & { email: string }> {
  accounts += 1;
  const client = new Client();
  const email = `person-${accounts}-${crypto.randomUUID()}@example.com`;
  const response = await client.post("/api/auth/register", { email, password: "a good password" });
  if (response.status !== 201) throw new Error(`sign-up answered ${response.status}`);
  return Object.assign(client, { email });
}
