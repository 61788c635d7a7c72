import { DurableObject } from "cloudflare:workers";
import { HOUR_MS } from "#domain/units.ts";
import type { CancelResult, UploadRejection } from "../upload/results.ts";
import { isSettled } from "./lifecycle.ts";
import type { SessionFinalizer, SessionRecord } from "./session-finalizer.ts";
import { echoClose, readAdmission, type SessionSockets, type SocketAdmission } from "./session-sockets.ts";

const CRON_RECHECK_MS = HOUR_MS;

/** What the sessions of a single file and of a transfer have in common: sockets, cancellation and abandonment. */
export abstract class Session<Record extends SessionRecord> extends DurableObject<Env> {
  protected abstract readonly store: { find(): Record | null };
  protected abstract readonly sockets: Pick<
    SessionSockets<unknown, unknown>,
    "countNew" | "countClosed" | "broadcastEnd"
  >;
  protected abstract readonly finalizer: SessionFinalizer<Record>;

  /** Parallel calls share one completion. */
  protected abstract completeOnce(): Promise<{ ok: true } | Pick<UploadRejection, "ok" | "code">>;
  /** @returns the client's end */
  protected abstract acceptSocket(admission: SocketAdmission, record: Record): WebSocket;
  /** @returns epoch milliseconds */
  protected abstract nextTaskAt(record: Record): number;
  abstract override alarm(): Promise<void>;

  /** If the upload is being completed, waits: a successful completion wins over the cancel. */
  async cancel(): Promise<CancelResult> {
    const record = this.store.find();
    if (!record) return { ok: false, code: "NO_UPLOAD" };
    if (record.phase === "completing") {
      const result = await this.completeOnce();
      if (result.ok) return { ok: false, code: "UPLOAD_FINISHED" };
      if (result.code === "STORAGE_UNAVAILABLE") return { ok: false, code: result.code };
      return this.cancel();
    }
    if (record.phase === "ready") return { ok: false, code: "UPLOAD_FINISHED" };
    if (!isSettled(record)) await this.finalizer.end(record, "cancelled", "CANCELLED");
    return { ok: true };
  }

  /**
   * The cron's fallback for a missed alarm.
   * @param fileId used if this object has no record of the upload
   * @returns when to check again, epoch milliseconds; null once the upload has ended
   */
  async endIfAbandoned(fileId: string): Promise<number | null> {
    await this.alarm();
    const record = this.store.find();
    if (record && !isSettled(record)) return Math.max(this.nextTaskAt(record), Date.now() + CRON_RECHECK_MS);
    await this.finalizer.abandon(fileId);
    return null;
  }

  /** Opens a socket. The Worker has set its role (`socketRequest`). */
  override async fetch(request: Request): Promise<Response> {
    const admission = readAdmission(request);
    const isAllowed = this.store.find() !== null && (await this.sockets.countNew(admission));
    const record = this.store.find();
    if (!record) return new Response(null, { status: 404 });
    if (!isAllowed) return new Response(null, { status: 429 });
    return new Response(null, { status: 101, webSocket: this.acceptSocket(admission, record) });
  }

  override webSocketClose(socket: WebSocket, code: number, reason: string): void {
    echoClose(socket, code, reason);
    this.sockets.countClosed(socket);
  }

  override webSocketError(socket: WebSocket): void {
    this.sockets.countClosed(socket);
  }

  /** Sets the alarm for the next task. The end of an upload closes its sockets. */
  protected afterSave(record: Record): void {
    this.sockets.broadcastEnd(record.phase);
    void this.ctx.storage.setAlarm(this.nextTaskAt(record));
  }
}
