import type { MadeKey } from "#domain/wire.ts";
import { Client } from "./worker.ts";

/** A key with every scope. */
export async function makeKey(person: Client, more: Record<string, unknown> = {}): Promise<MadeKey> {
  const scopes = ["upload", "files:read", "files:write", "requests"];
  const response = await person.post("/api/keys", { name: "A program", scopes, ...more });
  if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`);
  return response.json();
}

type Send = (request: Request) => Response | Promise<Response>;

/** What calls `/api/v1` with a key and keeps no cookies. */
export class Program extends Client {
  readonly #key: string;

  constructor(key: string, send?: Send) {
    super("", send);
    this.#key = key;
  }

  override fetch(path: string, init: RequestInit = {}): Promise<Response> {
    return this.atTop(`/api/v1${path}`, init);
  }

  /** A call at the top of the site, as curl makes it. */
  atTop(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (!headers.has("authorization")) headers.set("authorization", `Bearer ${this.#key}`);
    return super.fetch(path, { ...init, headers });
  }

  /** @throws Error when the call is refused */
  async answer<Answer>(path: string, method = "GET", body?: unknown): Promise<Answer> {
    const json = { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    const response = await this.fetch(path, { method, ...(body === undefined ? {} : json) });
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status} ${await response.text()}`);
    return response.status === 204 ? (undefined as Answer) : response.json();
  }
}

/** A program of a person, with every scope. */
export async function programOf(person: Client, more: Record<string, unknown> = {}): Promise<Program & { id: string }> {
  const { key, id } = await makeKey(person, more);
  return Object.assign(new Program(key), { id });
}

export interface StartedUpload {
  id: string;
  downloadId: string;
  link: string;
  expiresAt: string | null;
  received: number[];
  upload: { kind: string; partSize: number; partCount: number; urls: { part: number; url: string }[]; headers: object };
}
