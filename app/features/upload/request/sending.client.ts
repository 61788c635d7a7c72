import { ApiError } from "#app/lib/api.ts";
import { DEFAULT_EXPIRATION } from "#domain/expiry.ts";
import type { ListedEntry, SenderFields, UnfinishedUpload } from "#domain/wire.ts";
import { listEntries, NOTHING } from "#engine/transfer/transfer-api.ts";
import type { TransferPorts } from "#engine/ports.ts";
import { connectToStorage } from "../browser/connect-ahead.ts";
import { CurrentTransfer } from "../transfer/current-transfer.ts";
import type { DroppedItem } from "../transfer/dropped-items.ts";
import type { TransferView } from "../transfer/transfer-view.ts";
import { keepSending, type KeptSending } from "./kept-sending.ts";
import { senderPorts, type Sender } from "./sender-ports.ts";

/** An upload into a request. */
export class Sending {
  readonly transfer: CurrentTransfer;
  readonly #ports: TransferPorts;
  #fields: Partial<SenderFields> = {};

  /** @param sender with an unfinished upload, which goes on with the items */
  constructor(sender: Omit<Sender, "fields">, items: readonly DroppedItem[], onChange: (view: TransferView) => void) {
    const { kept } = sender;
    this.#ports = senderPorts({ ...sender, fields: () => this.#fields });
    const source = { items, needsConsent: true, ...(kept && { unfinished: unfinishedOf(kept) }) };
    this.transfer = new CurrentTransfer(source, onChange, this.#ports);
  }

  /** @param title for a transfer whose sender cannot give it one */
  send(fields: Partial<SenderFields>, title: string): void {
    this.#fields = fields;
    // The request says how long it is kept.
    connectToStorage();
    this.transfer.send({ expiration: DEFAULT_EXPIRATION, expirationChosen: false }, title);
  }

  /** What has arrived, as the server has it. @throws ApiError, UploadError */
  async listArrived(downloadId: string): Promise<ListedEntry[]> {
    const listed = await listEntries(this.#ports, downloadId, new AbortController().signal);
    return listed.filter(({ state }) => state !== "removed");
  }
}

/** Whether the server still knows an unfinished upload. Forgets it otherwise. */
export async function isStillThere(token: string, kept: KeptSending): Promise<boolean> {
  const { calls } = portsOf(token, kept);
  try {
    await calls.sendBatch(kept.downloadId, NOTHING, new AbortController().signal);
    return true;
  } catch (error) {
    if (!isGone(error)) return true;
    keepSending(token, null);
    return false;
  }
}

/** @throws ApiError, TypeError; then it is still kept */
export async function discardKept(token: string, kept: KeptSending): Promise<void> {
  try {
    await portsOf(token, kept).calls.cancelUpload(kept.downloadId);
  } catch (error) {
    if (isGone(error)) return;
    keepSending(token, kept);
    throw error;
  }
}

/** Whether the server has nothing more to say about an upload than that. */
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
