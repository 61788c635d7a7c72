import { pictureSourceOf, VIEW_FROM_BYTES } from "#domain/pictures/files.ts";
import { MAX_PICTURES, type PictureKind } from "#domain/pictures/limits.ts";
import type { ContentKeys } from "#domain/seal/keys.ts";
import { KIB, MIB, MINUTE_MS, SECOND_MS } from "#domain/units.ts";
import type { PictureInfo, StorePicturesAnswer } from "#domain/wire.ts";
import type { MadePicture, Ports } from "./ports.ts";
import { pause } from "./timing.ts";
import { sentBytesOf } from "./upload-source.ts";
import { backoffMs, isRetryableCall, type RetryPolicy, retryUploadStep } from "./upload-step.ts";
import type { PictureToSend, UploadEvents, UploadOptions } from "./upload-types.ts";

/** A form is sent when it has this many bytes. */
const FORM_BYTES = MIB;
/** A form with tiles is sent after this time at the latest, so that recipients soon see the first ones. */
const FORM_WAIT_MS = SECOND_MS;
/** Each form makes the wait for the next one longer by a tenth: 2,000 tiles in five minutes take about 70 forms. */
const LONGER_BY_FORM = 0.1;
/**
 * Until the upload is ready, pictures have at most this share of the upload's bytes. They may cost the upload 2 %
 * of its time, and the rest is for making them.
 */
const SHARE_OF_BYTES = 1 / 64;
/** The bytes of a usual tile. */
const TILE_BYTES = 24 * KIB;
/** While the upload waits for its files, making waits this long before it looks again. */
const LOOK_AGAIN_MS = 100;
/** How often a tile is sent whose file the server does not know yet, because it is announced at the same time. */
const MAX_UNKNOWN = 3;
/** Nobody waits for pictures, so they outlast breaks of several minutes. */
const RETRIES: RetryPolicy = { maxRetries: 30, waitMs: (retry) => backoffMs(retry, Math.random()) };
/** A form without an answer is sent again after this time. */
const FORM_TIMEOUT_MS = MINUTE_MS;

interface Job {
  n: number;
  file: File;
  kind: PictureKind;
}

interface Options {
  ports: Pick<Ports, "calls" | "load" | "online" | "pictures" | "warn">;
  /** How many numbers of files the server knows, or learns now. */
  count(): number;
  /** @returns null for a file that is not to be sent, or that this device does not have */
  fileOf(n: number): File | null;
  /** The bytes of the whole upload. */
  uploadBytes(): number;
  /** Whether the upload waits for the reading of its files, which making pictures would slow down. */
  waitsForFiles(): boolean;
  /** Called with each tile, for the page of the sender. */
  onTile: ((n: number, image: Blob) => void) | undefined;
}

/** All senders that may still send a picture. */
const senders = new Set<PictureSender>();

/**
 * Has small pictures of photographs and videos made, and sends them beside the originals: tiles of all files first, in
 * the order of their numbers, and views once the upload is ready. It never fails or delays the upload: a picture
 * that cannot be made is left out, and a refusal of the server ends the pictures alone.
 */
export class PictureSender {
  readonly #options: Options;
  readonly #abort = new AbortController();
  #downloadId = "";
  #keys: ContentKeys | null = null;
  /** The pictures that the server has, by number. */
  #known: ReadonlyMap<number, PictureInfo> = new Map();
  #isUploadReady = false;
  /** The next number of which a picture may be made. */
  readonly #next: Record<PictureKind, number> = { tile: 0, view: 0 };
  readonly #made: Record<PictureKind, number> = { tile: 0, view: 0 };
  readonly #withTile = new Set<number>();
  #making = 0;
  #changed = Promise.withResolvers<undefined>();
  #form: PictureToSend[] = [];
  #formBytes = 0;
  #isDue = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #forms = 0;
  #sending: Promise<void> | null = null;
  #collectedBytes = 0;
  /** How often the server did not know a file, by number. */
  readonly #unknown = new Map<number, number>();

  constructor(options: Options) {
    this.#options = options;
  }

  /**
   * Call it when the server has answered the start.
   * @param keys of a sealed upload @param known the pictures that the server has of a resumed upload, by number
   */
  begin(downloadId: string, keys: ContentKeys | null, known: ReadonlyMap<number, PictureInfo> = new Map()): void {
    const { calls, pictures } = this.#options.ports;
    if (pictures === null || calls.sendPictures === null || this.#abort.signal.aborted) return;
    this.#downloadId = downloadId;
    this.#keys = keys;
    this.#known = known;
    senders.add(this);
    const working = Array.from({ length: pictures.atOnce }, () => this.#work());
    void Promise.all(working).then(() => this.#leave());
  }

  /** Call it when files may have been added. Cheap enough to call often. */
  update(): void {
    if (this.#options.count() > this.#next.tile) this.#wake();
  }

  /** Call it when the upload is ready. Views follow. */
  finishUpload(): void {
    this.#isUploadReady = true;
    for (const sender of senders) sender.#wake();
  }

  /** Ends the pictures, because the upload was cancelled or has failed. */
  stop(): void {
    this.#abort.abort();
    clearTimeout(this.#timer);
    this.#leave();
  }

  #leave(): void {
    senders.delete(this);
    // Views of other uploads may have waited for this one.
    for (const sender of senders) sender.#wake();
    this.#wake();
  }

  #wake(): void {
    this.#changed.resolve(undefined);
    this.#changed = Promise.withResolvers();
  }

  /** Makes pictures until all are made, or the pictures have ended. */
  async #work(): Promise<void> {
    const { ports } = this.#options;
    const { signal } = this.#abort;
    try {
      for (;;) {
        const job = await this.#nextJob();
        if (!job) return;
        this.#making += 1;
        try {
          await this.#make(job);
        } finally {
          this.#making -= 1;
          this.#wake();
        }
      }
    } catch (error) {
      if (!signal.aborted) ports.warn(`Upload: no further pictures are made (${String(error)}).`);
      this.stop();
    }
  }

  /** @returns null when no further picture will be made */
  async #nextJob(): Promise<Job | null> {
    const { signal } = this.#abort;
    while (!signal.aborted) {
      if (!this.#isUploadReady && this.#options.waitsForFiles()) {
        await pause(LOOK_AGAIN_MS, signal);
        continue;
      }
      const { promise: changed } = this.#changed;
      const job = this.#take();
      if (job) return job;
      if (this.#making === 0) this.#sendRest();
      if (this.#isUploadReady && !this.#mustWait() && this.#making === 0) return null;
      await changed;
    }
    return null;
  }

  #take(): Job | null {
    const allowedBytes = this.#options.uploadBytes() * SHARE_OF_BYTES;
    if (!this.#isUploadReady && this.#collectedBytes + TILE_BYTES > allowedBytes) return null;
    return this.#nextOf("tile") ?? (this.#mustWait() ? null : this.#nextOf("view"));
  }

  /** Whether views wait for this upload, or for a later one. */
  #mustWait(): boolean {
    return !this.#isUploadReady || [...senders].some((sender) => !sender.#isUploadReady);
  }

  #nextOf(kind: PictureKind): Job | null {
    const { count, fileOf } = this.#options;
    while (this.#next[kind] < count() && this.#made[kind] < MAX_PICTURES) {
      const n = this.#next[kind];
      this.#next[kind] += 1;
      const file = fileOf(n);
      if (file && this.#isWorth(n, file, kind)) return { n, file, kind };
    }
    return null;
  }

  #isWorth(n: number, file: File, kind: PictureKind): boolean {
    const source = pictureSourceOf(file.name, file.type);
    if (kind === "tile") return source !== null;
    return source === "image" && file.size > VIEW_FROM_BYTES && this.#withTile.has(n) && !this.#known.get(n)?.view;
  }

  async #make({ n, file, kind }: Job): Promise<void> {
    const { ports, onTile, fileOf } = this.#options;
    const { signal } = this.#abort;
    const made = (await ports.pictures?.make(file, kind, signal)) ?? null;
    signal.throwIfAborted();
    // The person may have removed the file meanwhile.
    if (made === null || fileOf(n) !== file) return;
    this.#made[kind] += 1;
    if (kind === "tile") {
      this.#withTile.add(n);
      onTile?.(n, made.image);
      if (this.#known.has(n)) return;
    }
    this.#collect(await this.#toSend(n, kind, made));
    // At most one form waits while another one is sent.
    while (this.#formBytes >= FORM_BYTES && this.#sending) await this.#sending;
  }

  async #toSend(n: number, kind: PictureKind, { image, ...facts }: MadePicture): Promise<PictureToSend> {
    const keys = this.#keys;
    if (!keys) return { n, kind, image, seconds: kind === "tile" ? facts.seconds : undefined };
    const { sealAbout, sealPicture } = await this.#options.ports.load(() => import("#domain/seal/pictures.ts"));
    const sealed = new Blob([await sealPicture(keys, n, kind, new Uint8Array(await image.arrayBuffer()))]);
    return { n, kind, image: sealed, about: kind === "tile" ? await sealAbout(keys, n, facts) : undefined };
  }

  #collect(picture: PictureToSend): void {
    if (this.#form.length === 0 && picture.kind === "tile") this.#startTimer();
    this.#form.push(picture);
    this.#formBytes += picture.image.size;
    this.#collectedBytes += picture.image.size;
    this.#pump();
  }

  #startTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#sendRest(), FORM_WAIT_MS * (1 + LONGER_BY_FORM * this.#forms));
  }

  /** Sends what is collected, after the form that is being sent. */
  #sendRest(): void {
    this.#isDue = this.#form.length > 0;
    this.#pump();
  }

  #pump(): void {
    if (this.#abort.signal.aborted || this.#sending || this.#form.length === 0) return;
    if (!this.#isDue && this.#formBytes < FORM_BYTES) return;
    const pictures = this.#form;
    this.#form = [];
    this.#formBytes = 0;
    this.#isDue = false;
    this.#forms += 1;
    clearTimeout(this.#timer);
    this.#sending = this.#send(pictures).finally(() => {
      this.#sending = null;
      this.#pump();
    });
  }

  async #send(pictures: readonly PictureToSend[]): Promise<void> {
    const { ports } = this.#options;
    const { signal } = this.#abort;
    const { sendPictures } = ports.calls;
    if (sendPictures === null) return;
    const post = () => {
      const timeout = AbortSignal.timeout(FORM_TIMEOUT_MS);
      return sendPictures(this.#downloadId, pictures, AbortSignal.any([signal, timeout]));
    };
    try {
      const answer = await retryUploadStep(ports, "pictures", post, isRetryableForm, signal, RETRIES);
      this.#sendUnknownAgain(pictures, answer.refused);
    } catch (error) {
      if (signal.aborted) return;
      ports.warn(`Upload: no further pictures are sent (${String(error)}).`);
      this.stop();
    }
  }

  #sendUnknownAgain(pictures: readonly PictureToSend[], refused: StorePicturesAnswer["refused"]): void {
    for (const { n, kind, reason } of refused) {
      const picture = pictures.find((sent) => sent.n === n && sent.kind === kind);
      const times = (this.#unknown.get(n) ?? 0) + 1;
      this.#unknown.set(n, times);
      if (picture && reason === "entry" && times < MAX_UNKNOWN && this.#options.fileOf(n)) this.#collect(picture);
    }
  }
}

/** The pictures of a single file, which has number 0. */
export function pictureOf(
  ports: Options["ports"],
  file: File,
  options: UploadOptions,
  events: Pick<UploadEvents, "onTile">,
): PictureSender {
  return new PictureSender({
    ports,
    count: () => 1,
    fileOf: () => file,
    uploadBytes: () => sentBytesOf(file, options),
    // One picture delays no reading that matters.
    waitsForFiles: () => false,
    onTile: events.onTile?.bind(events),
  });
}

/** Whether another try of a form may succeed: not after a refusal. */
function isRetryableForm(error: unknown): boolean {
  return isRetryableCall(error) || (error instanceof DOMException && error.name === "TimeoutError");
}
