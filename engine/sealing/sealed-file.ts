import type { ContentKeys } from "#domain/seal/keys.ts";
import type { Manifest } from "#domain/seal/manifest.ts";
import { portableName } from "#domain/transfers/portable-paths.ts";
import { mimeTypeOf } from "#domain/mime.ts";
import { SEALED_NAME, SEALED_TYPE } from "#domain/seal/names.ts";
import { UploadError } from "../errors.ts";
import { fingerprint } from "../fingerprint.ts";
import type { Ports, SealingPorts } from "../ports.ts";
import type { SentRange, StartedUpload, UploadSource } from "../upload-source.ts";
import type { UploadOptions } from "../upload-types.ts";
import { SealedStart } from "./sealed-start.ts";
import { SealingThread } from "./sealing-thread.ts";
import type { SealAnswer } from "./seal-messages.ts";

/** The only stream of a single file. */
const STREAM = 0;

/** A single file that is encrypted before it is sent. */
export class SealedFile implements UploadSource {
  readonly #file: File;
  readonly #isIdentified: boolean;
  readonly #start: SealedStart;
  readonly #thread: SealingThread;
  /** Of its own: reading the whole file must not hold up the parts. */
  readonly #checker: SealingThread;
  #keys: ContentKeys | null = null;
  #check: Promise<SealAnswer> | null = null;
  #ranges: readonly SentRange[] = [];
  /** Of what storage has, by part. */
  readonly #marks = new Map<number, string>();
  readonly #resent = new Set<number>();

  /** @param isIdentified whether the server resumes an upload of it */
  constructor(
    ports: Ports & SealingPorts,
    file: File,
    options: UploadOptions,
    signal: AbortSignal,
    isIdentified: boolean,
  ) {
    this.#file = file;
    this.#isIdentified = isIdentified;
    this.#start = new SealedStart(ports, options, signal);
    this.#thread = new SealingThread(ports, signal);
    this.#checker = new SealingThread(ports, signal);
    signal.addEventListener("abort", () => {
      this.#thread.stop();
      this.#checker.stop();
    });
  }

  async describe() {
    const { fingerprint: sealedFingerprint, ...start } = await this.#start.prepare(
      this.#isIdentified ? await fingerprint(this.#file) : null,
      this.#manifest(),
    );
    this.#keys = this.#start.keys;
    return {
      filename: SEALED_NAME,
      fileType: SEALED_TYPE,
      lastModified: null,
      fingerprint: sealedFingerprint,
      ...start,
    };
  }

  begin(start: StartedUpload): string {
    const link = this.#start.begin(start);
    this.#keys = this.#start.keys;
    for (const { part, mark } of start.marks ?? []) this.#marks.set(part, mark);
    return link;
  }

  watch(ranges: readonly SentRange[]): void {
    this.#ranges = ranges;
    this.#check = this.#checker.ask({
      kind: "check",
      keys: this.#needKeys(),
      stream: STREAM,
      file: this.#file,
      ranges: [...ranges],
    });
    // `findChanged` reports its error.
    this.#check.catch(() => undefined);
  }

  async read(range: SentRange): Promise<{ body: Blob; mark: string }> {
    const request = { keys: this.#needKeys(), stream: STREAM, file: this.#file, needsSums: false, ...range };
    const { body, marks, failures } = await this.#thread.ask({ kind: "part", ...request });
    const [mark] = marks;
    if (failures.length > 0 || mark === undefined) throw unreadable();
    this.#marks.set(range.part, mark);
    return { body, mark };
  }

  async findChanged(): Promise<number[]> {
    const { marks, failures } = await this.#checked();
    if (failures.length > 0) throw unreadable();
    const changed = this.#ranges.flatMap(({ part }, index) => (this.#marks.get(part) === marks[index] ? [] : [part]));
    // What differs once more has changed since the file was read.
    if (changed.some((part) => this.#resent.has(part))) throw unreadable();
    for (const part of changed) this.#resent.add(part);
    return changed;
  }

  async settle(): Promise<null> {
    const [sums] = (await this.#checked()).sums;
    const manifest = this.#manifest();
    const [file] = manifest.files;
    if (!file || !sums) throw unreadable();
    await this.#start.put({ ...manifest, final: true, files: [{ ...file, ...sums }] });
    return null;
  }

  nameFinished<Finished extends { shareUrl: string; filename: string; size: number; expiresAt: string | null }>(
    finished: Finished,
  ): Finished {
    this.#start.end(finished.expiresAt);
    const { name: filename, size } = this.#file;
    return { ...finished, filename, size, shareUrl: this.#start.linkOf(finished.shareUrl) };
  }

  noteMoved(): void {
    // The check reads what the parts need anyway.
  }

  forget(): void {
    this.#start.forget();
  }

  #checked(): Promise<SealAnswer> {
    return this.#check ?? Promise.reject(unreadable());
  }

  #needKeys(): ContentKeys {
    if (!this.#keys) throw new TypeError("the upload has no keys yet");
    return this.#keys;
  }

  #manifest(): Manifest {
    const { name, type, size, lastModified } = this.#file;
    // Recipients accept names alone that every system can hold.
    const path = portableName(name);
    const file = { name: path, type: mimeTypeOf(path, type), size, mtime: Math.trunc(lastModified) };
    return { final: false, files: [{ ...file, stream: STREAM, at: 0 }] };
  }
}

function unreadable(): UploadError {
  return new UploadError({ code: "fileChanged" });
}
