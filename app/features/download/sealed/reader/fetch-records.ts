import { RECORD_BYTES, sealedSize } from "#domain/seal/sizes.ts";
import { SECOND_MS } from "#domain/units.ts";
import { OpenError } from "./open-error.ts";

/** An obstacle to a read. `locked`: the link has to be unlocked again. `lease`: this browser needs a lease first. */
export type Obstacle = "locked" | "lease";

/** A read failed because of an obstacle that the page can remove. */
export class ObstacleError extends Error {
  override name = "ObstacleError";
  readonly obstacle: Obstacle;

  constructor(obstacle: Obstacle) {
    super(obstacle);
    this.obstacle = obstacle;
  }
}

/** What a read waits for: the line to the server, or a sender who is still uploading the file. */
export type WaitedFor = "line" | "sender";

/** A temporary failure of a read; the same request may succeed later. */
export class InterruptedError extends Error {
  override name = "InterruptedError";
  readonly awaited: WaitedFor;
  /** The wait that the server asked for; null if it did not say. */
  readonly waitMs: number | null;

  constructor(awaited: WaitedFor = "line", waitMs: number | null = null) {
    super("interrupted");
    this.awaited = awaited;
    this.waitMs = waitMs;
  }
}

/**
 * Requests stored records of a stream, from number `first` on.
 * @param plaintextBytes the size of the whole stream @param end exclusive
 * @throws InterruptedError, ObstacleError, OpenError; the signal's reason when aborted
 */
export async function fetchRecords(
  url: string,
  plaintextBytes: number,
  first: number,
  end: number,
  signal: AbortSignal,
): Promise<Response> {
  const storedBytes = sealedSize(plaintextBytes);
  const last = Math.min(end * RECORD_BYTES, storedBytes) - 1;
  const response = await send(url, `bytes=${first * RECORD_BYTES}-${last}`, signal);
  if (response.status !== 206 || response.body === null) throw await failureOf(response);
  if (response.headers.get("content-range") !== `bytes ${first * RECORD_BYTES}-${last}/${storedBytes}`)
    throw new OpenError("damaged");
  return response;
}

async function send(url: string, range: string, signal: AbortSignal): Promise<Response> {
  try {
    return await fetch(url, { headers: { range }, signal, cache: "no-store" });
  } catch {
    signal.throwIfAborted();
    throw new InterruptedError();
  }
}

async function failureOf(response: Response): Promise<Error> {
  const { status, headers } = response;
  if (status === 200 || status === 206) {
    await response.body?.cancel();
    return new OpenError("damaged");
  }
  const body: unknown = await response.json().catch(() => null);
  const code = typeof body === "object" && body !== null && "code" in body ? body.code : "";
  if (code === "LINK_LOCKED") return new ObstacleError("locked");
  if (code === "LEASE_NEEDED") return new ObstacleError("lease");
  if (status === 404 || status === 410) return new OpenError("gone");
  if (status === 416) return new OpenError("damaged");
  if (code === "UPLOAD_UNFINISHED" || code === "TOO_MANY_FOLLOWERS")
    return new InterruptedError("sender", waitOf(headers));
  if (status === 429 || status === 408 || status >= 500) return new InterruptedError("line", waitOf(headers));
  return new OpenError("refused");
}

function waitOf(headers: Headers): number | null {
  const seconds = Number(headers.get("retry-after") ?? NaN);
  return Number.isFinite(seconds) ? seconds * SECOND_MS : null;
}
