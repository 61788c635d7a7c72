import { SECOND_MS } from "#domain/units.ts";
import { entriesPage, locked, refusal, taken, unlocked, type Locked, type Unlocked } from "./answers.ts";
import { EXIT, Problem } from "./problem.ts";

/** The time-out of one request until its response's headers have arrived. */
const PATIENCE_MS = 60 * SECOND_MS;
/** The pauses before a failed call is retried, because the failure may be brief. */
const PAUSES_MS = [SECOND_MS / 2, 2 * SECOND_MS, 5 * SECOND_MS];

/** The part of `fetch` that the opener uses. @throws an error when the server does not answer */
export type Fetch = (
  url: string,
  init: { method: string; headers: Record<string, string>; signal: AbortSignal; body?: string },
) => Promise<Response>;

/** The calls of one link. */
export class Server {
  grant: string | null = null;
  lease: string | null;
  readonly #base: string;
  readonly #fetch: Fetch;

  constructor(origin: string, downloadId: string, lease: string | null, fetch: Fetch) {
    this.#fetch = fetch;
    this.#base = `${origin}/api/files/download/${downloadId}`;
    this.lease = lease;
  }

  /** @returns salt and password cost, from which the access is derived @throws Problem `usage` for an unsealed link */
  async findLock(): Promise<Locked> {
    const response = await this.#call("GET", "");
    const answer = await readJson(response);
    const lock = locked.safeParse(answer);
    if (response.status === 401 && lock.success) return lock.data;
    if (!response.ok && response.status !== 401) throw refused(response, answer);
    throw new Problem(EXIT.usage, "This link is not end-to-end encrypted. Open it in a browser, or with curl.");
  }

  /** @returns null for a wrong key or password @throws Problem */
  async unlock(access: string): Promise<Unlocked | null> {
    const response = await this.#call("POST", "/unlock", { access });
    const answer = await readJson(response);
    if (response.status === 403) return null;
    if (!response.ok) throw refused(response, answer);
    const parsed = unlocked.safeParse(answer);
    if (!parsed.success) throw new Problem(EXIT.network, "The server's answer cannot be read.");
    this.grant = parsed.data.grant;
    return parsed.data;
  }

  /** @returns the numbers of a transfer's entries, without removed ones @throws Problem `gone` for an ended link */
  async findEntries(): Promise<Set<number>> {
    const present = new Set<number>();
    for (let from = 0; ;) {
      const response = await this.#call("GET", `/entries?from=${from}`);
      const answer = await readJson(response);
      if (!response.ok) throw refused(response, answer);
      const { data } = entriesPage.safeParse(answer);
      const last = data?.entries.at(-1)?.n ?? Infinity;
      if (!data || last < from) throw new Problem(EXIT.network, "The server's answer cannot be read.");
      for (const { n, state } of data.entries) if (state !== "removed") present.add(n);
      if (data.entries.length === 0 || present.size >= data.total) return present;
      from = last + 1;
    }
  }

  /** Takes one download of a link with a download limit. @throws Problem `gone`, `notNow` */
  async take(): Promise<void> {
    const response = await this.#call("POST", "/take", {});
    const answer = await readJson(response);
    if (!response.ok) throw refused(response, answer);
    const parsed = taken.safeParse(answer);
    this.lease = parsed.success ? parsed.data.lease : null;
  }

  /** Reports that a file was opened to its end. Losing a report does no harm. @param entry of a transfer */
  async reportOpened(entry: number | undefined): Promise<void> {
    await this.#call("POST", "/opened", { entry }).catch(() => null);
  }

  /**
   * @param path `/content`, or an entry's @param from first byte @param signal ends the response
   * @throws Problem `network` without an answer
   */
  fetchBytes(path: string, from: number, signal: AbortSignal): Promise<Response> {
    return this.#send("GET", path, { headers: { range: `bytes=${from}-` }, signal });
  }

  /** Retries a call without an answer or with a status from 500 up. All calls of this class are safe to repeat. */
  async #call(method: string, path: string, body?: object): Promise<Response> {
    for (const pauseMs of PAUSES_MS) {
      const response = await this.#send(method, path, { body }).catch((error: unknown) => {
        if (error instanceof Problem) return null;
        throw error;
      });
      if (response !== null && response.status < 500) return response;
      await response?.body?.cancel();
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    return this.#send(method, path, { body });
  }

  async #send(
    method: string,
    path: string,
    { headers, body, signal }: { headers?: Record<string, string>; body?: object | undefined; signal?: AbortSignal },
  ): Promise<Response> {
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(), PATIENCE_MS);
    try {
      return await this.#fetch(this.#base + path, {
        method,
        headers: {
          ...headers,
          ...(this.grant !== null && { authorization: `Bearer ${this.grant}` }),
          ...(this.lease !== null && { "mayfly-lease": this.lease }),
          ...(body && { "content-type": "application/json" }),
        },
        signal: signal ? AbortSignal.any([patience.signal, signal]) : patience.signal,
        ...(body && { body: JSON.stringify(body) }),
      });
    } catch (error) {
      throw new Problem(EXIT.network, "The server cannot be reached.", { cause: error });
    } finally {
      clearTimeout(timer);
    }
  }
}

/** @returns null for an answer that is no JSON */
export async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    return null;
  }
}

/** @returns the message for the person about a call that was refused */
export function refused({ status, headers }: Response, answer: unknown): Problem {
  const { data } = refusal.safeParse(answer);
  const message = data?.message ?? `The server answered ${status}.`;
  const wait = headers.get("retry-after");
  if (status === 429 || status === 409 || status === 423)
    return new Problem(EXIT.notNow, wait === null ? message : `${message} Try again in ${wait} seconds.`);
  if (status === 404 || status === 410) return new Problem(EXIT.gone, message);
  if (status === 401 || status === 403) return new Problem(EXIT.key, message);
  return new Problem(status >= 500 ? EXIT.network : EXIT.failed, message);
}
