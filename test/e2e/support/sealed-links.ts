import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import type { APIRequestContext } from "@playwright/test";
import { argon2id } from "hash-wasm";
import { toBase64url } from "#domain/bytes-as-text.ts";
import { PART_CONTENT_TYPE } from "#domain/parts.ts";
import { writeFragment } from "#domain/seal/fragment.ts";
import { concat, deriveLinkKeys, randomBytes, wrapSecret, type Bytes } from "#domain/seal/keys.ts";
import { sealManifest, type Manifest, type ManifestFile } from "#domain/seal/manifest.ts";
import { markOf } from "#domain/seal/marks.ts";
import { sealedEntryName } from "#domain/seal/names.ts";
import { KDF_COST } from "#domain/seal/password.ts";
import { NONCE_BYTES, RECORD_BYTES } from "#domain/seal/sizes.ts";
import { toRunsInOrder } from "#domain/transfers/runs.ts";
import type {
  PutManifest,
  SealAtStart,
  StartTransferAnswer,
  StartUploadAnswer,
  TransferBatchAnswer,
} from "#domain/wire.ts";
import { newSender, recordsOfPart, sealStream, type Sender } from "#test/support/seal/sealed-files.ts";

/** What a test seals. Each inner list of files is one stream. */
export interface SealedShipment {
  streams: { name: string; type?: string; body: string | Bytes }[][];
  title?: string;
  message?: string;
  password?: string;
  maxDownloads?: number;
  /** Changes the stored bytes of a stream. */
  damage?: (sealed: Bytes, stream: number) => void;
}

export interface SealedUpload {
  downloadId: string;
  uploadId: string;
  sender: Sender;
  /** Behind `#`. */
  fragment: string;
  /** With the key. */
  link: string;
  manifest: Manifest;
  /** Sends the next list. */
  putManifest(manifest: Manifest): Promise<void>;
  /** Of a link that has one. */
  setPassword(password: string): Promise<void>;
}

const MODIFIED_MS = Date.UTC(2026, 0, 31, 12);

/** Sends one stream as a single file. */
export async function sealFile(request: APIRequestContext, shipment: SealedShipment): Promise<SealedUpload> {
  const { sender, seal, streams, finish } = await prepare(request, shipment);
  const sealed = streams[0] ?? new Uint8Array();
  const start = await post<StartUploadAnswer>(request, "/api/direct-upload/presigned-url", {
    filename: "sealed",
    fileType: "application/octet-stream",
    fileSize: sealed.length,
    expiration: "1d",
    seal,
    ...guardsOf(shipment),
  });
  const { downloadId, uploadId, multipart } = start;
  const partSizeBytes = multipart?.partSizeBytes ?? sealed.length;
  const receipts: { part: number; etag: string; mark: string }[] = [];
  for (const { part, url } of await allUrls(request, start)) {
    const etag = await putPart(url, sealed.subarray((part - 1) * partSizeBytes, part * partSizeBytes));
    receipts.push({ part, etag, mark: await markOfPart(sender, 0, part, sealed, partSizeBytes) });
  }
  return finish({ downloadId, uploadId }, async () => {
    await post(request, "/api/direct-upload/complete", { downloadId, receipts });
  });
}

async function allUrls(
  request: APIRequestContext,
  { downloadId, presignedUrl, urls, multipart }: StartUploadAnswer,
): Promise<{ part: number; url: string }[]> {
  if (!multipart) return [{ part: 1, url: presignedUrl }];
  const known = new Set(urls.map(({ part }) => part));
  const parts = Array.from({ length: multipart.partCount }, (_, index) => index + 1).filter((part) => !known.has(part));
  const more = await post<{ urls: { part: number; url: string }[] }>(request, "/api/direct-upload/sign-parts", {
    downloadId,
    parts,
    receipts: [],
  });
  return [...urls, ...more.urls];
}

export interface RunningTransfer extends SealedUpload {
  /** Sends these streams as a pack. They are stored when this returns. */
  send(...numbers: number[]): Promise<void>;
  /** Sends the final list and ends the transfer. @returns the list */
  end(): Promise<Manifest>;
}

/** Announces the streams as a transfer's entries, and sends none. */
export async function startSealedTransfer(
  request: APIRequestContext,
  shipment: SealedShipment,
): Promise<RunningTransfer> {
  const { sender, seal, streams, finish, announced } = await prepare(request, shipment);
  const list = streams.map((sealed, n) => [sealedEntryName(n), sealed.length, 0, ""]);
  const bytes = streams.reduce((sum, { length }) => sum + length, 0);
  const { downloadId, uploadId } = await post<StartTransferAnswer>(request, "/api/transfers", {
    expiration: "1d",
    totals: { entries: streams.length, bytes },
    entries: { from: 0, list },
    seal,
    ...guardsOf(shipment),
  });
  const path = `/api/transfers/${downloadId}`;
  const batch = (data: unknown) => post<TransferBatchAnswer>(request, `${path}/batch`, data);
  let object = -1;
  const send = async (...numbers: number[]) => {
    object += 1;
    const pack = concat(...numbers.map((n) => streams[n] ?? new Uint8Array()));
    const { urls } = await batch({ open: [{ object, runs: toRunsInOrder(numbers) }] });
    const etag = await putPart(urls[0]?.url ?? "", pack);
    const marks = await Promise.all(
      numbers.map(async (n) => ({ n, mark: await markOfPart(sender, n, 1, streams[n] ?? new Uint8Array()) })),
    );
    const isStored = ({ stored }: TransferBatchAnswer) =>
      stored.some(([first, count]) => first <= (numbers[0] ?? 0) && (numbers[0] ?? 0) < first + count);
    let answer = await batch({ receipts: [{ object, part: 1, etag, crc32: crcOf(pack), marks }] });
    while (!isStored(answer)) answer = await batch({});
  };
  const upload = await finish({ downloadId, uploadId }, null);
  return {
    ...upload,
    manifest: announced,
    send,
    end: async () => {
      await upload.putManifest(upload.manifest);
      await post(request, `${path}/finish`, {});
      return upload.manifest;
    },
  };
}

export async function sealTransfer(request: APIRequestContext, shipment: SealedShipment): Promise<SealedUpload> {
  const transfer = await startSealedTransfer(request, shipment);
  await transfer.send(...shipment.streams.keys());
  return { ...transfer, manifest: await transfer.end() };
}

async function prepare(request: APIRequestContext, shipment: SealedShipment) {
  const { kdf, hash } = await hashOf(shipment.password);
  const sender = await newSender(hash);
  const final: ManifestFile[] = [];
  const streams: Bytes[] = [];
  for (const [stream, files] of shipment.streams.entries()) {
    const bodies = files.map(({ body }) => (typeof body === "string" ? new TextEncoder().encode(body) : body));
    let at = 0;
    for (const [index, { name, type = "" }] of files.entries()) {
      const body = bodies[index] ?? new Uint8Array();
      const sums = { sha256: sha256(body, "hex"), crc32: crcOf(body) };
      const isFolder = name.endsWith("/");
      final.push({ name, type, size: body.length, mtime: MODIFIED_MS, stream, at, ...(isFolder ? {} : sums) });
      at += body.length;
    }
    const { sealed } = await sealStream(sender.keys, stream, concat(...bodies));
    shipment.damage?.(sealed, stream);
    streams.push(sealed);
  }
  const { title, message } = shipment;
  const words = { ...(title !== undefined && { title }), ...(message !== undefined && { message }) };
  const announced: Manifest = {
    final: false,
    ...words,
    files: final.map(({ sha256: _sha256, crc32: _crc32, ...file }) => file),
  };
  const manifest: Manifest = { final: true, ...words, files: final };
  const seal: SealAtStart = {
    v: 1,
    salt: toBase64url(sender.salt),
    wrap: toBase64url(sender.wrap),
    commitment: toBase64url(sender.keys.commitment),
    accessHash: sha256(sender.link.access, "base64url"),
    ...(kdf && { kdf }),
    manifest: toBase64url(await sealManifest(sender.keys, 0, announced)),
  };
  const fragment = writeFragment({ linkSecret: sender.linkSecret, hasPassword: kdf !== undefined });
  const finish = async (ids: { downloadId: string; uploadId: string }, complete: (() => Promise<void>) | null) => {
    let revision = 0;
    const putManifest = async (next: Manifest) => {
      revision += 1;
      const body = toBase64url(await sealManifest(sender.keys, revision, next));
      const response = await request.put(`/api/files/${ids.uploadId}/manifest`, {
        data: { revision, final: next.final, body } satisfies PutManifest,
      });
      if (!response.ok()) throw new Error(`the manifest answered ${response.status()}: ${await response.text()}`);
    };
    if (complete) {
      await putManifest(manifest);
      await complete();
    }
    const setPassword = async (password: string) => {
      const next = await hashOf(password);
      const linkKeys = await deriveLinkKeys(sender.linkSecret, next.hash ?? new Uint8Array(), sender.salt);
      const wrap = toBase64url(await wrapSecret(sender.secret, linkKeys));
      const guards = { wrap, accessHash: sha256(linkKeys.access, "base64url"), kdf: next.kdf };
      const response = await request.patch(`/api/files/${ids.uploadId}`, { data: { guards } });
      if (!response.ok()) throw new Error(`the change answered ${response.status()}: ${await response.text()}`);
    };
    const link = `/download/${ids.downloadId}#${fragment}`;
    return { ...ids, sender, fragment, link, manifest, putManifest, setPassword };
  };
  return { sender, seal, streams, announced, finish };
}

async function hashOf(password: string | undefined) {
  if (password === undefined) return { kdf: undefined, hash: undefined };
  const salt = randomBytes(16);
  const { mKiB: memorySize, t: iterations, p: parallelism } = KDF_COST;
  const cost = { memorySize, iterations, parallelism, hashLength: 32, outputType: "binary" } as const;
  const hash = await argon2id({ password: password.normalize("NFC"), salt, ...cost });
  return { kdf: { ...KDF_COST, salt: toBase64url(salt) }, hash: new Uint8Array(hash) };
}

function guardsOf({ maxDownloads }: SealedShipment) {
  return maxDownloads === undefined ? {} : { guards: { maxDownloads } };
}

function markOfPart({ keys }: Sender, stream: number, part: number, sealed: Bytes, partSizeBytes = sealed.length) {
  const { first, end } = recordsOfPart(sealed.length, part, partSizeBytes);
  const nonces = Array.from({ length: end - first }, (_, index) => {
    const at = (first + index) * RECORD_BYTES;
    return sealed.subarray(at, at + NONCE_BYTES);
  });
  return markOf(keys, stream, part, concat(...nonces));
}

async function putPart(url: string, body: Bytes): Promise<string> {
  const response = await fetch(url, { method: "PUT", headers: { "content-type": PART_CONTENT_TYPE }, body });
  if (!response.ok) throw new Error(`storage answered ${response.status}`);
  return (response.headers.get("etag") ?? "").replaceAll('"', "");
}

function sha256(bytes: Bytes, encoding: "hex" | "base64url"): string {
  return createHash("sha256").update(bytes).digest(encoding);
}

function crcOf(bytes: Bytes): string {
  return crc32(bytes).toString(16).padStart(8, "0");
}

async function post<Answer>(request: APIRequestContext, path: string, data: unknown): Promise<Answer> {
  const response = await request.post(path, { data });
  if (!response.ok()) throw new Error(`${path} answered ${response.status()}: ${await response.text()}`);
  return (await response.json()) as Answer;
}
