import type { DownloadReport } from "#domain/feed/followed-downloads.ts";
import { KIB, SECOND_MS } from "#domain/units.ts";
import type { DownloadNews } from "#domain/wire.ts";
import type { FileRow } from "../db/files.ts";
import type { Services } from "../services.ts";
import { reportDownload } from "./tell.ts";

/** What a response sends, as its owner's pages show it. */
export interface Followed {
  file: FileRow;
  /** The file's name within the transfer; ignored for an encrypted link. */
  entry?: string;
  /** Where a ZIP's directory begins. Whoever asks for that alone gets no file. */
  directoryStart?: number;
}

/** Who downloads. */
export interface FollowedReader {
  isOwner: boolean;
  /** Whom the link names. */
  recipient: { id: string; email: string } | null;
}

/** The bytes that are sent. */
export interface SentBytes {
  offset: number;
  length: number;
  /** The size of all that the address leads to. */
  sizeBytes: number;
  /** Names what the bytes are of. */
  resource: string;
  /** For a link with a download limit: tells its readers from each other. */
  lease: string | null;
}

/** Called once, when the response ends. Never rejects. */
type EndOfDownload = (state: "done" | "broken") => Promise<void>;

/** A response that ends sooner is reported once, not at its beginning and its end. */
const TELL_RUNNING_AFTER_MS = SECOND_MS;

/** A smaller part of a file is a look at it. */
const LEAST_PART_BYTES = KIB;
/** How many responses of one account an isolate reports at once; then one a second. */
const TOLD_AT_ONCE = 60;
/** By account: from when on the isolate may again report responses at once, epoch milliseconds. */
const quietAt = new Map<string, number>();
const MOST_ACCOUNTS = 1000;

/**
 * Tells the owner's open pages of a response with bytes, behind it. They are not told of what the owner downloads, of
 * parts below a KiB, or of each of many: whoever asks for one byte in a loop would make a call of each. A visitor's file
 * has no such pages.
 * @param readReader asked at the first report, because it costs a query where there is a session or a recipient
 */
export function followDownload(
  services: Services,
  followed: Followed,
  sent: SentBytes,
  readReader: () => Promise<FollowedReader>,
): EndOfDownload {
  const { userId } = followed.file;
  const isDirectoryAlone = followed.directoryStart !== undefined && sent.offset >= followed.directoryStart;
  const isLook = sent.length < Math.min(sent.sizeBytes, LEAST_PART_BYTES);
  if (userId === null || isDirectoryAlone || isLook) return () => Promise.resolve();
  const response = crypto.randomUUID();
  const startedAt = Date.now();
  let reader: Promise<FollowedReader> | null = null;
  let told: Promise<void> | null = null;
  let isTold: boolean | null = null;
  const tell = (change: Partial<DownloadNews>) => {
    // Whoever was told of the beginning is told of the end.
    isTold ??= mayTell(userId, Date.now());
    if (!isTold) return Promise.resolve();
    // One after the other, so that the end is told last.
    told = (told ?? Promise.resolve()).then(async () => {
      const { isOwner, recipient } = await (reader ??= readReader());
      if (isOwner) return;
      const { news, ...report } = describe(followed, sent, recipient, { response, startedAt });
      await reportDownload(services, userId, { ...report, news: { ...news, ...change } });
    });
    return told.catch(() => undefined);
  };
  const timer = setTimeout(() => services.waitUntil(tell({})), TELL_RUNNING_AFTER_MS);
  return (state) => {
    clearTimeout(timer);
    return tell({ state, endedAt: Date.now() });
  };
}

function mayTell(userId: string, now: number): boolean {
  const at = Math.max(now, quietAt.get(userId) ?? 0);
  if (at - now >= TOLD_AT_ONCE * SECOND_MS) return false;
  quietAt.delete(userId);
  quietAt.set(userId, at + SECOND_MS);
  const [oldest] = quietAt.keys();
  if (quietAt.size > MOST_ACCOUNTS && oldest !== undefined) quietAt.delete(oldest);
  return true;
}

function describe(
  { file, entry }: Followed,
  { offset, length, sizeBytes, resource, lease }: SentBytes,
  recipient: FollowedReader["recipient"],
  { response, startedAt }: { response: string; startedAt: number },
): DownloadReport {
  const isPart = length < sizeBytes;
  const isOneOfMany = file.seal !== null && file.entryCount !== null;
  const reader = recipient?.id ?? lease;
  const isFolded = isPart || isOneOfMany || reader !== null;
  return {
    response,
    isPart,
    isOneOfMany,
    reachesEnd: offset + length === sizeBytes,
    news: {
      type: "download",
      id: isFolded ? `${file.id}/${isOneOfMany ? "files" : resource}/${reader ?? ""}` : response,
      transferId: file.id,
      ...(entry !== undefined && file.seal === null && { entry }),
      bytes: isOneOfMany ? file.size : sizeBytes,
      ...(recipient && { recipient: recipient.email }),
      state: "running",
      startedAt,
    },
  };
}
