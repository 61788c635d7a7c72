import { createHash } from "node:crypto";
import type { ErrorCode } from "#domain/errors.ts";
import type { Account } from "../bench/support/account.ts";

export class HttpError extends Error {
  readonly status: number;
  readonly code: ErrorCode | null;
  readonly missing: number[];

  constructor(what: string, status: number, text: string) {
    super(`${what} answered ${status}: ${text.slice(0, 500)}`);
    this.status = status;
    const body = parseBody(text);
    this.code = body.code ?? null;
    this.missing = body.missing ?? [];
  }
}

/** Storage answers XML. */
function parseBody(text: string): { code?: ErrorCode; missing?: number[] } {
  try {
    return JSON.parse(text) as { code?: ErrorCode; missing?: number[] };
  } catch {
    return {};
  }
}

/** An API client with the session of one account. The client never retries a call. */
export class Client {
  inFlight = 0;
  answered = 0;
  readonly #origin: string;
  readonly #cookie: string;
  #awaited: { condition: () => boolean; resolve: () => void } | null = null;

  constructor(origin: string, { cookie }: Pick<Account, "cookie">) {
    this.#origin = origin;
    this.#cookie = `${cookie.name}=${cookie.value}`;
  }

  /** Resolves once the condition holds, which is checked now and after each answer. */
  until(condition: () => boolean): Promise<void> {
    if (condition()) return Promise.resolve();
    return new Promise((resolve) => {
      this.#awaited = { condition, resolve };
    });
  }

  get<Answer>(path: string): Promise<Answer> {
    return this.#call<Answer>(path, { method: "GET" });
  }

  post<Answer>(path: string, body: unknown): Promise<Answer> {
    return this.#call<Answer>(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  }

  patch<Answer>(path: string, body: unknown): Promise<Answer> {
    return this.#call<Answer>(path, {
      method: "PATCH",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  }

  postForm<Answer>(path: string, body: FormData): Promise<Answer> {
    return this.#call<Answer>(path, { method: "POST", body });
  }

  put<Answer>(path: string, body: Uint8Array<ArrayBuffer>): Promise<Answer> {
    return this.#call<Answer>(path, { method: "PUT", body });
  }

  delete(path: string, body?: unknown): Promise<unknown> {
    const init = { method: "DELETE", headers: { "content-type": "application/json" } };
    return this.#call(path, body === undefined ? { method: "DELETE" } : { ...init, body: JSON.stringify(body) });
  }

  /** @returns the ETag @throws HttpError */
  putToStore(url: string, body: Uint8Array<ArrayBuffer>, contentType: string): Promise<string> {
    return this.#counted(async () => {
      const response = await fetch(url, { method: "PUT", headers: { "content-type": contentType }, body });
      const text = await response.text();
      if (!response.ok) throw new HttpError("a presigned PUT", response.status, text);
      return response.headers.get("etag") ?? "";
    });
  }

  /** Downloads a file. @returns its SHA-256 in hex @throws HttpError */
  sha256Of(downloadId: string): Promise<string> {
    return this.#counted(async () => {
      const response = await fetch(`${this.#origin}/api/files/download/${downloadId}/content`);
      if (!response.ok || !response.body) throw new HttpError("a download", response.status, await response.text());
      const hash = createHash("sha256");
      await response.body.pipeTo(new WritableStream<Uint8Array>({ write: (chunk) => void hash.update(chunk) }));
      return hash.digest("hex");
    });
  }

  #call<Answer>(path: string, init: RequestInit): Promise<Answer> {
    return this.#counted(async () => {
      const headers = { ...Object.fromEntries(new Headers(init.headers)), cookie: this.#cookie };
      const response = await fetch(this.#origin + path, { ...init, headers });
      const text = await response.text();
      if (!response.ok) throw new HttpError(`${init.method} ${path}`, response.status, text);
      return JSON.parse(text) as Answer;
    });
  }

  async #counted<Result>(call: () => Promise<Result>): Promise<Result> {
    this.inFlight += 1;
    try {
      const answer = await call();
      this.answered += 1;
      this.#checkCondition();
      return answer;
    } finally {
      this.inFlight -= 1;
    }
  }

  #checkCondition(): void {
    if (!this.#awaited?.condition()) return;
    this.#awaited.resolve();
    this.#awaited = null;
  }
}
