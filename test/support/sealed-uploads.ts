import { fromBase64url, toBase64url } from "#domain/bytes-as-text.ts";
import { randomBytes, unwrapSecret, type Bytes } from "#domain/seal/keys.ts";
import { openManifest, sealManifest, type Manifest, type ManifestFile } from "#domain/seal/manifest.ts";
import { markOf } from "#domain/seal/marks.ts";
import { KDF_COST } from "#domain/seal/password.ts";
import { deriveStreamKeys, openRecords } from "#domain/seal/records.ts";
import { NONCE_BYTES, RECORD_BYTES } from "#domain/seal/sizes.ts";
import type { OpenedSeal, SealAtStart, UnlockSealedAnswer } from "#domain/wire.ts";
import type { Recipient } from "./recipient.ts";
import { newSender, sealStream, type Sender } from "./seal/sealed-files.ts";
import { putIncoming, type Client, type SentFile } from "./worker.ts";

export const SEALED_FILE = { filename: "sealed", fileType: "application/octet-stream", lastModified: null };

/** A file as its sender sees it. */
export interface PlainFile {
  name: string;
  type: string;
  bytes: Bytes;
}

export const SECRET_FILE: PlainFile = {
  name: "the merger.pdf",
  type: "application/pdf",
  bytes: new Uint8Array(new TextEncoder().encode("nobody may know")),
};

/** @param isFinal with sums */
export function manifestOf(files: PlainFile[], isFinal: boolean, words: Partial<Manifest> = {}): Manifest {
  const list = files.map(({ name, type, bytes }, stream): ManifestFile => ({
    name,
    type,
    size: bytes.length,
    mtime: 1_700_000_000_000,
    stream,
    at: 0,
    ...(isFinal && { sha256: "ab".repeat(32), crc32: "0badcafe" }),
  }));
  return { final: isFinal, files: list, ...words };
}

/** What a browser has that makes a sealed link. @param isLocked with a password */
export async function newSeal(isLocked = false): Promise<Sender & { isLocked: boolean }> {
  // As long as Argon2id's output: the server sees neither the password nor its hash.
  return { ...(await newSender(isLocked ? randomBytes(32) : new Uint8Array())), isLocked };
}

export type Sealer = Awaited<ReturnType<typeof newSeal>>;

export const newKdf = () => ({ ...KDF_COST, salt: toBase64url(randomBytes(16)) });

export const accessHashOf = async ({ link }: Pick<Sender, "link">) =>
  toBase64url(new Uint8Array(await crypto.subtle.digest("SHA-256", link.access)));

/** The field `seal` of a start. */
export async function sealAtStart(sealer: Sealer, manifest: Manifest): Promise<SealAtStart> {
  return {
    v: 1,
    salt: toBase64url(sealer.salt),
    wrap: toBase64url(sealer.wrap),
    commitment: toBase64url(sealer.keys.commitment),
    accessHash: await accessHashOf(sealer),
    manifest: toBase64url(await sealManifest(sealer.keys, 0, manifest)),
    ...(sealer.isLocked && { kdf: newKdf() }),
  };
}

export async function manifestBody(sealer: Sealer, revision: number, manifest: Manifest) {
  return { revision, final: manifest.final, body: toBase64url(await sealManifest(sealer.keys, revision, manifest)) };
}

export async function putManifest(
  owner: Client,
  id: string,
  sealer: Sealer,
  revision: number,
  manifest: Manifest,
): Promise<Response> {
  return owner.put(`/api/files/${id}/manifest`, await manifestBody(sealer, revision, manifest));
}

export async function sealedBytes({ keys }: Sender, plaintext: Bytes, stream = 0): Promise<Bytes> {
  return (await sealStream(keys, stream, plaintext)).sealed;
}

/** The mark of a stretch of whole records. */
export function markOfBytes({ keys }: Sender, stream: number, part: number, sealed: Uint8Array): Promise<string> {
  const nonces: number[] = [];
  for (let at = 0; at < sealed.length; at += RECORD_BYTES) nonces.push(...sealed.subarray(at, at + NONCE_BYTES));
  return markOf(keys, stream, part, new Uint8Array(nonces));
}

/** Sends a small sealed file. */
export async function sendSealed(
  owner: Client,
  {
    file = SECRET_FILE,
    isLocked = false,
    ...more
  }: { file?: PlainFile; isLocked?: boolean; [field: string]: unknown } = {},
): Promise<SentFile & { sealer: Sealer; seal: SealAtStart }> {
  const sealer = await newSeal(isLocked);
  const seal = await sealAtStart(sealer, manifestOf([file], false));
  const bytes = await sealedBytes(sealer, file.bytes);
  const { uploadId, downloadId } = await owner.startUpload(bytes.length, { ...SEALED_FILE, seal, ...more });
  await putIncoming(uploadId, bytes);
  await requireOk(putManifest(owner, uploadId, sealer, 1, manifestOf([file], true)));
  await requireOk(owner.complete(downloadId));
  return { uploadId, downloadId, sealer, seal };
}

export async function requireOk(answer: Promise<Response>): Promise<Response> {
  const response = await answer;
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return response;
}

export function unlockWith(recipient: Recipient | Client, downloadId: string, access: Bytes): Promise<Response> {
  return recipient.post(`/api/files/download/${downloadId}/unlock`, { access: toBase64url(access) });
}

export async function unlockSealed(
  recipient: Recipient | Client,
  downloadId: string,
  { link }: Pick<Sender, "link">,
): Promise<UnlockSealedAnswer> {
  return (await requireOk(unlockWith(recipient, downloadId, link.access))).json();
}

const bytesOf = (text: string) => fromBase64url(text) ?? new Uint8Array();

/** What a recipient with the whole link reads from an answer of `unlock`. */
export async function openSeal({ link }: Pick<Sender, "link">, opened: OpenedSeal) {
  const { wrap, salt, commitment, manifest, revision } = opened;
  const { keys } = await unwrapSecret(bytesOf(wrap), link, bytesOf(salt), bytesOf(commitment));
  return { keys, manifest: await openManifest(keys, revision, bytesOf(manifest)) };
}

export async function openStream(sender: Pick<Sender, "keys">, stream: number, size: number, sealed: Bytes) {
  const keys = await deriveStreamKeys(sender.keys, stream, size);
  return openRecords(keys, 0, sealed);
}
