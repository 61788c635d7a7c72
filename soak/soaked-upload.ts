import { createHash } from "node:crypto";
import { HttpError, type Client } from "./client.ts";

/** The server has lost something that it had acknowledged, or a file is corrupt. */
export class LossError extends Error {}

/** A file's name and its bytes, which follow from the name. */
export interface SoakFile {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** Acknowledged parts and chunks that a check found again. */
export interface Checked {
  parts: number;
  chunks: number;
}

export interface FinishedFile {
  uploadId: string;
  downloadId: string;
}

/** One upload on one transport, whose sender survives kills of the server. */
export interface SoakedUpload {
  readonly file: SoakFile;
  /** Whether the upload is under way, and the server has acknowledged one of its parts or chunks. */
  readonly hasAcknowledged: boolean;
  /**
   * Sends missing parts and completes the upload; can be called again after a restart.
   * @throws LossError, HttpError, TypeError
   */
  run(): Promise<FinishedFile>;
  /** Checks after a restart that everything acknowledged is still known. @throws LossError, HttpError */
  check(): Promise<Checked>;
}

export function sha256(bytes: Uint8Array | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/**
 * Downloads a finished file and compares its SHA-256.
 * @throws LossError when the file differs or is missing
 */
export async function compare(client: Client, { name, bytes }: SoakFile, { downloadId }: FinishedFile): Promise<void> {
  try {
    const received = await client.sha256Of(downloadId);
    if (received !== sha256(bytes)) throw new LossError(`${name}: what received down has SHA-256 ${received}`);
  } catch (error) {
    if (!(error instanceof HttpError && error.status < 500)) throw error;
    throw new LossError(`${name} was finished, but ${error.message}`);
  }
}

/** Works through a list with several workers. @throws the first error, after all workers have stopped */
export async function inParallel<Item>(
  items: Item[],
  workers: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = items.values();
  const results = await Promise.allSettled(
    Array.from({ length: workers }, async () => {
      for (const item of waiting) await work(item);
    }),
  );
  for (const result of results) if (result.status === "rejected") throw result.reason;
}
