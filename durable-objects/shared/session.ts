import { DurableObject } from "cloudflare:workers";
import { HOUR_MS } from "#domain/units.ts";
import type { CancelResult, UploadRejection } from "../upload/results.ts";
import { isSettled } from "./lifecycle.ts";
import type { SessionFinalizer, SessionRecord } from "./session-finalizer.ts";
import { echoClose, readAdmission, type SessionSockets, type SocketAdmission } from "./session-sockets.ts";

const CRON_RECHECK_MS = HOUR_MS;

/** What the sessions of a single file and of a transfer have in common. Their results and the senders' messages differ. */
export abstract class Session<
  Record extends SessionRecord,
  Result extends { ok: true } | Pick<UploadRejection, "ok" | "code">,
  Sent,
> extends DurableObject<Env> {
  protected abstract readonly store: { find(): Record | null; save(record: Record): void; deleteAll(): Promise<void> };
  protected abstract readonly sockets: Pick<
    SessionSockets<unknown, Sent>,
    "countNew" | "countClosed" | "broadcastEnd" | "readMessage"
  >;
  protected abstract readonly finalizer: SessionFinalizer<Record, Result>;
  #completion: Promise<Result> | null = null;

  /** @returns the client's end */
  protected abstract acceptSocket(admission: SocketAdmission, record: Record): WebSocket;
  protected abstract receiveMessage(socket: WebSocket, message: Sent, record: Record): void;
  /** @param now epoch milliseconds, as is `at` */
  protected abstract nextTask(record: Record, now: number): { task: string; at: number };
  /** Does a task that the other kind of session does not have. */
  protected abstract work(record: Record, task: string): Promise<void>;

  /** Parallel calls share one completion. */
  protected completeOnce(): Promise<Result> {
    this.#completion ??= this.finalizer.finish().finally(() => {
      this.#completion = null;
    });
    return this.#completion;
  }

  override async alarm(): Promise<void> {
    const record = this.store.find();
    if (!record) return;
    const { task, at } = this.nextTask(record, Date.now());
    // Work that is left may be done at any time; only an end has to wait for its time.
    const isEnd = task === "abandon" || task === "delete";
    if (task === "complete") await this.completeOnce();
    else if (task === "clean-up") await this.finalizer.cleanUp(record);
    else if (!isEnd) await this.work(record, task);
    else if (at > Date.now()) this.save(record);
    else if (task === "abandon") await this.finalizer.abandon(record.plan.fileId);
    else await this.store.deleteAll();
  }

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
    if (record && !isSettled(record))
      return Math.max(this.nextTask(record, Date.now()).at, Date.now() + CRON_RECHECK_MS);
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

  override webSocketMessage(socket: WebSocket, data: string | ArrayBuffer): void {
    const message = this.sockets.readMessage(socket, data, Date.now());
    const record = message && this.store.find();
    if (message && record && !isSettled(record)) this.receiveMessage(socket, message, record);
  }

  override webSocketClose(socket: WebSocket, code: number, reason: string): void {
    echoClose(socket, code, reason);
    this.sockets.countClosed(socket);
  }

  override webSocketError(socket: WebSocket): void {
    this.sockets.countClosed(socket);
  }

  /** Also sets the alarm for the next task. The end of an upload closes its sockets. */
  protected save(record: Record): void {
    this.store.save(record);
    this.sockets.broadcastEnd(record.phase);
    void this.ctx.storage.setAlarm(this.nextTask(record, Date.now()).at);
  }
}
