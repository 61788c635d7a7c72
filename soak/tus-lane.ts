import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { Upload, type HttpRequest, type HttpResponse } from "tus-js-client";
import { HEADER_NAMES } from "#domain/header-names.ts";
import { MIB, MINUTE_MS } from "#domain/units.ts";
import { CuttingProxy } from "#test/support/cutting-proxy.ts";
import type { Client } from "./client.ts";
import { Seeded, seededBytes } from "./seeded.ts";
import { compare, LossError, type FinishedFile, type SoakFile } from "./soaked-upload.ts";

const MAX_CUTS = 5;
const MAX_PROBLEMS = 20;

/** The waits before a request is repeated. A restart takes up to ten seconds; a minute of failures is a problem. */
const RETRY_DELAYS_MS = Array.from({ length: 120 }, (_, attempt) => Math.min(500, attempt * 50));

/** How long an upload whose last answer was lost may take to finish by itself. */
const FINISHES_WITHIN_MS = MINUTE_MS;

export interface TusTally {
  /** The number of lines that were cut or left half open. */
  cuts: number;
  /** The number of offsets that were asked for after a break, and compared with the acknowledged bytes. */
  offsets: number;
  /** The number of requests with a checksum. */
  checksums: number;
  finished: number;
  finishedBytes: number;
  problems: string[];
}

/** Sends one file after another with tus-js-client, each over a line of its own that breaks at random bytes. */
export class TusLane {
  readonly #server: string;
  readonly #key: string;
  readonly #seed: string;
  readonly #maxBytes: number;
  readonly #tally: TusTally;
  #begun = 0;
  #sent: { file: SoakFile; finished: FinishedFile }[] = [];
  #onProgress: () => void = () => undefined;

  /** @param server the server's origin @param key with the scope `upload` @param maxBytes of the largest file */
  constructor(server: string, key: string, seed: string, maxBytes: number, tally: TusTally) {
    this.#server = server;
    this.#key = key;
    this.#seed = seed;
    this.#maxBytes = maxBytes;
    this.#tally = tally;
  }

  /** Sends files until the proof is over, and then the last file to its end. @throws Error after 20 problems */
  async work(isOver: () => boolean): Promise<void> {
    do await this.#sendNext();
    while (!isOver());
  }

  /** Resolves when the next bytes of a file are on their way. */
  progress(): Promise<void> {
    return new Promise((resolve) => {
      this.#onProgress = resolve;
    });
  }

  /** Downloads the files that were sent since the last call. Call it while the server runs. */
  async compareSent(client: Client): Promise<void> {
    for (const { file, finished } of this.#sent.splice(0)) {
      try {
        await untilFinished(client, finished);
        await compare(client, file, finished);
        this.#tally.finished += 1;
        this.#tally.finishedBytes += file.bytes.byteLength;
        // Deleting the file saves disk space in long runs.
        await client.delete(`/api/files/${finished.uploadId}`);
      } catch (error) {
        this.#recordProblem(file, error);
      }
    }
  }

  async #sendNext(): Promise<void> {
    const name = `${this.#seed}-${this.#begun}.bin`;
    this.#begun += 1;
    const draw = new Seeded(name);
    const file = { name, bytes: seededBytes(name, draw.between(1, this.#maxBytes)) };
    const line = new CuttingProxy(this.#server);
    try {
      const origin = await line.listen();
      const cuts = Array.from({ length: draw.between(0, MAX_CUTS) }, () => ({
        offset: draw.between(0, file.bytes.byteLength - 1),
        kind: draw.between(0, 1) === 0 ? ("cut" as const) : ("half open" as const),
      }));
      line.cuts = cuts.toSorted((one, other) => one.offset - other.offset);
      this.#sent.push({ file, finished: await this.#send(file, origin, draw) });
      this.#tally.cuts += cuts.length - line.cuts.length;
    } catch (error) {
      this.#recordProblem(file, error);
    } finally {
      line.close();
    }
  }

  async #send(file: SoakFile, origin: string, draw: Seeded): Promise<FinishedFile> {
    const hasChecksums = draw.between(0, 1) === 0;
    // A broken request with a checksum loses all of its bytes, so small requests get further between kills.
    const chunkSize = hasChecksums ? draw.between(MIB, 4 * MIB) : draw.between(MIB, 16 * MIB);
    const followed = new FollowedUpload(this.#tally);
    const bytes = await buffer(Readable.from([file.bytes]));
    return new Promise((resolve, reject) => {
      const upload = new Upload(bytes, {
        endpoint: `${origin}/api/v1/tus`,
        headers: { Authorization: `Bearer ${this.#key}` },
        metadata: { filename: file.name },
        chunkSize,
        retryDelays: RETRY_DELAYS_MS,
        onShouldRetry: ({ originalResponse }) => {
          const status = originalResponse?.getStatus() ?? 0;
          return status === 0 || status === 409 || status >= 500;
        },
        onBeforeRequest: (request) => {
          if (hasChecksums && request.getMethod() === "PATCH") this.#addChecksum(request, file, chunkSize);
        },
        onAfterResponse: (request, response) => {
          const loss = followed.read(request, response);
          if (!loss) return;
          void upload.abort();
          reject(loss);
        },
        onUploadUrlAvailable: () => {
          // The address that the server gives would lead past the line.
          upload.url = upload.url?.replace(this.#server, origin) ?? null;
        },
        onProgress: () => {
          this.#onProgress();
        },
        onError: reject,
        onSuccess: () => {
          resolve(followed.finished());
        },
      });
      upload.start();
    });
  }

  #addChecksum(request: HttpRequest, { bytes }: SoakFile, chunkSize: number): void {
    const offset = Number(request.getHeader("Upload-Offset"));
    const digest = createHash("sha256").update(bytes.subarray(offset, offset + chunkSize));
    request.setHeader("Upload-Checksum", `sha256 ${digest.digest("base64")}`);
    this.#tally.checksums += 1;
  }

  #recordProblem({ name }: SoakFile, error: unknown): void {
    const { problems } = this.#tally;
    problems.push(`${name}: ${String(error)}`);
    if (problems.length > MAX_PROBLEMS) throw new Error(problems.join("\n"));
  }
}

/** The server's answers about one upload. */
class FollowedUpload {
  readonly #tally: TusTally;
  #started: FinishedFile | null = null;
  #acknowledged = 0;

  constructor(tally: TusTally) {
    this.#tally = tally;
  }

  /** @returns an error when something is gone that was acknowledged */
  read(request: HttpRequest, response: HttpResponse): LossError | null {
    const [method, status] = [request.getMethod(), response.getStatus()];
    if (status >= 500 || status === 409) return null;
    if (status >= 400) return new LossError(`${method} answered ${status}: ${response.getBody()}`);
    if (method === "POST" && this.#started) return new LossError("the upload had to begin anew");
    if (method === "POST") this.#started = idsIn(response);
    if (method === "HEAD") this.#tally.offsets += 1;
    const [before, offset] = [this.#acknowledged, Number(response.getHeader("Upload-Offset"))];
    this.#acknowledged = offset;
    return offset < before ? new LossError(`it had ${before} bytes, and now ${offset}`) : null;
  }

  /** @throws Error for an upload that was not started */
  finished(): FinishedFile {
    if (!this.#started) throw new Error("the upload was not started");
    return this.#started;
  }
}

function idsIn(response: HttpResponse): FinishedFile {
  const uploadId = response.getHeader("Location")?.split("/").at(-2) ?? "";
  const downloadId = response.getHeader(HEADER_NAMES.link)?.split("/").at(-1) ?? "";
  return { uploadId, downloadId };
}

/** Waits for an upload whose bytes have all arrived, and whose last answer may have been lost. */
async function untilFinished(client: Client, { downloadId }: FinishedFile): Promise<void> {
  const deadline = Date.now() + FINISHES_WITHIN_MS;
  const isUploading = async () =>
    (await client.get<{ status: string }>(`/api/files/download/${downloadId}`)).status === "uploading";
  while (Date.now() < deadline && (await isUploading())) await wait(500);
}
