import type { ListedUploadRequest, StartSendingAnswer } from "#domain/wire.ts";
import { announcementOf, join, putObject, finish, totalsOf, type TransferFile } from "./transfers.ts";
import { Client } from "./worker.ts";

/** A stranger with a request's link. After the start, each call carries the upload token. */
export class Sender extends Client {
  readonly token: string;
  uploadToken: string | null = null;
  /** Of a request with a password. */
  grant: string | null = null;

  /** @param send by default the Worker with the default settings */
  constructor({ link }: Pick<ListedUploadRequest, "link">, send?: (request: Request) => Response | Promise<Response>) {
    super("", send);
    this.token = link.slice(link.lastIndexOf("/") + 1);
  }

  override fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (this.uploadToken !== null) headers.set("mayfly-upload-token", this.uploadToken);
    if (this.grant !== null) headers.set("authorization", `Bearer ${this.grant}`);
    return super.fetch(path, { ...init, headers });
  }

  start(files: TransferFile[], more: Record<string, unknown> = {}): Promise<Response> {
    const entries = { from: 0, list: files.map(announcementOf) };
    return this.post(`/api/requests/by-link/${this.token}/transfers`, { totals: totalsOf(files), entries, ...more });
  }

  /** @throws Error when it is rejected */
  async begin(files: TransferFile[], more: Record<string, unknown> = {}): Promise<StartSendingAnswer> {
    const response = await this.start(files, more);
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    const started = await response.json<StartSendingAnswer>();
    this.uploadToken = started.uploadToken;
    return started;
  }

  /** Sends the files in one pack and finishes. @throws Error when a call is rejected */
  async send(files: TransferFile[], more: Record<string, unknown> = {}): Promise<StartSendingAnswer> {
    const started = await this.begin(files, { open: [{ object: 0, runs: [[0, files.length]] }], ...more });
    const receipts = await putObject(started, 0, join(files.map(({ bytes }) => bytes)));
    const response = await finish(this, started.downloadId, receipts);
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    return started;
  }
}

/** @throws Error when it is rejected */
export async function createRequest(owner: Client, more: Record<string, unknown> = {}): Promise<ListedUploadRequest> {
  const response = await owner.post("/api/requests", { title: "Photos", ...more });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return response.json();
}

export async function listRequests(owner: Client): Promise<ListedUploadRequest[]> {
  return (await owner.fetch("/api/requests")).json();
}
