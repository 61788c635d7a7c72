import type { CallAnswer } from "#domain/v1/calls.ts";
import { SECOND_MS } from "#domain/units.ts";
import { ApiError } from "#engine/api-error.ts";
import { EXIT, Failure } from "../failure.ts";
import type { LinkUrl } from "../links.ts";
import { fetchDirectly } from "../net/fetch.ts";
import { collectItems, itemsOf, refusalOf, V1 } from "../net/v1.ts";

export type LinkInfo = CallAnswer<"readLink">;
export type LinkFile = CallAnswer<"listLinkFiles">["items"][number];

/** Unlocking a link and taking a download each fix a refused call. Both may be needed in a row. */
const MAX_MENDED = 2;

/** Of a file that is still being uploaded, the server has no bytes yet, or too many read it. */
export class NotYet extends Error {
  override name = "NotYet";
  /** When to ask again. */
  readonly retryMs: number;

  constructor(retryMs: number) {
    super("The server has no bytes yet.");
    this.retryMs = retryMs;
  }
}

/** The pause before another try, if the server names none. */
const RETRY_MS = 5 * SECOND_MS;
const NOT_YET = new Set<unknown>(["UPLOAD_UNFINISHED", "TOO_MANY_FOLLOWERS"]);

/** A reader of a link, who gives the link's password if there is one, and takes a download if downloads are limited. */
export class Recipient {
  readonly #v1: V1;
  readonly #params: { downloadId: string };
  readonly #givePassword: () => Promise<string>;
  #password: string | null = null;
  #grant: string | null = null;
  lease: string | null;

  /** @param lease of an interrupted download @param givePassword called when the link needs a password */
  constructor({ origin, downloadId }: LinkUrl, lease: string | null, givePassword: () => Promise<string>) {
    this.#v1 = new V1(origin, null, fetchDirectly);
    this.#params = { downloadId };
    this.lease = lease;
    this.#givePassword = givePassword;
  }

  /** @returns null for a sealed link @throws ApiError; Failure without a password */
  async readInfo(): Promise<LinkInfo | null> {
    try {
      const info = await this.#unlocked(() => this.#v1.call("readLink", this.#options()));
      return info.guards?.sealed ? null : info;
    } catch (error) {
      if (error instanceof ApiError && error.body.guard === "sealed") return null;
      throw error;
    }
  }

  listFiles(): Promise<LinkFile[]> {
    return collectItems(this.#filesOf());
  }

  /** Takes a download of a link with a download limit, or resumes the lease of an interrupted one. @throws ApiError */
  async take(): Promise<void> {
    const { lease } = await this.#unlocked(() => this.#v1.call("takeDownload", this.#options()));
    this.lease = lease;
  }

  /**
   * @param range headers @returns a response with bytes, or a 416
   * @throws NotYet for a file that is still being uploaded; ApiError; TypeError without an answer; the signal's reason
   */
  async fetchFile(file: LinkFile, range: Record<string, string>, signal: AbortSignal): Promise<Response> {
    const url = this.#addressOf(file);
    for (let mended = 0; ; mended += 1) {
      const headers = { ...this.#v1.headers, ...this.#headers(), ...range };
      const response = await fetchDirectly(url, { headers, signal });
      if (response.ok || response.status === 416) return response;
      const refused = refusalOf(response.status, await response.text());
      if (file.followUrl !== undefined && NOT_YET.has(refused.body.code)) throw notYet(response);
      if (mended >= MAX_MENDED) throw refused;
      if (refused.body.code === "LEASE_NEEDED") await this.take();
      else if (refused.body.code === "LINK_LOCKED") await this.#unlock();
      else throw refused;
    }
  }

  /** @returns the SHA-256 of a file that has just arrived; undefined if the server has none @throws ApiError, NotYet */
  async findSum(n: number): Promise<string | undefined> {
    for await (const file of this.#filesOf()) {
      if (file.n !== n) continue;
      // The list may be older than the file's last byte.
      if (file.state !== "stored") throw new NotYet(SECOND_MS);
      return file.sha256;
    }
    return undefined;
  }

  /** The file's address. What the server names is asked for at its own origin, since the grant goes with it. */
  #addressOf({ n, followUrl }: LinkFile): string {
    if (followUrl === undefined) return this.#v1.addressOf("readLinkFile", { params: { ...this.#params, n } });
    const { pathname, search } = new URL(followUrl, this.#v1.origin);
    return this.#v1.origin + pathname + search;
  }

  #filesOf(): AsyncGenerator<LinkFile> {
    return itemsOf((cursor) =>
      this.#unlocked(() => this.#v1.call("listLinkFiles", { ...this.#options(), query: { cursor } })),
    );
  }

  #headers(): Record<string, string> {
    return {
      ...(this.#grant !== null && { authorization: `Bearer ${this.#grant}` }),
      ...(this.lease !== null && { "mayfly-lease": this.lease }),
    };
  }

  #options() {
    return { params: this.#params, headers: this.#headers() };
  }

  async #unlocked<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    try {
      return await ask();
    } catch (error) {
      const isLocked = error instanceof ApiError && error.body.code === "LINK_LOCKED" && error.body.guard !== "sealed";
      if (!isLocked) throw error;
      await this.#unlock();
      return ask();
    }
  }

  async #unlock(): Promise<void> {
    this.#password ??= await this.#givePassword();
    const body = { password: this.#password };
    const { grant } = await this.#v1.call("unlockLink", { params: this.#params, body });
    if (grant === null) throw new Failure(EXIT.fault, "The server unlocked the link and gave no grant.");
    this.#grant = grant;
  }
}

function notYet({ headers }: Response): NotYet {
  const seconds = Number(headers.get("retry-after"));
  return new NotYet(seconds > 0 ? seconds * SECOND_MS : RETRY_MS);
}
