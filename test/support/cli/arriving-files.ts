import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

const ETAG = '"start"';

export interface ArrivingFile {
  name: string;
  bytes: Buffer;
  /** How many of the bytes the server has. */
  stored: number;
  /** The sum that the server says once it has all of it, if not the right one. */
  sha256?: string;
  /** Absent for a file that nobody can read before all of it is there. */
  followUrl?: string;
  isRemoved?: boolean;
}

interface Refusal {
  status: number;
  code: string;
  reason?: string;
  retryAfter?: string;
}

interface Reading {
  file: ArrivingFile;
  at: number;
  response: ServerResponse;
}

/** A server with one link, behind which files arrive as a test says. */
export class ArrivingFiles {
  readonly #server: Server;
  readonly #readings = new Set<Reading>();
  readonly files: ArrivingFile[];
  readonly #title: string | undefined;
  isReady = false;
  /** Answers every request, once the upload has ended. */
  ended: Refusal | null = null;
  /** For the next requests of bytes. */
  refusals: Refusal[] = [];
  /** `Range` and `If-Range` of each request of bytes so far. */
  ranges: string[] = [];

  private constructor(files: ArrivingFile[], title?: string) {
    this.files = files;
    this.#title = title;
    this.#server = createServer((request, response) => {
      this.#answer(request, response);
    });
  }

  /** @param title of a transfer; without one there is one file */
  static async open(files: ArrivingFile[], title?: string): Promise<ArrivingFiles> {
    const opened = new ArrivingFiles(files, title);
    opened.#server.listen(0);
    await once(opened.#server, "listening");
    return opened;
  }

  get link(): string {
    return `http://localhost:${(this.#server.address() as AddressInfo).port}/download/${"A".repeat(22)}`;
  }

  /** More bytes arrive. @param stored of the whole file */
  store(file: ArrivingFile, stored: number): void {
    file.stored = stored;
    for (const reading of this.#readings) this.#give(reading);
  }

  /** Breaks all responses with bytes. */
  cut(): void {
    for (const { response } of this.#readings) response.destroy();
    this.#readings.clear();
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const { pathname, search } = new URL(request.url ?? "", "http://localhost");
    if (this.ended) refuse(response, this.ended);
    else if (/\/v1\/links\/[^/]+$/.test(pathname)) answerJson(response, this.#describe());
    else if (pathname.endsWith("/files")) answerJson(response, { items: this.#list(), next: null });
    else {
      const file = this.files.find(({ followUrl }) => followUrl?.endsWith(pathname + search));
      this.#read(request, response, file ?? this.files[Number(pathname.split("/").at(-1))]);
    }
  }

  #describe() {
    const [first] = this.files;
    const size = this.files.reduce((sum, { bytes }) => sum + bytes.length, 0);
    const isSingle = this.#title === undefined;
    return {
      name: first?.name,
      size,
      type: "video/mp4",
      state: this.isReady ? "ready" : "uploading",
      ...(!this.isReady && { progress: 1 }),
      files: this.files.length,
      ...(!isSingle && { title: this.#title, message: null }),
      downloadUrl: null,
      ...(isSingle && !this.isReady && { followUrl: first?.followUrl }),
    };
  }

  #list() {
    return this.files.flatMap(({ name, bytes, stored, sha256, followUrl, isRemoved }, n) => {
      if (isRemoved) return [];
      const isStored = stored === bytes.length && (this.isReady || this.#title !== undefined);
      const listed = { n, name, size: bytes.length, type: "video/mp4" };
      if (!isStored) return { ...listed, state: followUrl === undefined ? "waiting" : "arriving", followUrl };
      return { ...listed, state: "stored", sha256: sha256 ?? createHash("sha256").update(bytes).digest("hex") };
    });
  }

  #read(request: IncomingMessage, response: ServerResponse, file: ArrivingFile | undefined): void {
    const { range = "", "if-range": ifRange = "" } = request.headers;
    this.ranges.push(`${range} ${String(ifRange)}`.trim());
    const removed = file?.isRemoved ? { status: 410, code: "FILE_EXPIRED" } : this.refusals.shift();
    const refusal = file ? removed : { status: 404, code: "NOT_FOUND" };
    if (!file || refusal) {
      refuse(response, refusal ?? { status: 404, code: "NOT_FOUND" });
      return;
    }
    const size = file.bytes.length;
    const from = ifRange === ETAG ? Number(/^bytes=(\d+)-$/.exec(range)?.[1] ?? 0) : 0;
    const part = from > 0 && { "content-range": `bytes ${from}-${size - 1}/${size}` };
    response.writeHead(from > 0 ? 206 : 200, { etag: ETAG, "content-length": size - from, ...part });
    response.flushHeaders();
    const reading = { file, at: from, response };
    this.#readings.add(reading);
    this.#give(reading);
  }

  #give(reading: Reading): void {
    const { file, at, response } = reading;
    if (file.stored <= at) return;
    response.write(file.bytes.subarray(at, file.stored));
    reading.at = file.stored;
    if (file.stored < file.bytes.length) return;
    response.end();
    this.#readings.delete(reading);
  }
}

function answerJson(response: ServerResponse, answer: object): void {
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(answer));
}

function refuse(response: ServerResponse, { status, code, reason, retryAfter }: Refusal): void {
  response.statusCode = status;
  if (retryAfter !== undefined) response.setHeader("retry-after", retryAfter);
  answerJson(response, { code, reason, message: "The server's words." });
}
