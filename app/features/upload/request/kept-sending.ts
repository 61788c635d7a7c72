import { UNFINISHED_LINK_TTL_MS } from "#domain/upload-lifetime.ts";

/** The prefix of localStorage keys, followed by the request's token. */
const KEY = "request/";
/** How long after its start an upload is remembered: as long as an unfinished transfer can live on the server. */
const KEPT_MS = UNFINISHED_LINK_TTL_MS;

const TEXTS = ["uploadToken", "uploadId", "downloadId", "fingerprint", "title"] as const;
/** `startedAt` in epoch milliseconds. */
const NUMBERS = ["entries", "bytes", "startedAt"] as const;

/** What this browser remembers of an upload into a request, until it is finished or discarded. */
export type KeptSending = Record<(typeof TEXTS)[number], string> & Record<(typeof NUMBERS)[number], number>;

/**
 * Null for a request into which this browser has begun no upload. In a browser that stores nothing for this site, the
 * answer is always null, so no upload is resumed.
 */
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
    // The browser stores nothing for this site.
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
  if (typeof kept !== "object" || kept === null) return false;
  const values = new Map(Object.entries(kept));
  return (
    TEXTS.every((name) => typeof values.get(name) === "string") &&
    NUMBERS.every((name) => typeof values.get(name) === "number")
  );
}
