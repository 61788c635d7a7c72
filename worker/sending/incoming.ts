import { mimeTypeOf } from "#domain/mime.ts";
import { newFileId, type Caller } from "../callers/caller.ts";
import { findFileById } from "../db/files.ts";
import type { Services } from "../services.ts";
import { incomingKey } from "../storage/keys.ts";
import { completeMultipart, deleteObjects, putIncoming } from "../storage/objects.ts";
import type { FormFile } from "../uploads/proxy-form.ts";
import { storeParts, type PartMemory, type StoredFormFile } from "../uploads/proxy.ts";

/**
 * Stores a form's files, one after the other, as objects under `incoming/`, because only the form's end tells whether
 * they become a file or a transfer. The sweep deletes objects that a killed Worker leaves.
 */
export class IncomingFiles {
  readonly stored: StoredFormFile[] = [];
  readonly #services: Services;
  readonly #caller: Caller;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(services: Services, caller: Caller) {
    this.#services = services;
    this.#caller = caller;
  }

  /**
   * Stores a file after the previous one is stored, because all files share one buffer.
   * @throws AppError BODY_TOO_LARGE if all files together are too large
   */
  store(file: FormFile, memory: PartMemory): Promise<void> {
    const turn = this.#turn.then(() => this.#store(file, memory));
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  /** Deletes the stored files, except files that became an upload: the upload's session finishes or discards these. */
  async discard(): Promise<void> {
    const { bucket, db } = this.#services;
    for (const { id } of this.stored) {
      if ((await findFileById(db, id)) === null) await deleteObjects(bucket, [incomingKey(id)]);
    }
  }

  async #store({ filename, contentType, stream }: FormFile, memory: PartMemory): Promise<void> {
    const { bucket, settings } = this.#services;
    const id = newFileId(this.#caller);
    const key = incomingKey(id);
    const mimeType = mimeTypeOf(filename, contentType);
    const left = settings.maxRequestBytes - this.stored.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    const { r2UploadId, ...parts } = await storeParts(this.#services, { key, mimeType, stream }, left, memory);
    if (r2UploadId === null) await putIncoming(bucket, id, "", mimeType);
    else {
      const joined = await completeMultipart(bucket, key, r2UploadId, parts.receipts);
      if (joined === null || joined === "invalid-parts") throw new Error(`storage does not join the parts of ${key}`);
    }
    // Notes the joined object without parts, like an object of a single PUT.
    this.stored.push({ id, filename, contentType, ...parts, r2UploadId: null, receipts: [] });
  }
}
