import { toBase64url, fromHex, toHex } from "#domain/bytes-as-text.ts";
import { wholeLink } from "#domain/seal/fragment.ts";
import { deriveContentKeys, keyedFingerprint, type ContentKeys } from "#domain/seal/keys.ts";
import { MAX_MANIFEST_BYTES, sealedManifestSize, sealManifest, type Manifest } from "#domain/seal/manifest.ts";
import type { ProtectionAtStart, SealAtStart, SealState } from "#domain/wire.ts";
import { ApiError } from "../api-error.ts";
import { UploadError } from "../errors.ts";
import type { Ports, SealingPorts } from "../ports.ts";
import { retryCall } from "../upload-step.ts";
import type { UploadOptions } from "../upload-types.ts";
import {
  type KeptLink,
  newSeal,
  wrapForLink,
  type HashPassword,
  type LinkSecrets,
  type PublicSeal,
} from "./link-keys.ts";
import { editManifest, putManifest, readManifest } from "./manifest-on-server.ts";

/** Placeholders with the length of real sums, to compute a manifest's final size. */
const SUMS = { sha256: "0".repeat(64), crc32: "0".repeat(8) };

interface StartedSeal {
  uploadId: string;
  downloadId: string;
  shareUrl: string;
  seal?: SealState;
}

/** The keys, the link and the manifest of a sealed upload, from its start to its end. */
export class UploadSeal {
  readonly #ports: Ports & SealingPorts;
  readonly #options: UploadOptions;
  readonly #signal: AbortSignal;
  /** The link that this device has kept, if an earlier session sent some of the files. */
  #kept: KeptLink | null = null;
  #secrets: LinkSecrets | null = null;
  #keys: ContentKeys | null = null;
  #manifest: Manifest | null = null;
  #fingerprint: string | null = null;
  #userId: string | null = null;
  #started: StartedSeal | null = null;
  #revision = 0;
  #keyedFingerprint: string | null = null;
  /** Writes the kept link's changes in order. */
  #writing: Promise<unknown> = Promise.resolve();

  constructor(ports: Ports & SealingPorts, options: UploadOptions, signal: AbortSignal) {
    this.#ports = ports;
    this.#options = options;
    this.#signal = signal;
  }

  /** The content keys. @throws TypeError before `prepare` */
  get keys(): ContentKeys {
    if (!this.#keys) throw new TypeError("the upload has no keys yet");
    return this.#keys;
  }

  /** The fingerprint by which the server knows the upload. */
  get fingerprint(): string | null {
    return this.#keyedFingerprint;
  }

  get hasBegun(): boolean {
    return this.#started !== null;
  }

  /** The link that this device kept in an earlier session. */
  get kept(): KeptLink | null {
    return this.#kept;
  }

  /**
   * @param fingerprint of the plain files, in hexadecimal; null if hashing is impossible
   * @param manifest the first manifest
   * @param known the server's fingerprint of the unfinished upload to resume, whatever its files
   * @throws ApiError; UploadError for too many files, or for an unfinished upload whose keys are not kept here
   */
  async prepare(
    fingerprint: string | null,
    manifest: Manifest,
    known?: string,
  ): Promise<{ fingerprint: string | null; seal: SealAtStart; guards?: ProtectionAtStart }> {
    const { guards: { password, ...guards } = {}, goesOnWith } = this.#options;
    this.refuseTooMany(manifest);
    const { calls, links, hashPassword } = this.#ports;
    const me = await retryCall(this.#ports, "session", () => calls.me(), this.#signal);
    this.#userId = me?.id ?? null;
    if (goesOnWith !== undefined) {
      this.#kept = await links.find(goesOnWith);
      if (!this.#kept) throw cannotGoOn();
    } else if (fingerprint !== null) this.#kept = await links.findUnfinished(fingerprint, this.#userId);
    const { secrets, seal, keys } = this.#kept
      ? await sealAgain(hashPassword, this.#kept, password)
      : await newSeal(hashPassword, password);
    this.#secrets = secrets;
    this.#keys = keys;
    this.#manifest = manifest;
    this.#fingerprint = fingerprint ?? this.#kept?.fingerprint ?? null;
    this.#keyedFingerprint = known ?? null;
    if (known === undefined && fingerprint !== null)
      this.#keyedFingerprint = toHex((await keyedFingerprint(keys, fromHex(fingerprint))).buffer);
    const body = toBase64url(await sealManifest(keys, 0, manifest));
    return { fingerprint: this.#keyedFingerprint, seal: { ...seal, manifest: body }, guards };
  }

  /** @returns the whole link @throws UploadError if the upload's keys or password are unknown here */
  begin(start: StartedSeal): string {
    if (!this.#secrets || !this.#manifest) throw new TypeError("the upload was not prepared");
    const { salt, kdf, revision = 0 } = start.seal ?? {};
    // Another device has started the upload, and the server keeps that device's seal.
    if (salt !== undefined && salt !== toBase64url(this.#secrets.salt)) throw cannotGoOn();
    const kept = this.#kept?.downloadId === start.downloadId ? this.#kept : null;
    if (!kept && this.#kept?.hasPassword && !this.#secrets.hasPassword) {
      this.#ports.calls.cancelUpload(start.downloadId).catch(() => undefined);
      throw cannotGoOn();
    }
    this.#started = start;
    this.#revision = revision;
    if (kept) {
      this.#secrets = { ...kept, hasPassword: kdf !== undefined };
      this.#manifest = kept.manifest;
      this.#change({ fingerprint: this.#fingerprint });
    } else this.#keep(start, this.#secrets, this.#manifest);
    return this.linkOf(start.shareUrl);
  }

  linkOf(shareUrl: string): string {
    return this.#secrets ? wholeLink(shareUrl, this.#secrets) : shareUrl;
  }

  /** Stores only the fields needed to resume, because another page may have changed the other fields. */
  keep(manifest: Manifest, others: Pick<KeptLink, "removed"> = {}): void {
    this.#change({ manifest, fingerprint: this.#fingerprint, revision: this.#revision, ...others });
  }

  /** Sends the next manifest to the server. @throws as `retryUploadStep`; UploadError for too many files */
  async put(manifest: Manifest, others: Pick<KeptLink, "removed"> = {}, signal = this.#signal): Promise<void> {
    this.refuseTooMany(manifest);
    const { calls } = this.#ports;
    const { uploadId } = this.#started ?? {};
    const secrets = this.#secrets;
    if (uploadId === undefined || !secrets) return;
    const send = async () => {
      this.#revision = await putManifest(calls, { uploadId, secrets, manifest, after: this.#revision, signal });
    };
    await retryCall(this.#ports, "manifest", send, signal);
    this.keep(manifest, others);
  }

  /**
   * Edits the manifest of a finished upload, which others may have edited.
   * @param own this device's manifest, edited if the server's cannot be read @throws ApiError, SealError
   */
  async edit(edit: (manifest: Manifest) => Manifest, own: Manifest): Promise<void> {
    const { uploadId, downloadId } = this.#started ?? {};
    if (uploadId === undefined || downloadId === undefined || !this.#secrets) return;
    const { calls, links } = this.#ports;
    const link = (await links.find(downloadId)) ?? { ...this.#secrets, uploadId, downloadId };
    try {
      const edited = await editManifest(calls, link, edit);
      if (edited) await links.change(downloadId, edited);
    } catch (error) {
      // The password was changed elsewhere, so the server's manifest cannot be read here.
      if (!isWrongAccess(error)) throw error;
      await this.put(own, {}, new AbortController().signal);
    }
  }

  /**
   * Reads an unfinished upload's manifest from the server, and returns it with the manifest that this device has kept.
   * @throws ApiError, SealError; UploadError if the password was changed elsewhere, since files may have been added,
   * too
   */
  async readNewest(): Promise<Pick<KeptLink, "manifest" | "removed"> & { newest: Manifest }> {
    const kept = this.#kept;
    if (!kept) throw new TypeError("no keys of this upload are kept");
    try {
      const { calls } = this.#ports;
      const ask = () => readManifest(calls, kept);
      const read = await retryCall(this.#ports, "manifest", ask, this.#signal);
      this.#revision = Math.max(this.#revision, read.revision);
      return { ...kept, newest: read.manifest };
    } catch (error) {
      if (!isWrongAccess(error)) throw error;
      if (kept.revision === this.#revision) return { ...kept, newest: kept.manifest };
      this.#change({ isOutdated: true });
      throw new UploadError({ code: "pasteLinkAgain" }, { cause: error });
    }
  }

  /** Notes that the server has finished the upload. */
  end(expiresAt: string | null): void {
    this.#fingerprint = null;
    this.#change({ fingerprint: null, expiresAt: expiresAt === null ? null : Date.parse(expiresAt) });
  }

  /** @throws UploadError if the final manifest would be longer than readers accept */
  refuseTooMany(manifest: Manifest): void {
    const whole = { ...manifest, final: true, files: manifest.files.map((file) => ({ ...file, ...SUMS })) };
    if (sealedManifestSize(whole) <= MAX_MANIFEST_BYTES) return;
    const { length: count } = manifest.files;
    throw new UploadError({ code: "tooManyToEncrypt", count });
  }

  forget(): void {
    const { downloadId } = this.#started ?? {};
    if (downloadId !== undefined) this.#inLine(() => this.#ports.links.forget(downloadId));
  }

  #keep({ uploadId, downloadId }: StartedSeal, secrets: LinkSecrets, manifest: Manifest): void {
    const link = { ...secrets, uploadId, downloadId, userId: this.#userId, manifest, revision: this.#revision };
    this.#inLine(() => this.#ports.links.keep({ ...link, fingerprint: this.#fingerprint, expiresAt: null }));
  }

  #change(change: Partial<KeptLink>): void {
    const { downloadId } = this.#started ?? {};
    if (downloadId !== undefined) this.#inLine(() => this.#ports.links.change(downloadId, change));
  }

  /** The upload does not await the writing, because a browser's storage may wait for the person's permission. */
  #inLine(write: () => Promise<unknown>): void {
    this.#writing = this.#writing.then(write).catch(() => undefined);
  }
}

function isWrongAccess(error: unknown): boolean {
  return error instanceof ApiError && error.status === 403;
}

function cannotGoOn(): UploadError {
  return new UploadError({ code: "cannotGoOn" });
}

/**
 * Seals files with their kept link's secret. If the server has forgotten the upload, a new upload gets this password.
 */
async function sealAgain(hashPassword: HashPassword, kept: KeptLink, password: string | undefined) {
  const { linkSecret, secret, salt } = kept;
  const keys = await deriveContentKeys(secret, salt);
  const { access, ...wrapped } = await wrapForLink(hashPassword, kept, password);
  const secrets: LinkSecrets = { linkSecret, secret, salt, access, hasPassword: wrapped.kdf !== undefined };
  const seal: PublicSeal = { v: 1, salt: toBase64url(salt), commitment: toBase64url(keys.commitment), ...wrapped };
  return { secrets, seal, keys };
}
