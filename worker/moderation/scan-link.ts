import type { LinkCheck } from "#domain/moderation/link-check.ts";
import { SCANNER_AWAY_MS } from "#domain/moderation/scan.ts";
import { MIB, MINUTE_MS } from "#domain/units.ts";
import { transferSessionOf } from "../callers/sessions.ts";
import { findFileById, type FileRow } from "../db/files.ts";
import {
  endScannerOutage,
  findScannerOutage,
  listWaitingScans,
  noteScannerFailure,
  saveInfected,
  saveOutageMail,
  saveScanned,
  type Finding,
} from "../db/scans.ts";
import { findMailReader } from "../db/users.ts";
import { mailedName } from "../links/describe-link.ts";
import { logWarning } from "../log.ts";
import { scannerAwayMessage } from "../mail/messages/operations.tsx";
import { fileInfectedMessage } from "../mail/messages/scans.tsx";
import { inCalls } from "../queue-calls.ts";
import type { Services } from "../services.ts";
import { numberedKey, storedKeysOf } from "../storage/keys.ts";
import { readStored } from "../storage/objects.ts";
import { scanBytes, type ScannedBytes } from "./scanner.ts";

/** How many bytes and files of a transfer one message has scanned; another message goes on. */
const BITE_BYTES = 256 * MIB;
const BITE_FILES = 200;

/** A file of a link. `path` is null for a single file. */
interface ToScan extends ScannedBytes {
  /** The number of the entry; 0 for a single file. */
  n: number;
  path: string | null;
}

/**
 * Scans a link that waits for it, or the next bite of a transfer. Idempotent.
 * @param now epoch milliseconds
 * @throws Error if the scanner or storage does not answer: the message is to come again
 */
export async function scanLink(
  services: Services,
  { fileId, from = 0, hasUnscanned = false }: Extract<LinkCheck, { kind: "scan" }>,
  now: number,
): Promise<void> {
  const { db, settings, queues } = services;
  const { scan } = settings;
  const file = await findFileById(db, fileId);
  if (scan === null || file?.status !== "ready" || file.scanState !== "pending" || file.s3DeletedAt !== null) return;
  let isPartial = hasUnscanned;
  let bytes = 0;
  let count = 0;
  for await (const item of filesOf(services, file, from)) {
    if (bytes >= BITE_BYTES || count >= BITE_FILES) {
      await queues.checks.send({ fileId, kind: "scan", from: item.n, hasUnscanned: isPartial });
      return;
    }
    const verdict = item.sizeBytes > scan.maxBytes ? { kind: "too-large" as const } : await scanOrNote(services, item);
    if (verdict.kind === "infected") {
      await closeInfected(services, file, { name: verdict.name, path: item.path }, now);
      return;
    }
    if (verdict.kind === "too-large") isPartial = true;
    else bytes += item.sizeBytes;
    count += 1;
  }
  await saveScanned(db, fileId, isPartial ? "unscanned" : "clean", now);
}

async function scanOrNote({ db, settings: { scan } }: Services, item: ToScan) {
  if (scan === null) throw new Error("there is no scanner");
  try {
    const verdict = await scanBytes(scan.scanner, item);
    if (await findScannerOutage(db)) await endScannerOutage(db);
    return verdict;
  } catch (error) {
    await noteScannerFailure(db, error instanceof Error ? error.message.slice(0, 200) : "", Date.now());
    throw error;
  }
}

/** @param from the number of the first entry of a transfer */
async function* filesOf(services: Services, file: FileRow, from: number): AsyncGenerator<ToScan> {
  const { bucket } = services;
  if (file.entryCount === null) {
    const stretches = storedKeysOf(file).map((key) => ({ key }));
    yield { n: 0, path: null, sizeBytes: file.size, bytes: readStored(bucket, stretches) };
    return;
  }
  const session = transferSessionOf(services, file);
  for (let next = from; ;) {
    const { entries } = await session.list(file.id, { from: next, count: BITE_FILES, withRemoved: false });
    for (const { n, path, object, offset, sizeBytes } of entries) {
      if (object === null) continue;
      const stretch = { key: numberedKey(file.id, object), range: { offset, length: sizeBytes } };
      yield { n, path, sizeBytes, bytes: readStored(bucket, [stretch]) };
    }
    const last = entries.at(-1);
    if (!last || entries.length < BITE_FILES) return;
    next = last.n + 1;
  }
}

async function closeInfected(services: Services, file: FileRow, finding: Finding, now: number): Promise<void> {
  const { db, outbox, settings } = services;
  const reader = file.userId === null ? null : await findMailReader(db, file.userId);
  const link = `${settings.origin}/dashboard/${file.id}`;
  const infected = { name: mailedName(file), path: finding.path, finding: finding.name };
  const mail = reader && outbox.prepare(fileInfectedMessage(reader, infected, link));
  if (await saveInfected(db, file, finding, mail, now)) mail?.send();
  logWarning("scan.found", { fileId: file.id, finding: finding.name });
}

/** After this time, a link that waits is given to the queue again: its message may be lost. */
const WAITING_MS = 10 * MINUTE_MS;
/** The most links that one run of the cron gives to the queue again. */
const MAX_REQUEUED = 500;

/**
 * Gives links that wait too long to the queue again, every ten minutes, and mails the administrator once about a scanner
 * that is away.
 * @param now epoch milliseconds
 * @returns how many links were given to the queue
 */
export async function watchScans(services: Services, now: number): Promise<number> {
  const { db, outbox, queues, settings } = services;
  if (settings.scan === null) return 0;
  const outage = await findScannerOutage(db);
  if (outage !== null && outage.toldAt === null && outage.since.getTime() <= now - SCANNER_AWAY_MS) {
    const { since, reason } = outage;
    const mode = settings.scan.mode;
    const mail = outbox.prepare(scannerAwayMessage(settings.contactEmail, { since, reason, mode }, settings.origin));
    if (await saveOutageMail(db, since, mail, now)) mail.send();
  }
  if (Math.floor(now / MINUTE_MS) % 10 !== 0) return 0;
  const waiting = await listWaitingScans(db, now - WAITING_MS, MAX_REQUEUED);
  const messages = waiting.map((fileId) => ({ body: { fileId, kind: "scan" as const } }));
  for (const call of inCalls(messages)) await queues.checks.sendBatch(call);
  return waiting.length;
}
