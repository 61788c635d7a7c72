import { connect } from "cloudflare:sockets";
import * as z from "zod/mini";
import type { Scanner } from "#domain/moderation/scan.ts";
import { KIB, MIB, MINUTE_MS, SECOND_MS } from "#domain/units.ts";

export type Verdict = { kind: "clean" } | { kind: "infected"; name: string } | { kind: "too-large" };

/** A file's bytes, which are read once. */
export interface ScannedBytes {
  bytes: AsyncIterable<Uint8Array>;
  sizeBytes: number;
}

/** A scan may take a minute, and a second more for each MiB. A scanner that takes longer counts as away. */
function timeFor(sizeBytes: number): number {
  return MINUTE_MS + (sizeBytes / MIB) * SECOND_MS;
}

/** clamd's default for StreamMaxLength is 100 MB; it takes chunks of any length below that. */
const CHUNK_BYTES = 256 * KIB;
/** No answer of clamd is longer. */
const MAX_ANSWER_BYTES = KIB;

/**
 * The test file that every scanner finds (https://www.eicar.org/download-anti-malware-testfile/), in two halves, so that
 * no scanner finds it in this program.
 */
const TEST_FILE = ["X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STANDARD-", "ANTIVIRUS-TEST-FILE!$H+H*"];

/** How long a scanner that has found the test file is trusted. */
const TRUSTED_MS = 10 * MINUTE_MS;
/** When each scanner last found the test file, in epoch milliseconds. */
const foundTestFile = new Map<string, number>();

/**
 * Has a file scanned, and every ten minutes before it the test file.
 * @throws Error if the scanner does not answer, answers something else, answers before it has read the whole file, or
 * finds nothing in the test file
 */
export async function scanBytes(scanner: Scanner, scanned: ScannedBytes): Promise<Verdict> {
  const name = JSON.stringify(scanner);
  if ((foundTestFile.get(name) ?? 0) <= Date.now() - TRUSTED_MS) {
    const bytes = new TextEncoder().encode(TEST_FILE.join(""));
    const { kind } = await scan(scanner, { bytes: once(bytes), sizeBytes: bytes.byteLength });
    if (kind !== "infected") throw new Error("the scanner finds nothing in the test file");
    foundTestFile.set(name, Date.now());
  }
  return scan(scanner, scanned);
}

function scan(scanner: Scanner, scanned: ScannedBytes): Promise<Verdict> {
  return scanner.kind === "clamd" ? scanByClamd(scanner, scanned) : scanByHttp(scanner, scanned);
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}

/** clamd's command INSTREAM: chunks with their length in front, then a chunk of length 0 (clamd's manual page). */
async function scanByClamd(
  { hostname, port, isEncrypted }: Extract<Scanner, { kind: "clamd" }>,
  { bytes, sizeBytes }: ScannedBytes,
): Promise<Verdict> {
  const socket = connect({ hostname, port }, { secureTransport: isEncrypted ? "on" : "off", allowHalfOpen: false });
  socket.closed.catch(() => undefined);
  let isSent = false;
  const send = async () => {
    const writer = socket.writable.getWriter();
    await writer.write(new TextEncoder().encode("zINSTREAM\0"));
    for await (const piece of bytes) {
      for (let at = 0; at < piece.byteLength; at += CHUNK_BYTES) {
        const chunk = piece.subarray(at, at + CHUNK_BYTES);
        await writer.write(withLength(chunk));
      }
    }
    // clamd answers once it has this.
    isSent = true;
    await writer.write(withLength(new Uint8Array()));
  };
  try {
    // clamd may answer that the file is too large, and close the connection, while bytes are being sent. Bytes that
    // cannot be read from storage end the scan.
    const sending = send().catch(async (error: unknown) => {
      await socket.close();
      throw error;
    });
    sending.catch(() => undefined);
    const verdict = readVerdict(
      await withTimeout(readAnswer(socket.readable as ReadableStream<Uint8Array>), timeFor(sizeBytes)),
    );
    if (verdict.kind === "clean" && !isSent) throw new Error("the scanner answered before it had the whole file");
    return verdict;
  } finally {
    await socket.close().catch(() => undefined);
  }
}

function withLength(chunk: Uint8Array): Uint8Array {
  const framed = new Uint8Array(4 + chunk.byteLength);
  new DataView(framed.buffer).setUint32(0, chunk.byteLength);
  framed.set(chunk, 4);
  return framed;
}

/** Reads up to the zero that ends an answer, or to the end of the connection. @throws Error for an endless answer */
async function readAnswer(readable: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let answer = "";
  for await (const piece of readable) {
    answer += decoder.decode(piece, { stream: true });
    const end = answer.indexOf("\0");
    if (end !== -1) return answer.slice(0, end);
    if (answer.length > MAX_ANSWER_BYTES) throw new Error("the scanner's answer is too long");
  }
  return answer;
}

/** @throws Error for anything that is no answer of clamd to INSTREAM */
function readVerdict(answer: string): Verdict {
  if (answer === "stream: OK") return { kind: "clean" };
  const [, name] = /^stream: (.{1,200}) FOUND$/.exec(answer) ?? [];
  if (name !== undefined) return { kind: "infected", name };
  if (answer === "INSTREAM size limit exceeded. ERROR") return { kind: "too-large" };
  throw new Error(`the scanner answered ${JSON.stringify(answer.slice(0, 100))}`);
}

const httpAnswer = z.union([
  z.object({ infected: z.literal(false) }),
  z.object({ infected: z.literal(true), name: z.string().check(z.minLength(1), z.maxLength(200)) }),
]);

/** A POST of the file's bytes. Answers: 200 with JSON, or 413 for a file that is too large. */
async function scanByHttp(
  { url, key }: Extract<Scanner, { kind: "http" }>,
  { bytes, sizeBytes }: ScannedBytes,
): Promise<Verdict> {
  const { readable, writable } = new FixedLengthStream(sizeBytes);
  const send = async () => {
    const writer = writable.getWriter();
    try {
      for await (const piece of bytes) await writer.write(piece);
      await writer.close();
    } catch (error) {
      await writer.abort(error).catch(() => undefined);
      throw error;
    }
  };
  const sending = send();
  sending.catch(() => undefined);
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/octet-stream", ...(key !== "" && { authorization: `Bearer ${key}` }) },
    body: readable,
    redirect: "manual",
    signal: AbortSignal.timeout(timeFor(sizeBytes)),
  });
  if (response.status === 413) {
    await response.body?.cancel();
    return { kind: "too-large" };
  }
  if (response.status !== 200) throw new Error(`the scanner answered ${response.status}`);
  const answer = httpAnswer.parse(await response.json());
  if (answer.infected) return { kind: "infected", name: answer.name };
  await sending;
  return { kind: "clean" };
}

async function withTimeout<Answer>(answer: Promise<Answer>, ms: number): Promise<Answer> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`the scanner has not answered within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([answer, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
