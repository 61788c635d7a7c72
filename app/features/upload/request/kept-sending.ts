import { DAY_MS } from "#domain/units.ts";

/** The request's token follows. */
const KEY = "request/";
/** What has arrived of an unfinished upload is kept on the server for a day after its last part. */
const KEPT_MS = 7 * DAY_MS;

/** What this browser remembers of an upload into a request, until it is finished or discarded. */
export interface KeptSending {
  uploadToken: string;
  uploadId: string;
  downloadId: string;
  fingerprint: string;
  title: string;
  entries: number;
  bytes: number;
  /** Epoch milliseconds. */
  startedAt: number;
}

/** Null for a request into which this browser has begun nothing. Where a browser keeps nothing, nothing is resumed. */
export function readKeptSending(token: string): KeptSending | null {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY + token) ?? "null");
    return isKeptSending(kept) ? kept : null;
  } catch {
    return null;
  }
}

/** @param sending null forgets it */
export function keepSending(token: string, sending: KeptSending | null): void {
  try {
    if (sending) localStorage.setItem(KEY + token, JSON.stringify(sending));
    else localStorage.removeItem(KEY + token);
    forgetOld();
  } catch {
    // As above.
  }
}

function forgetOld(): void {
  const tokens = Object.keys(localStorage).filter((key) => key.startsWith(KEY));
  for (const key of tokens) {
    const kept = readKeptSending(key.slice(KEY.length));
    if (!kept || kept.startedAt < Date.now() - KEPT_MS) localStorage.removeItem(key);
  }
}

function isKeptSending(kept: unknown): kept is KeptSending {
  const texts = ["uploadToken", "uploadId", "downloadId", "fingerprint", "title"];
  const numbers = ["entries", "bytes", "startedAt"];
  if (typeof kept !== "object" || kept === null) return false;
  const values = new Map(Object.entries(kept));
  return (
    texts.every((name) => typeof values.get(name) === "string") &&
    numbers.every((name) => typeof values.get(name) === "number")
  );
}
