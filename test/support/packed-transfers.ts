import { env } from "cloudflare:workers";
import { finish, putObject, startTransfer, type TransferFile } from "./transfers.ts";
import { runSql, type Client } from "./worker.ts";

export interface SentTransfer {
  uploadId: string;
  downloadId: string;
}

export function concat(parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Announces the files and sends some of them, each list of numbers as an object of its own. */
export async function sendObjects(
  person: Client,
  files: TransferFile[],
  objects: number[][],
  more: Record<string, unknown> = {},
): Promise<SentTransfer> {
  const open = objects.map((numbers, object) => ({ object, runs: numbers.map((n) => [n, 1]) }));
  const started = await startTransfer(person, files, { open, ...more });
  for (const [object, numbers] of objects.entries()) {
    const bytes = concat(numbers.flatMap((n) => files[n]?.bytes ?? []));
    const receipts = await putObject(started, object, bytes);
    const response = await person.post(`/api/transfers/${started.downloadId}/batch`, { receipts });
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  }
  return started;
}

export async function finishTransfer(person: Client, { downloadId }: SentTransfer): Promise<void> {
  const response = await finish(person, downloadId);
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
}

/** Removes an entry of a ready transfer from its list, as its owner's call does, and leaves its bytes. */
export async function removeFromList({ uploadId }: SentTransfer, n: number): Promise<void> {
  const session = env.TRANSFERS.get(env.TRANSFERS.idFromName(uploadId));
  const removed = await session.remove(uploadId, n, 1);
  if (removed.kind !== "removed") throw new Error(`entry ${n}: ${removed.kind}`);
  await runSql("delete from entry_wipes where file_id = ?", uploadId);
}
