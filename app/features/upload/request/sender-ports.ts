import { call } from "#app/lib/api.ts";
import type { Calls } from "#engine/calls.ts";
import type { TransferPorts } from "#engine/ports.ts";
import { UPLOAD_TOKEN_HEADER, type SenderFields, type StartSendingAnswer } from "#domain/wire.ts";
import { putWith } from "../browser/put.ts";
import { transferPorts } from "../browser/transfer-ports.ts";
import { grantHeader } from "./grant-header.ts";
import { keepSending, type KeptSending } from "./kept-sending.ts";

export interface Sender {
  /** Of the request, as in its address. */
  token: string;
  /** Says that the password was right. Null for a request without one. */
  grant: string | null;
  /** The unfinished upload that goes on; null for a new one. */
  kept: KeptSending | null;
  /** What they say of themselves. Read when the upload starts. */
  fields(): Partial<SenderFields>;
}

/** The engine's words for a link: a sender never gets one. */
const NO_LINK = "";

/**
 * What the engine gets to send into a request. Its calls carry the upload's own token and no cookie, so they have nothing
 * to do with an account or with the browser's other uploads. Nobody else watches, so there is no socket.
 */
export function senderPorts(sender: Sender): TransferPorts {
  let uploadToken = sender.kept?.uploadToken ?? null;
  const tokenHeader = (): Record<string, string> =>
    uploadToken === null ? {} : { [UPLOAD_TOKEN_HEADER]: uploadToken };
  const withToken = () => ({ credentials: "omit", headers: tokenHeader() }) as const;
  const start: Calls["startTransfer"] = async (request) => {
    // The request's owner decides about these.
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
    ...transferPorts.calls,
    startTransfer: start,
    sendBatch: (id, body, signal) =>
      call("POST /api/transfers/:id/batch", { params: { id }, body, signal, ...withToken() }),
    finishTransfer: async (id, body, signal) => {
      const answer = await call("POST /api/transfers/:id/finish", { params: { id }, body, signal, ...withToken() });
      keepSending(sender.token, null);
      return { ...answer, shareUrl: NO_LINK };
    },
    listEntries: (id, from, signal) =>
      call("GET /api/files/download/:id/entries", {
        params: { id },
        query: { from: String(from) },
        signal,
        ...withToken(),
      }),
    removeEntry: (id, n, signal) =>
      call("DELETE /api/files/:id/entries/:n", { params: { id, n: String(n) }, signal, ...withToken() }),
    cancelUpload: (downloadId, summary) => {
      keepSending(sender.token, null);
      return call("POST /api/direct-upload/cancel", { body: { downloadId, summary }, keepalive: true, ...withToken() });
    },
    noteFailure: (downloadId, summary) =>
      call("POST /api/direct-upload/failed", { body: { downloadId, summary }, keepalive: true, ...withToken() }),
  };
  return {
    ...transferPorts,
    calls,
    live: null,
    put: (...part) => putWith(tokenHeader(), ...part),
  };
}

/** Null where it could not be resumed: this browser cannot hash. */
function keptOf(
  { uploadToken, uploadId, downloadId }: StartSendingAnswer,
  { fingerprint, title, totals }: Omit<Parameters<Calls["startTransfer"]>[0], "expiration">,
): KeptSending | null {
  if (fingerprint == null) return null;
  const { entries, bytes } = totals;
  return { uploadToken, uploadId, downloadId, fingerprint, title: title ?? "", entries, bytes, startedAt: Date.now() };
}
