import { expect } from "vitest";
import type { Recipient } from "./recipient.ts";
import { rowOf, sendFile, signUp } from "./worker.ts";

/** A file with a download limit, and its owner. */
export async function sendLimited(maxDownloads: number, body: string | Uint8Array = "the file", more = {}) {
  const owner = await signUp();
  const sent = await sendFile(owner, body, { guards: { maxDownloads }, expiration: "3d", ...more });
  return { owner, ...sent };
}

export async function takeAndRead(recipient: Recipient, downloadId: string): Promise<string> {
  expect((await recipient.take(downloadId)).status).toBe(201);
  return (await recipient.content(downloadId)).text();
}

/** What D1 has counted. */
export async function usedOf(downloadId: string): Promise<number> {
  return (await rowOf<{ n: number }>("select downloads_used as n from files where download_id = ?", downloadId)).n;
}
