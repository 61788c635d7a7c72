import { createSHA256, type IHasher } from "hash-wasm";
import { OpenError } from "./open-error.ts";
import type { Content } from "./sources.ts";

/**
 * The SHA-256 of a file that was read while its sender uploaded it. Records prove that each piece is the sender's, and the
 * sum of the sender's final list that all pieces are of one state of the file.
 */
export class FinalSum {
  readonly #hasher: IHasher;

  private constructor(hasher: IHasher) {
    this.#hasher = hasher;
  }

  /** @returns null for content that was complete when it was listed, so that its sum proves nothing more */
  static async of({ files, isArchive }: Content): Promise<FinalSum | null> {
    const isFollowed = !isArchive && files.some((file) => file.isFollowed);
    return isFollowed ? new FinalSum(await createSHA256()) : null;
  }

  /** @param bytes the next ones of the file */
  add(bytes: Uint8Array): void {
    this.#hasher.update(bytes);
  }

  /**
   * Called once, after the last byte. @param listed the sum of the final list; null if the list could not be read
   * @throws OpenError `refused` without a sum, `damaged` for another one
   */
  compare(listed: string | null): void {
    if (listed === null) throw new OpenError("refused");
    if (this.#hasher.digest("hex") !== listed) throw new OpenError("damaged");
  }
}
