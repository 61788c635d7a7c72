import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { argon2id } from "hash-wasm";
import { toBase64url } from "#domain/bytes-as-text.ts";
import { writeFragment } from "#domain/seal/fragment.ts";
import { concat, type Bytes } from "#domain/seal/keys.ts";
import { sealManifest, type Manifest, type ManifestFile } from "#domain/seal/manifest.ts";
import { markOf } from "#domain/seal/marks.ts";
import type { Kdf } from "#domain/seal/password.ts";
import { NONCE_BYTES, RECORD_BYTES } from "#domain/seal/sizes.ts";
import { toRunsInOrder } from "#domain/transfers/runs.ts";
import type { StartTransferAnswer, StartUploadAnswer, TransferBatchAnswer } from "#domain/wire.ts";
import { newSender, plainBytes, sealStream, type Sender } from "./sealed-files.ts";

const OCTETS = "application/octet-stream";

export interface PlainFile {
  name: string;
  bytes: Bytes;
}

export interface SealedLink {
  /** With its key. */
  link: string;
  downloadId: string;
  uploadId: string;
  sender: Sender;
}

/** A file of several parts that is being uploaded. */
export interface RunningFile extends SealedLink {
  partCount: number;
  /** Sends parts, from 1. They are stored when this returns. */
  send(...parts: number[]): Promise<void>;
  /** Sends the final list, and completes the upload. @param sha256 in place of the right one */
  end(sha256?: string): Promise<void>;
  cancel(): Promise<void>;
  /** Reports part 1 as one of another state of the file, which ends the upload. */
  change(): Promise<void>;
}

interface Choice {
  /** Argon2id of the password, and how it was computed. */
  password?: { hash: Bytes; kdf: Kdf };
  maxDownloads?: number;
  /** Leaves the transfer unfinished. */
  isUnfinished?: boolean;
  title?: string;
  /** Leaves this file out of the final list. */
  unlisted?: number;
}

/** A person who sends encrypted files through the API, as the pages do. */
export class SealingClient {
  readonly #origin: string;
  readonly #cookie: string;

  private constructor(origin: string, cookie: string) {
    this.#origin = origin;
    this.#cookie = cookie;
  }

  static async signUp(origin: string): Promise<SealingClient> {
    const person = { email: `${crypto.randomUUID()}@example.com`, password: "a good password" };
    const headers = { "content-type": "application/json", origin };
    const answer = await fetch(`${origin}/api/auth/register`, {
      method: "POST",
      headers,
      body: JSON.stringify(person),
    });
    const [cookie = ""] = answer.headers.getSetCookie()[0]?.split(";") ?? [];
    return new SealingClient(origin, cookie);
  }

  /** A single file of at most 16 MiB. */
  async sendFile(file: PlainFile, choice: Choice = {}): Promise<SealedLink> {
    const sender = await newSender(choice.password?.hash);
    const { sealed, nonces } = await sealStream(sender.keys, 0, file.bytes);
    const started = await this.#post<StartUploadAnswer>("/api/direct-upload/presigned-url", {
      filename: "sealed",
      fileType: OCTETS,
      fileSize: sealed.length,
      expiration: "1d",
      ...(await startOf(sender, choice, [describe(file, 0)])),
    });
    const link = linkOf(this.#origin, started, sender, choice);
    const etag = await put(started.presignedUrl, sealed, started.fileData.contentType);
    if (choice.isUnfinished) return link;
    await this.sendManifest(link, 1, { final: true, files: [describe(file, 0)] });
    const receipts = [{ part: 1, etag, mark: await markOf(sender.keys, 0, 1, nonces) }];
    await this.#post("/api/direct-upload/complete", { downloadId: link.downloadId, receipts });
    return link;
  }

  /** Announces a single file of several parts, and sends none. */
  async startFile(file: PlainFile, choice: Choice = {}): Promise<RunningFile> {
    const sender = await newSender(choice.password?.hash);
    const { sealed } = await sealStream(sender.keys, 0, file.bytes);
    const listed = describe(file, 0);
    const { sha256: _sha256, crc32: _crc32, ...announced } = listed;
    const started = await this.#post<StartUploadAnswer>("/api/direct-upload/presigned-url", {
      filename: "sealed",
      fileType: OCTETS,
      fileSize: sealed.length,
      expiration: "1d",
      ...(await startOf(sender, choice, [announced])),
    });
    const { partSizeBytes = sealed.length, partCount = 1 } = started.multipart ?? {};
    const link = linkOf(this.#origin, started, sender, choice);
    const { downloadId } = link;
    const sign = (parts: number[], receipts: object[]) =>
      this.#post<{ urls: { part: number; url: string }[] }>("/api/direct-upload/sign-parts", {
        downloadId,
        parts,
        receipts,
      });
    const sendPart = async (part: number, url: string) => {
      const records = sealed.subarray((part - 1) * partSizeBytes, part * partSizeBytes);
      const mark = await markOf(sender.keys, 0, part, noncesOf(records));
      return { part, etag: await put(url, records, OCTETS), mark };
    };
    return {
      ...link,
      partCount,
      send: async (...parts) => {
        const { urls } = await sign(parts, []);
        await sign([], await Promise.all(urls.map(({ part, url }) => sendPart(part, url))));
      },
      end: async (sha256) => {
        const files = [{ ...listed, ...(sha256 !== undefined && { sha256 }) }];
        await this.sendManifest(link, 1, { final: true, files });
        await this.#post("/api/direct-upload/complete", { downloadId });
      },
      cancel: async () => {
        await this.#post("/api/direct-upload/cancel", { downloadId });
      },
      change: async () => {
        const mark = await markOf(sender.keys, 0, 1, noncesOf(sealed.subarray(partSizeBytes, 2 * partSizeBytes)));
        const sent = sign([], [{ part: 1, etag: "0".repeat(32), mark }]);
        await sent.then(
          () => {
            throw new Error("the server took another part 1");
          },
          () => undefined,
        );
      },
    };
  }

  /** A single file behind the password "pässword". */
  async sendLocked(file: PlainFile): Promise<SealedLink> {
    const salt = plainBytes(16, 8);
    const kdf: Kdf = { name: "argon2id", mKiB: 19_456, t: 2, p: 1, salt: toBase64url(salt) };
    const cost = { memorySize: 19_456, iterations: 2, parallelism: 1, hashLength: 32 };
    const hash = await argon2id({ password: "p\u00e4ssword", salt, ...cost, outputType: "binary" });
    return this.sendFile(file, { password: { hash: new Uint8Array(hash), kdf } });
  }

  /** All files in one pack: together at most 8 MiB. */
  async sendTransfer(files: readonly PlainFile[], choice: Choice = {}): Promise<SealedLink> {
    const sender = await newSender(choice.password?.hash);
    const streams = await Promise.all(files.map(({ bytes }, n) => sealStream(sender.keys, n, bytes)));
    const list = streams.map(({ sealed }, n) => [`sealed-${String(n).padStart(5, "0")}`, sealed.length, 0, ""]);
    const pack = concat(...streams.map(({ sealed }) => sealed));
    const described = files.map((file, n) => describe(file, n));
    const { title, unlisted } = choice;
    const started = await this.#post<StartTransferAnswer>("/api/transfers", {
      expiration: "1d",
      totals: { entries: files.length, bytes: pack.length },
      entries: { from: 0, list },
      open: [{ object: 0, runs: toRunsInOrder(files.map((_, n) => n)) }],
      ...(await startOf(sender, choice, described)),
    });
    const link = linkOf(this.#origin, started, sender, choice);
    const etag = await put(started.urls[0]?.url ?? "", pack, OCTETS);
    const marks = await Promise.all(
      streams.map(async ({ nonces }, n) => ({ n, mark: await markOf(sender.keys, n, 1, nonces) })),
    );
    const receipts = [{ object: 0, part: 1, etag, crc32: crc32Hex(pack), marks }];
    const path = `/api/transfers/${link.downloadId}`;
    let { stored } = await this.#post<TransferBatchAnswer>(`${path}/batch`, { receipts });
    while (stored.length === 0) ({ stored } = await this.#post<TransferBatchAnswer>(`${path}/batch`, {}));
    if (choice.isUnfinished) return link;
    const listed = described.filter(({ stream }) => stream !== unlisted);
    await this.sendManifest(link, 1, { final: true, files: listed, ...(title !== undefined && { title }) });
    await this.#post(`${path}/finish`, {});
    return link;
  }

  async sendManifest({ uploadId, sender }: SealedLink, revision: number, manifest: Manifest): Promise<void> {
    const body = toBase64url(await sealManifest(sender.keys, revision, manifest));
    await this.#send("PUT", `/api/files/${uploadId}/manifest`, { revision, final: manifest.final, body });
  }

  /** @param n of the entry */
  async removeFile({ uploadId }: SealedLink, n: number): Promise<void> {
    await this.#send("DELETE", `/api/files/${uploadId}/entries/${n}`);
  }

  #post<Answer>(path: string, body: object): Promise<Answer> {
    return this.#send("POST", path, body);
  }

  async #send<Answer>(method: string, path: string, body: object = {}): Promise<Answer> {
    const headers = { "content-type": "application/json", origin: this.#origin, cookie: this.#cookie };
    const response = await fetch(this.#origin + path, { method, headers, body: JSON.stringify(body) });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return JSON.parse(text) as Answer;
  }
}

/** The fields of every start. */
async function startOf({ keys, link, salt, wrap }: Sender, { maxDownloads, password }: Choice, files: ManifestFile[]) {
  const accessHash = new Uint8Array(await crypto.subtle.digest("SHA-256", link.access));
  return {
    ...(maxDownloads !== undefined && { guards: { maxDownloads } }),
    seal: {
      v: 1,
      salt: toBase64url(salt),
      wrap: toBase64url(wrap),
      commitment: toBase64url(keys.commitment),
      accessHash: toBase64url(accessHash),
      ...(password && { kdf: password.kdf }),
      manifest: toBase64url(await sealManifest(keys, 0, { final: false, files })),
    },
  };
}

/** One file a stream, as our pages send them. */
function describe({ name, bytes }: PlainFile, stream: number): ManifestFile {
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const facts = { name, type: OCTETS, size: bytes.length, mtime: Date.UTC(2026, 0, 31, 12), stream, at: 0 };
  return { ...facts, ...(!name.endsWith("/") && { sha256, crc32: crc32Hex(bytes) }) };
}

function noncesOf(records: Bytes): Bytes {
  const starts = Array.from({ length: Math.ceil(records.length / RECORD_BYTES) }, (_, index) => index * RECORD_BYTES);
  return concat(...starts.map((at) => records.subarray(at, at + NONCE_BYTES)));
}

function linkOf(
  origin: string,
  { downloadId, uploadId }: { downloadId: string; uploadId: string },
  sender: Sender,
  { password }: Choice,
): SealedLink {
  const fragment = writeFragment({ linkSecret: sender.linkSecret, hasPassword: password !== undefined });
  return { link: `${origin}/download/${downloadId}#${fragment}`, downloadId, uploadId, sender };
}

/** @returns the ETag without quotes */
async function put(url: string, body: Bytes, type: string): Promise<string> {
  const answer = await fetch(url, { method: "PUT", headers: { "content-type": type }, body });
  if (!answer.ok) throw new Error(`storage answered ${answer.status}`);
  return (answer.headers.get("etag") ?? "").replaceAll('"', "");
}

function crc32Hex(bytes: Bytes): string {
  return crc32(bytes).toString(16).padStart(8, "0");
}
