import { env, exports } from "cloudflare:workers";
import { vi } from "vitest";
import { toHex } from "#domain/bytes-as-text.ts";
import { partRange, planParts } from "#domain/parts.ts";
import type { PlanId } from "#domain/plans.ts";
import type { CompletedPart, StartUploadAnswer } from "#domain/wire.ts";
import { servicesFor } from "#worker/services.ts";
import { createAccountWithSession } from "./account-with-session.ts";
import { mailsTo } from "./mails.ts";

/** They come without a session, and a client has one cookie. */
const OTHER_COOKIES = /^mayfly\.(bookmark|asking)=/;

/** A browser session with the whole Worker, inside workerd. */
export class Client {
  #cookie: string;
  readonly #send: (request: Request) => Response | Promise<Response>;

  /**
   * @param cookie a session cookie to start with
   * @param send by default the Worker with the default settings
   */
  constructor(cookie = "", send: (request: Request) => Response | Promise<Response> = exportedWorker) {
    this.#cookie = cookie;
    this.#send = send;
  }

  get cookie(): string {
    return this.#cookie;
  }

  async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (this.#cookie) headers.set("cookie", this.#cookie);
    // As browsers do: a program would get a link's bytes instead of its page.
    const isRead = (init.method ?? "GET") === "GET";
    if (isRead && !headers.has("sec-fetch-site")) headers.set("sec-fetch-site", "none");
    const response = await this.#send(new Request(new URL(path, env.APP_ORIGIN), { ...init, headers }));
    const set = response.headers.getSetCookie().find((cookie) => !OTHER_COOKIES.test(cookie));
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

  put(path: string, body: unknown = {}): Promise<Response> {
    return this.fetch(path, {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  }

  patch(path: string, body: unknown): Promise<Response> {
    return this.fetch(path, {
      method: "PATCH",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  }

  delete(path: string): Promise<Response> {
    return this.fetch(path, { method: "DELETE" });
  }

  /** @throws Error when the upload is rejected */
  async startUpload(fileSize: number, more: Record<string, unknown> = {}): Promise<StartUploadAnswer> {
    const body = { filename: "a file.txt", fileType: "text/plain", fileSize, expiration: "1d", ...more };
    const response = await this.post("/api/direct-upload/presigned-url", body);
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    return response.json();
  }

  async postForm(path: string, form: FormData): Promise<Response> {
    const encoded = new Response(form);
    const body = await encoded.arrayBuffer();
    const headers = new Headers(encoded.headers);
    headers.set("content-length", String(body.byteLength));
    return this.fetch(path, { method: "POST", headers, body });
  }

  complete(downloadId: string, receipts: { part: number; etag: string }[] = []): Promise<Response> {
    return this.post("/api/direct-upload/complete", { downloadId, receipts });
  }
}

function exportedWorker(request: Request): Promise<Response> {
  return exports.default.fetch(request);
}

export async function answerOf(response: Response | Promise<Response>): Promise<[number, Record<string, unknown>]> {
  const answered = await response;
  return [answered.status, await answered.json()];
}

let accounts = 0;

/** A new account with the usual password, signed in. */
export async function signUp(): Promise<Client & { email: string; id: string }> {
  accounts += 1;
  const email = `person-${accounts}-${crypto.randomUUID()}@example.com`;
  const request = new Request(new URL("/api/auth/register", env.APP_ORIGIN));
  const { id, cookies } = await createAccountWithSession(servicesFor(env), email, request);
  const [cookie = ""] = cookies[0]?.split(";") ?? [];
  return Object.assign(new Client(cookie), { email, id });
}

/** By default the configured administrator. */
export async function logInAdmin(username = env.ADMIN_USERNAME, password = env.ADMIN_PASSWORD): Promise<Client> {
  const admin = new Client();
  const response = await admin.post("/api/admin/login", { username, password });
  if (!response.ok) throw new Error(`admin login answered ${response.status}`);
  return admin;
}

/** The token in the newest mail to an address, or "". */
export async function mailedToken(email: string): Promise<string> {
  const text = (await mailsTo(email)).at(-1)?.text ?? "";
  return /token=(\S+)/.exec(text)?.[1] ?? "";
}

/** Stores a small file where its presigned PUT would: no test can call that URL. */
export async function putIncoming(uploadId: string, body: string | Uint8Array): Promise<void> {
  await env.BUCKET.put(`incoming/${uploadId}`, body);
}

/** Stores a part where its presigned PUT would. */
export async function storePart(uploadId: string, part: number, bytes: Uint8Array): Promise<CompletedPart> {
  using session = await env.UPLOADS.get(env.UPLOADS.idFromName(uploadId)).storeReceipts([], [part]);
  if (!session.ok) throw new Error(session.code);
  const upload = session.uploads?.find(({ firstPart, partCount }) => part >= firstPart && part < firstPart + partCount);
  if (!upload) throw new Error(`no multipart upload takes part ${part}`);
  const { key, r2UploadId, firstPart } = upload;
  const { etag } = await env.BUCKET.resumeMultipartUpload(key, r2UploadId).uploadPart(part - firstPart + 1, bytes);
  return { part, etag };
}

export async function sendParts(uploadId: string, body: Uint8Array): Promise<CompletedPart[]> {
  const parts = Array.from({ length: planParts(body.byteLength).partCount }, (_, index) => index + 1);
  return Promise.all(
    parts.map((part) => {
      const { start, end } = partRange(body.byteLength, part);
      return storePart(uploadId, part, body.subarray(start, end));
    }),
  );
}

export interface SentFile {
  uploadId: string;
  downloadId: string;
}

export async function sendFile(
  owner: Client,
  body: string | Uint8Array,
  more: Record<string, unknown> = {},
): Promise<SentFile> {
  const { uploadId, downloadId } = await owner.startUpload(new Blob([body]).size, more);
  await putIncoming(uploadId, body);
  const response = await owner.complete(downloadId);
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return { uploadId, downloadId };
}

/** Pseudorandom bytes, so that reordered parts are detected. */
export function patternBytes(length: number, seed = 1): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let state = seed;
  for (let index = 0; index < length; index += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    bytes[index] = state >>> 24;
  }
  return bytes;
}

export async function sha256Of(bytes: BufferSource): Promise<string> {
  return toHex(await crypto.subtle.digest("SHA-256", bytes));
}

export function contentPath(downloadId: string): string {
  return `/api/files/download/${downloadId}/content`;
}

/** The first row. @throws Error when there is none */
export async function rowOf<Row>(sql: string, ...values: unknown[]): Promise<Row> {
  const row = await env.DB.prepare(sql)
    .bind(...values)
    .first<Row>();
  if (!row) throw new Error(`no row: ${sql}`);
  return row;
}

export async function runSql(sql: string, ...values: unknown[]): Promise<void> {
  await env.DB.prepare(sql)
    .bind(...values)
    .run();
}

export async function putOnPlan(email: string, plan: PlanId): Promise<void> {
  await runSql("update users set plan_type = ? where email = ?", plan, email);
}

export function monthlyUsage(email: string): Promise<{ bytes: number; transfers: number }> {
  return rowOf(
    "select monthly_upload_total as bytes, monthly_transfer_count as transfers from users where email = ?",
    email,
  );
}

/** Freezes `Date` for tests, Worker and Durable Objects. Timers keep running. */
export function stopClockAt(epochMs: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: epochMs });
}
