import { mimeTypeOf } from "#domain/mime.ts";
import type { ContentKeys } from "#domain/seal/keys.ts";
import type { Manifest } from "#domain/seal/manifest.ts";
import { SEALED_NAME, SEALED_TYPE } from "#domain/seal/names.ts";
import { portableName } from "#domain/transfers/portable-paths.ts";
import type { Ports, SealingPorts } from "../ports.ts";
import { OnDemandThread } from "../reading-thread.ts";
import { FileCheck, fileChanged, fingerprint } from "../upload-source.ts";
import type { SentRange, StartedUpload, UploadOptions, UploadSource } from "../upload-types.ts";
import type { SealAnswer, SealRequest } from "./seal-messages.ts";
import { UploadSeal } from "./upload-seal.ts";

/** The stream number of a single file. */
const STREAM = 0;

/** A single file that is sealed before it is sent. */
export class SealedFile implements UploadSource {
  readonly #file: File;
  readonly #isIdentified: boolean;
  readonly #start: UploadSeal;
  readonly #thread: OnDemandThread<SealRequest, SealAnswer>;
  readonly #check: FileCheck<SealAnswer>;
  #keys: ContentKeys | null = null;

  /** @param isIdentified whether the server resumes an unfinished upload of the same file */
  constructor(
    ports: Ports & SealingPorts,
    file: File,
    options: UploadOptions,
    signal: AbortSignal,
    isIdentified: boolean,
  ) {
    this.#file = file;
    this.#isIdentified = isIdentified;
    this.#start = new UploadSeal(ports, options, signal);
    const thread = () => new OnDemandThread(ports, ports.startSealing, signal);
    this.#thread = thread();
    // The checker has a thread of its own, so that reading the whole file does not delay the parts.
    const checker = thread();
    this.#check = new FileCheck({
      ports,
      file,
      read: (ranges) =>
        checker.ask({ kind: "check", keys: this.#needKeys(), stream: STREAM, file, ranges: [...ranges] }),
      sumsOf: ({ marks }) => marks,
    });
  }

  get keys(): ContentKeys {
    return this.#start.keys;
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
    for (const { part, mark } of start.marks ?? []) this.#check.note(part, mark);
    return link;
  }

  watch(ranges: readonly SentRange[]): void {
    this.#check.watch(ranges);
    this.#check.begin();
  }

  async read(range: SentRange): Promise<{ body: Blob; mark: string }> {
    const request = { keys: this.#needKeys(), stream: STREAM, file: this.#file, needsSums: false, ...range };
    const { body, marks, failures } = await this.#thread.ask({ kind: "part", ...request });
    const [mark] = marks;
    if (failures.length > 0 || mark === undefined) throw fileChanged();
    this.#check.note(range.part, mark);
    return { body, mark };
  }

  findChanged(): Promise<number[]> {
    return this.#check.changedParts();
  }

  async settle(): Promise<null> {
    const [sums] = (await this.#check.result()).sums;
    const manifest = this.#manifest();
    const [file] = manifest.files;
    if (!file || !sums) throw fileChanged();
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
    // `watch` has already begun the check, before the first bytes are sent.
  }

  forget(): void {
    this.#start.forget();
  }

  #needKeys(): ContentKeys {
    if (!this.#keys) throw new TypeError("the upload has no keys yet");
    return this.#keys;
  }

  #manifest(): Manifest {
    const { name, type, size, lastModified } = this.#file;
    // Recipients accept only names that are valid on every system.
    const path = portableName(name);
    const file = { name: path, type: mimeTypeOf(path, type), size, mtime: Math.trunc(lastModified) };
    return { final: false, files: [{ ...file, stream: STREAM, at: 0 }] };
  }
}
