import type { ErrorCode } from "#domain/errors.ts";
import type { TakeAnswer, UnlockAnswer } from "#domain/wire.ts";

interface KeptCookie {
  name: string;
  value: string;
  path: string;
}

export interface Tokens {
  grant?: string;
  lease?: string;
}

/** Somebody who has a link and no account: a browser, which keeps cookies by path, or a program, which keeps tokens. */
export class Recipient {
  tokens: Tokens;
  readonly #base: string;
  readonly #isProgram: boolean;
  readonly #cookies = new Map<string, KeptCookie>();

  /** @param tokens of a program; a browser has cookies */
  constructor(origin: string, downloadId: string, isProgram: boolean, tokens: Tokens = {}) {
    this.#base = `${origin}/api/files/download/${downloadId}`;
    this.#isProgram = isProgram;
    this.tokens = tokens;
  }

  /** The id of the recipient's lease; null before the recipient has one. */
  get leaseId(): string | null {
    return this.tokens.lease?.split(".")[0] ?? null;
  }

  get(end: string, headers: Record<string, string> = {}, signal?: AbortSignal): Promise<Response> {
    return this.#fetch(end, { headers, ...(signal ? { signal } : {}) });
  }

  async unlock(password: string): Promise<Response> {
    const response = await this.#post("/unlock", { password });
    if (response.ok) {
      const { grant } = (await response.clone().json()) as UnlockAnswer;
      if (grant !== null) this.tokens.grant = grant;
    }
    return response;
  }

  async take(): Promise<Response> {
    const response = await this.#post("/take", {});
    if (response.ok) {
      const { lease } = (await response.clone().json()) as TakeAnswer;
      if (lease !== null) this.tokens.lease = lease;
    }
    return response;
  }

  #post(end: string, body: unknown): Promise<Response> {
    const headers = { "content-type": "application/json" };
    return this.#fetch(end, { method: "POST", headers, body: JSON.stringify(body) });
  }

  async #fetch(end: string, init: RequestInit): Promise<Response> {
    const url = new URL(this.#base + end);
    const headers = { ...Object.fromEntries(new Headers(init.headers)), ...this.#proofs(url) };
    const response = await fetch(url, { ...init, headers });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      const [, path = "/"] = /;\s*Path=([^;]+)/i.exec(line) ?? [];
      this.#cookies.set(`${name} ${path}`, { name, value, path });
    }
    return response;
  }

  #proofs({ pathname }: URL): Record<string, string> {
    if (this.#isProgram) {
      const { grant, lease } = this.tokens;
      return {
        ...(grant === undefined ? {} : { authorization: `Bearer ${grant}` }),
        ...(lease === undefined ? {} : { "mayfly-lease": lease }),
      };
    }
    const matching = [...this.#cookies.values()].filter(({ path }) => pathname.startsWith(`${path}/`));
    return matching.length > 0 ? { cookie: matching.map(({ name, value }) => `${name}=${value}`).join("; ") } : {};
  }
}

/** @returns null for an answer that is no error of the API */
export async function codeOf(response: Response): Promise<ErrorCode | null> {
  const text = await response.text();
  try {
    return (JSON.parse(text) as { code?: ErrorCode }).code ?? null;
  } catch {
    return null;
  }
}
