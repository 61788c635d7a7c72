import { HEADER_NAMES } from "#domain/header-names.ts";
import type {
  FinishTransferAnswer,
  ListedEntries,
  ReadUploadRequestAnswer,
  SeenUploadRequest,
  SenderFields,
  StartSendingAnswer,
  TransferBatchAnswer,
  UnlockUploadRequestAnswer,
} from "#domain/wire.ts";
import { parseObject } from "#engine/api-error.ts";
import type { Calls } from "#engine/calls.ts";
import type { TransferPorts } from "#engine/ports.ts";
import { putWith } from "../net/put.ts";
import { programPorts } from "../ports.ts";
import type { Session } from "../session.ts";
import { keptLinks } from "./kept-links.ts";
import type { Unfinished } from "./unfinished.ts";

/** What they say of themselves. */
type Fields = { [Name in keyof SenderFields]: SenderFields[Name] | undefined };

/** The engine's words for a link: a sender never gets one. */
const NO_LINK = "";

/**
 * Whoever sends into a request. The server gives an upload token for each transfer, which the calls after the start
 * carry. They are the calls of the request's page: v1 has keys alone.
 */
export class RequestSender {
  readonly #session: Session;
  readonly #token: string;
  readonly #fields: Fields;
  readonly #kept: Unfinished;
  /** Of the calls after the start. */
  readonly #headers: Record<string, string> = {};
  /** Says that the password was right. */
  #grant: Record<string, string> = {};
  /** Names the transfer, once it has started. */
  downloadId = "";

  /** @param token of the request @param kept holds the upload token until everything has arrived */
  constructor(session: Session, token: string, fields: Fields, kept: Unfinished) {
    this.#session = session;
    this.#token = token;
    this.#fields = fields;
    this.#kept = kept;
  }

  /** @param givePassword called when the request needs one @throws ApiError, TypeError, Failure */
  async open(givePassword: () => Promise<string>): Promise<SeenUploadRequest> {
    const path = `/requests/by-link/${this.#token}`;
    const request = await this.#call<ReadUploadRequestAnswer>("GET", path);
    if (!request.needsPassword) return request;
    const body = { password: await givePassword() };
    const unlocked = await this.#call<UnlockUploadRequestAnswer>("POST", `${path}/unlock`, { body });
    this.#grant = { authorization: `Bearer ${unlocked.grant}` };
    return unlocked.request;
  }

  /** Goes on with the transfer that was begun with the same paths, if it is not finished. */
  async goOn(): Promise<void> {
    const uploadToken = await this.#kept.read();
    if (uploadToken !== null) this.#headers[HEADER_NAMES.uploadToken] = uploadToken;
  }

  /** What the engine needs. Nobody else watches, so there is no socket. */
  ports(warn: (text: string) => void): TransferPorts {
    const { v1, line } = this.#session;
    const ports = programPorts({ v1, line, keyId: "", links: keptLinks(), fresh: false, warn });
    const put = putWith(this.#headers, () => {
      line.fail();
    });
    return { ...ports, calls: { ...ports.calls, ...this.#calls() }, live: null, put };
  }

  #calls(): Partial<Calls> {
    const headers = this.#headers;
    return {
      // Whether the server answers tells a lost line from storage that is out of reach.
      fixCors: (signal) => this.#call("GET", "/health", { signal }),
      startTransfer: async (request) => {
        // The request's owner decides about these.
        const { expiration: _kept, expirationChosen: _chosen, guards: _guards, seal: _seal, ...start } = request;
        const answer = await this.#call<StartSendingAnswer>("POST", `/requests/by-link/${this.#token}/transfers`, {
          body: { ...start, ...this.#fields },
          headers: { ...headers, ...this.#grant },
        });
        // Before any byte is sent: without the token nobody could go on with them.
        await this.#kept.keep(answer.uploadToken);
        headers[HEADER_NAMES.uploadToken] = answer.uploadToken;
        this.downloadId = answer.downloadId;
        return { ...answer, shareUrl: NO_LINK, expiresAt: null };
      },
      sendBatch: (id, body, signal) =>
        this.#call<TransferBatchAnswer>("POST", `/transfers/${id}/batch`, { body, headers, signal }),
      finishTransfer: async (id, body, signal) => {
        const options = { body, headers, signal };
        const answer = await this.#call<FinishTransferAnswer>("POST", `/transfers/${id}/finish`, options);
        await this.#kept.forget();
        return { ...answer, shareUrl: NO_LINK };
      },
      listEntries: (id, from, signal) =>
        this.#call<ListedEntries>("GET", `/files/download/${id}/entries?from=${from}`, { headers, signal }),
      cancelUpload: (downloadId, summary) =>
        this.#call("POST", "/direct-upload/cancel", { body: { downloadId, summary }, headers }),
      noteFailure: (downloadId, summary) =>
        this.#call("POST", "/direct-upload/failed", { body: { downloadId, summary }, headers }),
      objectPartAddress: (id, object, part) =>
        `${this.#session.v1.origin}/api/transfers/${id}/objects/${object}/${part}`,
    };
  }

  /** @throws ApiError; TypeError when nothing answers; Failure for an answer that is no JSON */
  async #call<Answer>(
    method: string,
    path: string,
    { body, headers, signal }: { body?: unknown; headers?: Record<string, string>; signal?: AbortSignal } = {},
  ): Promise<Answer> {
    const { v1 } = this.#session;
    const { text } = await v1.ask(`${v1.origin}/api${path}`, {
      method,
      headers: { ...headers, ...(body !== undefined && { "content-type": "application/json" }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
    const answer = parseObject(text);
    if (answer === null) throw v1.stranger();
    // The engine checks what it takes from it.
    return answer as Answer;
  }
}
