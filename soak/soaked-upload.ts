import { createHash } from "node:crypto";
import { Refusal, type Client } from "./client.ts";

/** Something that was acknowledged is gone, or a file is not what was sent. */
export class LossError extends Error {}

/** What a file is made of: everything follows from its name. */
export interface SoakFile {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** What the server owed at a check, and how much of it was there. */
export interface Checked {
  parts: number;
  chunks: number;
}

export interface FinishedFile {
  uploadId: string;
  downloadId: string;
}

/** One upload on one road, by a sender who outlives the server. */
export interface SoakedUpload {
  readonly file: SoakFile;
  /** Whether it is under way, and the server has acknowledged a part or chunk of it. */
  readonly hasAcknowledged: boolean;
  /** Sends what is missing and completes; after a restart it goes on. @throws LossError, Refusal, TypeError */
  run(): Promise<FinishedFile>;
  /** After a restart: whether everything that was acknowledged is still known. @throws LossError, Refusal */
  check(): Promise<Checked>;
}

/** @returns hex */
export function sha256(bytes: Uint8Array | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/**
 * Downloads a finished file and compares it.
 * @throws LossError when it is not what was sent, or is not there though its completion was acknowledged
 */
export async function compare(client: Client, { name, bytes }: SoakFile, { downloadId }: FinishedFile): Promise<void> {
  try {
    const came = await client.sha256Of(downloadId);
    if (came !== sha256(bytes)) throw new LossError(`${name}: what came down has SHA-256 ${came}`);
  } catch (error) {
    if (!(error instanceof Refusal && error.status < 500)) throw error;
    throw new LossError(`${name} was finished, but ${error.message}`);
  }
}

/** Runs so many workers over one list. @throws the first error, once all of them have stopped */
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
