import type { DownloadReport } from "#domain/feed/followed-downloads.ts";
import { KIB, SECOND_MS } from "#domain/units.ts";
import type { DownloadNews } from "#domain/wire.ts";
import type { FileRow } from "../db/files.ts";
import type { Services } from "../services.ts";
import { reportDownload } from "./tell.ts";

/** The content of a response to a download, as the owner's pages show it. */
export interface Followed {
  file: FileRow;
  /** The file's name within the transfer; not used for an encrypted link. */
  entry?: string;
  /** The offset of a ZIP's directory. A response that sends the directory alone delivers no file. */
  directoryStart?: number;
}

export interface FollowedReader {
  isOwner: boolean;
  /** The recipient whose link was used; null for the link without a token. */
  recipient: { id: string; email: string } | null;
}

export interface SentBytes {
  offset: number;
  length: number;
  /** The size of the whole file or ZIP. */
  sizeBytes: number;
  /** Identifies the file or ZIP from which the bytes come. */
  resource: string;
  /** The lease of the browser, for a link with a download limit. The lease distinguishes the people who download. */
  lease: string | null;
}

/** A function that is called once, when the response ends. Never rejects. */
type EndOfDownload = (state: "done" | "broken") => Promise<void>;

/**
 * A response that ends sooner than this is reported once, at its end. A longer response is reported after this time and
 * at its end.
 */
const TELL_RUNNING_AFTER_MS = SECOND_MS;

/** The smallest range of a file that is reported. A request for a smaller range only probes the file. */
const LEAST_PART_BYTES = KIB;
/**
 * The number of responses of one account that an isolate reports at once. After so many responses, the isolate reports
 * one response a second.
 */
const TOLD_AT_ONCE = 60;
/**
 * When an account may again have `TOLD_AT_ONCE` reports at once, in epoch milliseconds by account id. Each report moves
 * this time by a second.
 */
const quietAt = new Map<string, number>();
const MOST_ACCOUNTS = 1000;

/**
 * Reports a response with bytes to the owner's open pages, without delaying the response. Does not report downloads by
 * the owner, ranges below 1 KiB, downloads of a visitor's file (a visitor has no pages), or responses above the rate
 * limit: a client that requests single bytes in a loop would cause a call for each.
 * @param readReader finds who downloads; called at the first report, because the call costs a query if there is a
 * session or a recipient
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
    // Decides once for a response, so that a response whose start was reported is also reported at its end.
    isTold ??= mayTell(userId, Date.now());
    if (!isTold) return Promise.resolve();
    // Reports run one after the other, so that the end is reported last.
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
