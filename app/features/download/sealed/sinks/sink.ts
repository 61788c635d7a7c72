/** Takes opened bytes in order. */
export interface Sink {
  /** The first byte that it does not have yet. */
  readonly start: number;
  /** @throws OpenError `room` when the device is full */
  write(bytes: Uint8Array): void | Promise<void>;
  /** All bytes are there. @returns them, where the page has to hand them over from memory */
  finish(): Promise<Blob | null>;
  /** @param isDamaged nothing of it may be kept */
  abort(isDamaged: boolean): Promise<void>;
}
