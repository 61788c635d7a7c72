import { KIB, MIB } from "#domain/units.ts";
import type { ZipPiece } from "#domain/zip.ts";
import type { SendBytes } from "./representation.ts";

type StoredPiece = Exclude<ZipPiece, Uint8Array>;

/** @throws AppError FILE_EXPIRED if the object no longer exists */
type OpenPiece = (piece: StoredPiece) => Promise<ReadableStream<Uint8Array>>;

/** One read from storage, with the ZIP headers before, between and after the bytes of that read. */
interface Stretch {
  read: StoredPiece | null;
  /** In order of sending: bytes in memory, or how many bytes of the read follow. */
  parts: (Uint8Array | number)[];
}

/** Room for the headers of a pack's 500 entries with the longest paths. */
const MAX_BYTES_AT_HAND = MIB;
/** How many bytes of a pack are buffered at once. */
const BUFFER_BYTES = 256 * KIB;

/**
 * Sends pieces one after the other. Opens the next object's read while the present one is sent, to hide the latency of
 * storage; at most two reads are open. @throws AppError FILE_EXPIRED if the first object no longer exists
 */
export async function sendPieces(pieces: Iterable<ZipPiece>, open: OpenPiece): Promise<SendBytes> {
  const stretches = joinNeighbours(pieces);
  const openNext = () => {
    const next = stretches.next();
    if (next.done) return null;
    const { read, parts } = next.value;
    const body = read && open(read);
    // Prevents an unhandled rejection: `sendStretch` gets `body` only after the stretch before.
    body?.catch(() => undefined);
    return { parts, body };
  };
  let current = openNext();
  await current?.body;
  return async (to, { preventClose = false, signal } = {}) => {
    let ahead: typeof current = null;
    try {
      while (current) {
        ahead = openNext();
        await sendStretch(to, current.parts, (await current.body) ?? null, signal);
        current = ahead;
      }
      if (!preventClose) await to.close();
    } catch (error) {
      const bodies = [current?.body, ahead?.body].map((opened) => opened?.then((body) => body.cancel()));
      await Promise.allSettled([...bodies, to.abort(error)]);
      throw error;
    }
  };
}

/** Joins pieces that follow each other in one object into one read. */
function* joinNeighbours(pieces: Iterable<ZipPiece>): Generator<Stretch> {
  let stretch: Stretch = { read: null, parts: [] };
  let bytesAtHand = 0;
  for (const piece of pieces) {
    const fits = piece instanceof Uint8Array ? bytesAtHand < MAX_BYTES_AT_HAND : follows(stretch.read, piece);
    if (!fits) {
      yield stretch;
      stretch = { read: null, parts: [] };
      bytesAtHand = 0;
    }
    if (piece instanceof Uint8Array) {
      bytesAtHand += piece.length;
      stretch.parts.push(piece);
    } else {
      const { offset, length } = stretch.read ?? { offset: piece.offset, length: 0 };
      stretch.read = { object: piece.object, offset, length: length + piece.length };
      stretch.parts.push(piece.length);
    }
  }
  if (stretch.parts.length > 0) yield stretch;
}

function follows(read: StoredPiece | null, piece: StoredPiece): boolean {
  return read === null || (read.object === piece.object && read.offset + read.length === piece.offset);
}

async function sendStretch(
  to: WritableStream<Uint8Array>,
  parts: Stretch["parts"],
  body: ReadableStream<Uint8Array> | null,
  signal: AbortSignal | undefined,
): Promise<void> {
  const [at, ...others] = parts.flatMap((part, index) => (typeof part === "number" ? [index] : []));
  if (body === null || at === undefined) await write(to, parts, signal);
  else if (others.length > 0) await interleave(to, parts, body, signal);
  else {
    await write(to, parts.slice(0, at), signal);
    // The platform pipes a large file's bytes without JavaScript.
    await body.pipeTo(to, { preventClose: true, ...(signal ? { signal } : {}) });
    await write(to, parts.slice(at + 1), signal);
  }
}

async function write(
  to: WritableStream<Uint8Array>,
  parts: Stretch["parts"],
  signal: AbortSignal | undefined,
): Promise<void> {
  const bytes = join(parts.filter((part) => part instanceof Uint8Array));
  if (bytes.length === 0) return;
  const { writer, release } = openWriter(to, signal);
  try {
    await writer.write(bytes);
  } finally {
    release();
  }
}

/** An abort of `signal` also ends a write that waits for the reader. */
function openWriter(to: WritableStream<Uint8Array>, signal: AbortSignal | undefined) {
  const writer = to.getWriter();
  const stop = () => {
    writer.abort(signal?.reason).catch(() => undefined);
  };
  if (signal?.aborted) stop();
  signal?.addEventListener("abort", stop);
  const release = () => {
    signal?.removeEventListener("abort", stop);
    writer.releaseLock();
  };
  return { writer, release };
}

/** Writes ZIP headers between the entries of a pack, one buffer at a time. */
async function interleave(
  to: WritableStream<Uint8Array>,
  parts: Stretch["parts"],
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const reader = body.getReader({ mode: "byob" });
  const { writer, release } = openWriter(to, signal);
  let next = 0;
  /** How many bytes of `parts[next]` have been sent. */
  let sent = 0;
  try {
    for (;;) {
      const { done, value } = await reader.readAtLeast(BUFFER_BYTES, new Uint8Array(BUFFER_BYTES));
      const output: Uint8Array[] = [];
      let used = 0;
      for (let part = parts[next]; part !== undefined; part = parts[next]) {
        if (typeof part === "number") {
          const taken = Math.min(part - sent, (value?.length ?? 0) - used);
          if (value) output.push(value.subarray(used, used + taken));
          used += taken;
          sent += taken;
          if (sent < part) break;
        } else output.push(part);
        next += 1;
        sent = 0;
      }
      await writer.write(join(output));
      if (next === parts.length) return;
      if (done) throw new Error("storage sent fewer bytes than were asked for");
    }
  } finally {
    await reader.cancel().catch(() => undefined);
    release();
  }
}

function join(parts: Uint8Array[]): Uint8Array {
  const [first] = parts;
  if (first && parts.length === 1) return first;
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
