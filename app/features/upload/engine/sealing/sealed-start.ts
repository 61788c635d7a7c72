import { api } from "#app/lib/api.ts";
import {
  changeKeptLink,
  findKeptLink,
  findUnfinishedLink,
  forgetLink,
  keepLink,
  type KeptLink,
} from "#app/lib/sealing/kept-links.ts";
import { newSeal, wrapForLink, type LinkSecrets, type PublicSeal } from "#app/lib/sealing/link-keys.ts";
import { putManifest } from "#app/lib/sealing/manifest-on-server.ts";
import { wholeLink } from "#app/lib/sealing/whole-link.ts";
import { toBase64url } from "#domain/base64url.ts";
import { fromHex, toHex } from "#domain/hex.ts";
import { deriveContentKeys, keyedFingerprint, type ContentKeys } from "#domain/seal/keys.ts";
import { MAX_MANIFEST_BYTES, sealedManifestSize, sealManifest, type Manifest } from "#domain/seal/manifest.ts";
import type { GuardsAtStart, SealAtStart } from "#domain/wire.ts";
import { UploadError } from "../errors.ts";
import { retryUploadStep } from "../retry.ts";
import { isRetryableCall } from "../upload-step.ts";
import type { UploadOptions } from "../upload-types.ts";

/** Sums have these lengths, whatever the file. */
const SUMS = { sha256: "0".repeat(64), crc32: "0".repeat(8) };

interface StartedSeal {
  uploadId: string;
  downloadId: string;
  shareUrl: string;
  seal?: { revision: number };
}

/** The keys, the link and the manifest of a sealed upload, from its start to its end. */
export class SealedStart {
  readonly #options: UploadOptions;
  readonly #signal: AbortSignal;
  /** Kept by this browser, when the files were sent in part before. */
  #kept: KeptLink | null = null;
  #secrets: LinkSecrets | null = null;
  #keys: ContentKeys | null = null;
  #manifest: Manifest | null = null;
  #fingerprint: string | null = null;
  #userId: string | null = null;
  #started: StartedSeal | null = null;
  #revision = 0;
  #keyedFingerprint: string | null = null;
  #expiresAt: number | null = null;

  constructor(options: UploadOptions, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
  }

  /** Of the transfer as it is; another one may go on after `begin`. */
  get keys(): ContentKeys {
    if (!this.#keys) throw new TypeError("the upload has no keys yet");
    return this.#keys;
  }

  /** As the server knows it. */
  get fingerprint(): string | null {
    return this.#keyedFingerprint;
  }

  get hasBegun(): boolean {
    return this.#started !== null;
  }

  /** What this browser kept of an earlier try. */
  get kept(): KeptLink | null {
    return this.#kept;
  }

  /**
   * @param fingerprint of the plain files, in hexadecimal; null where the browser cannot hash
   * @param manifest the first one @param known what the server knows the unfinished upload by, whatever the files
   * @throws UploadError for too many files
   */
  async prepare(
    fingerprint: string | null,
    manifest: Manifest,
    known?: string,
  ): Promise<{ fingerprint: string | null; seal: SealAtStart; guards?: GuardsAtStart }> {
    const { guards: { password, ...guards } = {}, goesOnWith } = this.#options;
    this.refuseTooMany(manifest);
    this.#userId = (await api.me().catch(() => null))?.id ?? null;
    if (goesOnWith !== undefined) this.#kept = await findKeptLink(goesOnWith);
    else if (fingerprint !== null) this.#kept = await findUnfinishedLink(fingerprint, this.#userId);
    const { secrets, seal, keys } = this.#kept ? await sealAgain(this.#kept, password) : await newSeal(password);
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

  /** @returns the whole link @throws UploadError when the server has forgotten the upload, and nobody knows its password */
  async begin(start: StartedSeal): Promise<string> {
    const goesOn = this.#kept?.downloadId === start.downloadId;
    if (!goesOn && this.#kept?.hasPassword && !this.#secrets?.hasPassword) {
      api.cancelUpload(start.downloadId).catch(() => undefined);
      throw new UploadError((t) => t("cannotGoOn"));
    }
    this.#started = start;
    this.#revision = start.seal?.revision ?? 0;
    // The server keeps the seal that the upload was started with.
    if (goesOn) this.#secrets = this.#kept;
    if (!this.#secrets || !this.#manifest) throw new TypeError("the upload was not prepared");
    await this.keep(goesOn && this.#kept ? this.#kept.manifest : this.#manifest);
    // Not awaited: some browsers ask the person.
    navigator.storage.persist().catch(() => undefined);
    return this.linkOf(start.shareUrl);
  }

  linkOf(shareUrl: string): string {
    return this.#secrets ? wholeLink(shareUrl, this.#secrets) : shareUrl;
  }

  /** Keeps what this browser has to know to go on. */
  async keep(manifest: Manifest, others: Partial<KeptLink> = {}): Promise<void> {
    this.#manifest = manifest;
    if (!this.#started || !this.#secrets) return;
    const { uploadId, downloadId } = this.#started;
    const link = { ...this.#secrets, uploadId, downloadId, userId: this.#userId, manifest };
    const { removed } = this.#kept ?? {};
    const kept = { ...link, fingerprint: this.#fingerprint, expiresAt: this.#expiresAt, removed, ...others };
    try {
      await keepLink(kept);
    } catch {
      // The link works, and this browser cannot show it again.
    }
  }

  /** Tells the server the next manifest. @throws as `retryUploadStep`; UploadError for too many files */
  async put(manifest: Manifest, others: Partial<KeptLink> = {}, signal = this.#signal): Promise<void> {
    this.refuseTooMany(manifest);
    const { uploadId } = this.#started ?? {};
    const secrets = this.#secrets;
    if (uploadId === undefined || !secrets) return;
    const send = async () => {
      this.#revision = await putManifest(uploadId, secrets, manifest, this.#revision, signal);
    };
    await retryUploadStep("manifest", send, isRetryableCall, signal);
    await this.keep(manifest, others);
  }

  /** The server has finished the upload. */
  async end(expiresAt: string | null): Promise<void> {
    const { downloadId = "" } = this.#started ?? {};
    this.#fingerprint = null;
    this.#expiresAt = expiresAt === null ? null : Date.parse(expiresAt);
    await changeKeptLink(downloadId, { fingerprint: null, expiresAt: this.#expiresAt }).catch(() => undefined);
  }

  /** @throws UploadError when the final manifest would be longer than readers take */
  refuseTooMany(manifest: Manifest): void {
    const whole = { ...manifest, final: true, files: manifest.files.map((file) => ({ ...file, ...SUMS })) };
    if (sealedManifestSize(whole) <= MAX_MANIFEST_BYTES) return;
    const { length: count } = manifest.files;
    throw new UploadError((t) => t("tooManyToEncrypt", { count }));
  }

  forget(): void {
    if (this.#started) void forgetLink(this.#started.downloadId);
  }
}

/** The transfer's own secret stays; if the server has forgotten the upload, the link gets the password of this start. */
async function sealAgain(kept: KeptLink, password: string | undefined) {
  const { linkSecret, secret, salt } = kept;
  const keys = await deriveContentKeys(secret, salt);
  const { access, ...wrapped } = await wrapForLink(kept, password);
  const secrets: LinkSecrets = { linkSecret, secret, salt, access, hasPassword: wrapped.kdf !== undefined };
  const seal: PublicSeal = { v: 1, salt: toBase64url(salt), commitment: toBase64url(keys.commitment), ...wrapped };
  return { secrets, seal, keys };
}
