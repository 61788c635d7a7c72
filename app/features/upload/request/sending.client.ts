import { ApiError, call } from "#app/lib/api.ts";
import { DEFAULT_EXPIRATION } from "#domain/expiry.ts";
import { HEADER_NAMES } from "#domain/header-names.ts";
import type { ListedEntry, SenderFields, UnfinishedUpload, StartSendingAnswer } from "#domain/wire.ts";
import type { Calls } from "#engine/calls.ts";
import type { TransferPorts } from "#engine/ports.ts";
import { listEntries, EMPTY_BATCH } from "#engine/transfer/transfer-api.ts";
import { browserPorts, startedCalls, putWith } from "../browser/browser-ports.ts";
import { connectToStorage } from "../browser/connect-ahead.ts";
import type { DroppedItem } from "../dropped-items.ts";
import { CurrentTransfer } from "../transfer/current-transfer.ts";
import type { TransferView } from "../transfer/transfer-view.ts";
import { keepSending, type KeptSending } from "./kept-sending.ts";
import { grantHeader } from "./unlocked-request.ts";

interface Sender {
  /** The request's token, as in the address of the request's page. */
  token: string;
  /** The grant for a request with a password. Null for a request without a password. */
  grant: string | null;
  /** The unfinished upload to resume; null for a new upload. */
  kept: KeptSending | null;
  /** The values that the sender gives about themselves. Called when the upload starts. */
  fields(): Partial<SenderFields>;
}
/** The share link for the engine: a sender never gets one. */
const NO_LINK = "";

/** An upload into a request. */
export class RequestUpload {
  readonly transfer: CurrentTransfer;
  readonly #ports: TransferPorts;
  #fields: Partial<SenderFields> = {};

  /** @param sender may have an unfinished upload, which the items resume */
  constructor(sender: Omit<Sender, "fields">, items: readonly DroppedItem[], onChange: (view: TransferView) => void) {
    const { kept } = sender;
    this.#ports = senderPorts({ ...sender, fields: () => this.#fields });
    const source = { items, needsConsent: true, ...(kept && { unfinished: unfinishedOf(kept) }) };
    this.transfer = new CurrentTransfer(source, onChange, this.#ports);
  }

  /** @param title the title of the transfer, because a sender types none */
  send(fields: Partial<SenderFields>, title: string): void {
    this.#fields = fields;
    connectToStorage();
    // The ports leave the expiration out, because the owner of the request decides how long received files are kept.
    this.transfer.send({ expiration: DEFAULT_EXPIRATION, expirationChosen: false }, title);
  }

  /** The entries that the server has. @throws ApiError, UploadError */
  async listArrived(downloadId: string): Promise<ListedEntry[]> {
    const listed = await listEntries(this.#ports, downloadId, new AbortController().signal);
    return listed.filter(({ state }) => state !== "removed");
  }
}

/** Whether the server still knows an unfinished upload. If not, this browser forgets the upload. */
export async function isStillThere(token: string, kept: KeptSending): Promise<boolean> {
  const { calls } = portsOf(token, kept);
  try {
    await calls.sendBatch(kept.downloadId, EMPTY_BATCH, new AbortController().signal);
    return true;
  } catch (error) {
    if (!isGone(error)) return true;
    keepSending(token, null);
    return false;
  }
}

/** Deletes an unfinished upload. @throws ApiError, TypeError; after an error the upload is still kept */
export async function discardKept(token: string, kept: KeptSending): Promise<void> {
  try {
    await portsOf(token, kept).calls.cancelUpload(kept.downloadId);
  } catch (error) {
    if (isGone(error)) return;
    keepSending(token, kept);
    throw error;
  }
}

/** Whether an error means that the server does not know the upload. */
function isGone(error: unknown): boolean {
  return error instanceof ApiError && error.status < 500 && error.status !== 429;
}

function portsOf(token: string, kept: KeptSending): TransferPorts {
  return senderPorts({ token, grant: null, kept, fields: () => ({}) });
}

function unfinishedOf({ uploadId, downloadId, fingerprint, title, entries, bytes, startedAt }: KeptSending) {
  return {
    uploadId,
    downloadId,
    shareUrl: "",
    filename: title,
    size: bytes,
    expiration: DEFAULT_EXPIRATION,
    expirationChosen: false,
    startedAt: new Date(startedAt).toISOString(),
    transport: "parts",
    progress: 0,
    entries,
    fingerprint,
  } satisfies UnfinishedUpload;
}

/**
 * The engine's ports for an upload into a request. Calls carry the upload's own token and no cookie, so they do not
 * touch an account or other uploads of the browser. Nobody else watches the upload, so there is no socket.
 */
function senderPorts(sender: Sender): TransferPorts {
  let uploadToken = sender.kept?.uploadToken ?? null;
  const tokenHeader = (): Record<string, string> =>
    uploadToken === null ? {} : { [HEADER_NAMES.uploadToken]: uploadToken };
  const started = startedCalls(() => ({ credentials: "omit", headers: tokenHeader() }));
  const start: Calls["startTransfer"] = async (request) => {
    // The owner of the request decides about these values.
    const { expiration: _kept, expirationChosen: _chosen, guards: _guards, seal: _seal, ...body } = request;
    const answer = await call("POST /api/requests/by-link/:token/transfers", {
      params: { token: sender.token },
      body: { ...body, ...sender.fields() },
      credentials: "omit",
      headers: { ...tokenHeader(), ...grantHeader(sender.grant) },
    });
    uploadToken = answer.uploadToken;
    keepSending(sender.token, keptOf(answer, body));
    return { ...answer, shareUrl: NO_LINK, expiresAt: null };
  };
  const calls: Calls = {
    ...browserPorts.calls,
    ...started,
    startTransfer: start,
    finishTransfer: async (...finish) => {
      const answer = await started.finishTransfer(...finish);
      keepSending(sender.token, null);
      return { ...answer, shareUrl: NO_LINK };
    },
    cancelUpload: (...cancel) => {
      keepSending(sender.token, null);
      return started.cancelUpload(...cancel);
    },
  };
  return {
    ...browserPorts,
    calls,
    live: null,
    put: (...part) => putWith(tokenHeader(), ...part),
  };
}

/** Null if the upload could not be resumed, because this browser cannot hash. */
function keptOf(
  { uploadToken, uploadId, downloadId }: StartSendingAnswer,
  { fingerprint, title, totals }: Omit<Parameters<Calls["startTransfer"]>[0], "expiration">,
): KeptSending | null {
  if (fingerprint == null) return null;
  const { entries, bytes } = totals;
  return { uploadToken, uploadId, downloadId, fingerprint, title: title ?? "", entries, bytes, startedAt: Date.now() };
}
