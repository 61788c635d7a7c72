import { listEntries } from "../engine/transfer/transfer-api.ts";
import type { TransferList } from "../engine/transfer/transfer-list.ts";

/** How a choice differs from the unfinished transfer that it is to go on with. */
export interface ResumeCheck {
  /** How many of the chosen files the transfer has. */
  known: number;
  /** Paths of those that it does not have: they are added. */
  added: string[];
}

/** Reads the transfer's whole list. @throws ApiError, and AbortError by `signal` */
export async function checkResume(
  downloadId: string,
  { entries }: TransferList,
  signal: AbortSignal,
): Promise<ResumeCheck> {
  const listed = await listEntries(downloadId, signal);
  const announced = new Set(listed.map(({ path }) => path));
  const added = entries.map(({ path }) => path).filter((path) => !announced.has(path));
  return { known: entries.length - added.length, added };
}
