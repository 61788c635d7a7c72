import { expect } from "vitest";
import { KIB, MIB } from "#domain/units.ts";
import type { CompletedObjectPart, TransferBatchAnswer } from "#domain/wire.ts";
import { batch, putObject, type TransferFile } from "./transfers.ts";
import { patternBytes, type Client } from "./worker.ts";

/** Nine parts, the last of 100 KiB: each one is a segment. */
export const FILM_SIZE = 64 * MIB + 100 * KIB;
export const FILM_PART = 8 * MIB;
export const FILM_PARTS = [1, 2, 3, 4, 5, 6, 7, 8, 9];
export const FILM: TransferFile = {
  path: "film.mp4",
  bytes: patternBytes(FILM_SIZE, 9),
  modifiedMs: 1_700_000_000_000,
};

export interface FilmTransfer {
  owner: Client;
  downloadId: string;
}

/** Opens an object with one entry. */
export function openObject(
  { owner, downloadId }: FilmTransfer,
  object: number,
  n: number,
): Promise<TransferBatchAnswer> {
  return batch(owner, downloadId, { open: [{ object, runs: [[n, 1]] }] });
}

/** PUTs one part of an object that holds the film. @returns its receipt, which is not reported yet */
export async function putPart({ owner, downloadId }: FilmTransfer, object: number, part: number) {
  const signed = await batch(owner, downloadId, { sign: [{ object, parts: [part] }] });
  const [receipt] = await putObject(signed, object, FILM.bytes);
  return receipt ?? expect.unreachable(`no URL for part ${part}`);
}

/** Sends parts of an object that holds the film, and reports them. */
export async function sendParts(
  transfer: FilmTransfer,
  parts: readonly number[],
  object = 0,
): Promise<TransferBatchAnswer> {
  const receipts: CompletedObjectPart[] = [];
  for (const part of parts) receipts.push(await putPart(transfer, object, part));
  return batch(transfer.owner, transfer.downloadId, { receipts });
}
