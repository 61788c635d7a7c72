import type { ListedUploadRequest } from "#domain/wire.ts";
import { BYTES, metadata, SPOKEN, tusOf, type Tus } from "./tus.ts";
import { Client } from "./worker.ts";

interface Start {
  /** Null for an upload that says its length later. */
  size?: number | null;
  said?: Record<string, string>;
  headers?: Record<string, string>;
  body?: BodyInit;
}

/** What sends into a request by tus: a program, or a page of another site. */
export class TusSender {
  readonly token: string;
  readonly #client: Client;
  readonly #page: string | null;

  /** @param page the origin of its site; null for a program */
  constructor({ link }: Pick<ListedUploadRequest, "link">, page: string | null = null, client = new Client()) {
    this.token = link.slice(link.lastIndexOf("/") + 1);
    this.#page = page;
    this.#client = client;
  }

  call(path: string, method: string, headers: Record<string, string> = {}, body?: BodyInit): Promise<Response> {
    const sent = {
      ...SPOKEN,
      authorization: `Bearer ${this.token}`,
      ...(this.#page !== null && { origin: this.#page }),
      ...headers,
    };
    return this.#client.fetch(path, { method, headers: sent, ...(body !== undefined && { body }) });
  }

  start({ size = 5, said = {}, headers = {}, body }: Start = {}): Promise<Response> {
    const length: Record<string, string> =
      size === null ? { "upload-defer-length": "1" } : { "upload-length": String(size) };
    const told = { "upload-metadata": metadata({ filename: "a.txt", ...said }) };
    return this.call("/api/v1/tus", "POST", { ...length, ...told, ...headers }, body);
  }

  /** @throws Error when the start is refused */
  begin(start: Start = {}): Promise<Tus> {
    return tusOf(this.start(start));
  }

  send({ path }: Pick<Tus, "path">, offset: number, body: BodyInit, more: Record<string, string> = {}) {
    return this.call(path, "PATCH", { ...BYTES, "upload-offset": String(offset), ...more }, body);
  }

  /** Starts an upload and sends all of it. @throws Error when a call is refused */
  async sendAll(text: string, said: Record<string, string> = {}): Promise<Tus> {
    const tus = await this.begin({ size: new TextEncoder().encode(text).byteLength, said });
    const sent = await this.send(tus, 0, text);
    if (sent.status !== 204) throw new Error(`${sent.status} ${await sent.text()}`);
    return tus;
  }
}
