import { env } from "cloudflare:workers";
import { expect, vi } from "vitest";
import { UNFINISHED_PER_SENDER } from "#domain/requests/limits.ts";
import { DAY_MS, MINUTE_MS } from "#domain/units.ts";
import type { ListedUploadRequest, StartUploadAnswer, TransferBatchAnswer } from "#domain/wire.ts";
import { renewMonths } from "#worker/billing/months.ts";
import { servicesFor } from "#worker/services.ts";
import { sweep } from "#worker/sweep/sweep.ts";
import { checkCounts } from "./file-counts.ts";
import { faultyEnv, STORE_ERROR } from "./faults.ts";
import {
  bytesOf,
  checkMonth,
  isGivenBack,
  isThere,
  PLAN,
  readSituation,
  type Situation,
  type StoredRow,
} from "./quota-situation.ts";
import { createRequest, listRequests, Sender } from "./requests.ts";
import { finish, putObject, startRequest, type TransferFile } from "./transfers.ts";
import { workerWith } from "./worker-with-env.ts";
import { Client, patternBytes, putIncoming, runSql, signUp, stopClockAt } from "./worker.ts";

export type QuotaStep =
  | { do: "start"; where: "file" | "transfer" | "request"; sizeBytes: number; atOnce: number }
  | { do: "startWithoutStorage"; where: "file" | "transfer" | "request"; sizeBytes: number }
  | { do: "grow"; which: number; addedBytes: number }
  | { do: "finish" | "fail" | "cancel" | "delete"; which: number }
  | { do: "refuse"; which: number; closes: boolean }
  | { do: "endMonth"; withCron: boolean }
  | { do: "cron" }
  | { do: "change"; closed?: boolean; mostBytes?: number | null; mostTransfers?: number | null }
  | { do: "replaceRequest" };

/** What is announced beyond this is never sent. */
const SENT_BYTES = 10;

interface Upload {
  client: Client;
  uploadId: string;
  downloadId: string;
  /** Null for a single file. */
  packs: { object: number; urls: TransferBatchAnswer["urls"]; file: TransferFile }[] | null;
  sizeBytes: number;
}

/**
 * One account with a request, whose owner and strangers upload, break off and delete. After each step the month and the
 * request must have what the rows say, and a start or a growth must go through exactly when it fits.
 */
export class QuotaWalk {
  readonly #owner: Client & { email: string; id: string };
  #request: ListedUploadRequest;
  readonly #uploads: Upload[] = [];
  #now: number;

  private constructor(owner: Client & { email: string; id: string }, request: ListedUploadRequest, now: number) {
    this.#owner = owner;
    this.#request = request;
    this.#now = now;
  }

  /** Ten minutes before the month ends, so that uploads run across its end. */
  static async begin(): Promise<QuotaWalk> {
    // The walk before has moved the clock.
    vi.useRealTimers();
    stopClockAt(Date.now());
    const owner = await signUp();
    const { endsAt } = (await readSituation(owner.id)).month;
    const walk = new QuotaWalk(owner, await newRequest(owner), Date.now());
    await walk.#moveTo(endsAt - 10 * MINUTE_MS);
    return walk;
  }

  /** @returns what happened, for the list of what the walks have come to */
  async take(step: QuotaStep): Promise<string[]> {
    const before = await readSituation(this.#owner.id);
    const outcomes = await this.#do(step, before);
    const after = await readSituation(this.#owner.id);
    checkMonth(after, step);
    await this.#checkRequest(after, step);
    await checkCounts(this.#owner.id, step);
    return outcomes;
  }

  async #do(step: QuotaStep, before: Situation): Promise<string[]> {
    switch (step.do) {
      case "start":
        return this.#start(step, before);
      case "startWithoutStorage":
        await this.#startOne(step.where, step.sizeBytes, workerWith(withoutStorage));
        return [];
      case "grow":
        return this.#grow(step, before);
      case "finish":
        return this.#finish(step.which);
      case "fail":
        return this.#fail(step.which);
      case "cancel":
        return this.#cancel(step.which);
      case "delete":
        return this.#delete(step.which);
      case "refuse":
        return this.#refuse(step.which, step.closes);
      case "cron":
        await this.#runCron();
        return [];
      case "endMonth":
        await this.#moveTo(before.month.endsAt + MINUTE_MS);
        if (step.withCron) await this.#runCron();
        return ["month ended"];
      case "change":
        return this.#change(step);
      case "replaceRequest":
        await this.#owner.delete(`/api/requests/${this.#request.id}`);
        this.#request = await newRequest(this.#owner);
        return [];
    }
  }

  async #start(step: QuotaStep & { do: "start" }, before: Situation): Promise<string[]> {
    const statuses = await Promise.all(
      Array.from({ length: step.atOnce }, () => this.#startOne(step.where, step.sizeBytes)),
    );
    const isClosed = step.where === "request" && this.#request.state !== "open";
    if (isClosed) expect(statuses, JSON.stringify(step)).toEqual(statuses.map(() => 410));
    if (isClosed) return ["request closed"];
    const fitting = this.#howManyFit(step, before);
    const accepted = statuses.filter((status) => status === 200).length;
    expect(accepted, `${JSON.stringify(step)} was answered ${statuses.join()}`).toBe(Math.min(step.atOnce, fitting));
    const refused = statuses.filter((status) => status !== 200);
    for (const status of refused) expect(step.where === "request" ? [403, 429] : [403]).toContain(status);
    return [
      ...(accepted > 0 ? ["started"] : []),
      ...(refused.length > 0 && step.where === "request" ? ["request full"] : []),
    ];
  }

  async #startOne(
    where: "file" | "transfer" | "request",
    sizeBytes: number,
    send?: (request: Request) => Promise<Response>,
  ): Promise<number> {
    if (where === "file") {
      const client = new Client(this.#owner.cookie, send);
      const file = { filename: "a.bin", fileType: "application/octet-stream", fileSize: sizeBytes, expiration: "3d" };
      const response = await client.post("/api/direct-upload/presigned-url", file);
      if (!response.ok) return response.status;
      const { uploadId, downloadId } = await response.json<StartUploadAnswer>();
      this.#uploads.push({ client, uploadId, downloadId, packs: null, sizeBytes });
      return response.status;
    }
    const file = { path: "a.bin", bytes: patternBytes(Math.min(sizeBytes, SENT_BYTES)), modifiedMs: 0 };
    const rest = sizeBytes - file.bytes.byteLength;
    const totals = { entries: rest > 0 ? 2 : 1, bytes: sizeBytes };
    const more = { totals, open: [{ object: 0, runs: [[0, 1]] }] };
    const sender = where === "request" ? new Sender(this.#request, send) : null;
    const client = sender ?? new Client(this.#owner.cookie, send);
    const response = await (sender
      ? sender.start([file], more)
      : client.post("/api/transfers", startRequest([file], more)));
    if (!response.ok) return response.status;
    const started = await response.json<TransferBatchAnswer & Upload & { uploadToken: string }>();
    if (sender) sender.uploadToken = started.uploadToken;
    const { uploadId, downloadId, urls } = started;
    this.#uploads.push({ client, uploadId, downloadId, packs: [{ object: 0, urls, file }], sizeBytes });
    return response.status;
  }

  /** How many uploads of that size the month and the request take, by their rows alone. */
  #howManyFit({ where, sizeBytes }: QuotaStep & { do: "start" }, { month, rows }: Situation): number {
    const used = this.#now >= month.endsAt ? { bytes: 0, transfers: 0 } : month;
    const fitInMonth = Math.min(
      Math.floor((PLAN.monthBytes - used.bytes) / sizeBytes),
      PLAN.monthTransfers - used.transfers,
    );
    if (where !== "request") return Math.max(0, fitInMonth);
    const { mostBytes, mostTransfers } = this.#request;
    const received = this.#received(rows);
    // A request without a bound takes half of what it finds in the month.
    const taken = this.#now >= month.endsAt ? [] : this.#taken(month, rows);
    return Math.max(
      0,
      Math.min(
        fitInMonth,
        mostBytes === null
          ? Math.floor((PLAN.monthBytes - used.bytes - bytesOf(taken)) / 2 / sizeBytes)
          : Math.floor((mostBytes - bytesOf(received)) / sizeBytes),
        mostTransfers === null
          ? Math.floor((PLAN.monthTransfers - used.transfers - taken.filter((row) => !isGivenBack(row)).length) / 2)
          : mostTransfers - received.length,
        UNFINISHED_PER_SENDER - received.filter(({ status }) => status === "uploading").length,
      ),
    );
  }

  async #grow({ which, addedBytes }: QuotaStep & { do: "grow" }, { month, rows }: Situation): Promise<string[]> {
    const upload = this.#pick(which, rows, (row, { packs }) => row.status === "uploading" && packs !== null);
    if (!upload?.packs) return [];
    const row = rows.find(({ id }) => id === upload.uploadId) ?? expect.unreachable();
    const n = upload.packs.length;
    const file = { path: `b${n}.bin`, bytes: patternBytes(Math.min(addedBytes, SENT_BYTES)), modifiedMs: 0 };
    const response = await upload.client.post(`/api/transfers/${upload.downloadId}/batch`, {
      totals: { entries: n + 2, bytes: row.size + addedBytes },
      entries: { from: n, list: [[file.path, file.bytes.byteLength, 0]] },
      open: [{ object: n, runs: [[n, 1]] }],
    });
    const isOfRequest = row.request_id === this.#request.id;
    const { mostBytes } = this.#request;
    const fitsRequest =
      mostBytes === null
        ? bytesOf(this.#taken(month, rows)) + 2 * addedBytes <= PLAN.monthBytes - month.bytes
        : bytesOf(this.#received(rows)) + addedBytes <= mostBytes;
    const fits =
      this.#now < month.endsAt &&
      row.reserved_period_start === month.startsAt &&
      month.bytes + addedBytes <= PLAN.monthBytes &&
      (!isOfRequest || fitsRequest);
    // What runs may grow in a closed request, too. Where it does not fit, its sender hears that nothing more is taken.
    const isClosed = row.request_id !== null && (row.request_id !== this.#request.id || this.#request.state !== "open");
    const expected = fits ? 200 : isClosed ? 410 : 403;
    expect(response.status, `growing ${JSON.stringify(row)}: ${await response.clone().text()}`).toBe(expected);
    if (!fits) return ["not grown"];
    const { urls } = await response.json<TransferBatchAnswer>();
    upload.packs.push({ object: n, urls, file });
    return ["grown"];
  }

  async #finish(which: number): Promise<string[]> {
    const upload = this.#pick(
      which,
      (await readSituation(this.#owner.id)).rows,
      ({ status }) => status === "uploading",
    );
    if (!upload) return [];
    if (upload.packs === null) {
      if (upload.sizeBytes > SENT_BYTES) return [];
      await putIncoming(upload.uploadId, patternBytes(upload.sizeBytes));
      return (await upload.client.complete(upload.downloadId)).ok ? ["finished"] : [];
    }
    const receipts = await Promise.all(upload.packs.map((pack) => putObject(pack, pack.object, pack.file.bytes)));
    return (await finish(upload.client, upload.downloadId, receipts.flat())).ok ? ["finished"] : [];
  }

  /** A single file of which fewer bytes have come than were announced. */
  async #fail(which: number): Promise<string[]> {
    const { rows } = await readSituation(this.#owner.id);
    const upload = this.#pick(which, rows, ({ status }, { packs }) => status === "uploading" && packs === null);
    if (!upload || upload.sizeBytes > SENT_BYTES) return [];
    await putIncoming(upload.uploadId, patternBytes(upload.sizeBytes + 1));
    return (await upload.client.complete(upload.downloadId)).ok ? [] : ["failed"];
  }

  async #cancel(which: number): Promise<string[]> {
    const upload = this.#pick(
      which,
      (await readSituation(this.#owner.id)).rows,
      ({ status }) => status === "uploading",
    );
    if (!upload) return [];
    const { downloadId } = upload;
    return (await upload.client.post("/api/direct-upload/cancel", { downloadId })).ok ? ["cancelled"] : [];
  }

  async #delete(which: number): Promise<string[]> {
    const upload = this.#pick(which, (await readSituation(this.#owner.id)).rows, isThere);
    return upload && (await this.#owner.delete(`/api/files/${upload.uploadId}`)).ok ? ["deleted"] : [];
  }

  async #refuse(which: number, closes: boolean): Promise<string[]> {
    const { rows } = await readSituation(this.#owner.id);
    const upload = this.#pick(which, rows, (row) => isThere(row) && row.request_id !== null);
    if (!upload) return [];
    const answer = await this.#owner.post(`/api/received/${upload.uploadId}/refuse`, {
      what: closes ? "request" : "transfer",
    });
    await this.#readRequest();
    return answer.ok ? ["refused"] : [];
  }

  async #change(step: QuotaStep & { do: "change" }): Promise<string[]> {
    const { do: _, ...change } = step;
    const response = await this.#owner.patch(`/api/requests/${this.#request.id}`, change);
    expect(response.status).toBe(200);
    await this.#readRequest();
    return [];
  }

  async #readRequest(): Promise<void> {
    const [request = expect.unreachable()] = await listRequests(this.#owner);
    this.#request = request;
  }

  async #checkRequest({ rows }: Situation, step: QuotaStep): Promise<void> {
    const received = this.#received(rows);
    const [listed] = await listRequests(this.#owner);
    expect(listed, `the request after ${JSON.stringify(step)}`).toMatchObject({
      receivedBytes: bytesOf(received),
      receivedTransfers: received.length,
    });
  }

  /** What the request has taken from the month, also what is gone since. */
  #taken(month: Situation["month"], rows: StoredRow[]): StoredRow[] {
    return rows.filter(
      ({ request_id, status, reserved_period_start: at }) =>
        request_id === this.#request.id && at === month.startsAt && (status === "uploading" || status === "ready"),
    );
  }

  /** What takes up the request's room: what is on its way, and what is there. */
  #received(rows: StoredRow[]): StoredRow[] {
    return rows.filter((row) => row.request_id === this.#request.id && (row.status === "uploading" || isThere(row)));
  }

  #pick(which: number, rows: StoredRow[], isWanted: (row: StoredRow, upload: Upload) => boolean): Upload | undefined {
    const wanted = this.#uploads.filter((upload) => {
      const row = rows.find(({ id }) => id === upload.uploadId);
      return row !== undefined && isWanted(row, upload);
    });
    return wanted[which % wanted.length];
  }

  async #runCron(): Promise<void> {
    const services = servicesFor(env);
    await sweep(services, () => this.#now);
    await renewMonths(services, this.#now);
  }

  /** The owner stays signed in. */
  async #moveTo(now: number): Promise<void> {
    this.#now = now;
    stopClockAt(now);
    await runSql("update sessions set expires_at = ? where user_id = ?", now + DAY_MS, this.#owner.id);
  }
}

const withoutStorage = faultyEnv(
  env,
  () => null,
  () => STORE_ERROR,
);

function newRequest(owner: Client): Promise<ListedUploadRequest> {
  return createRequest(owner, { mostBytes: 1000, expiresIn: "never", notify: "off" });
}
