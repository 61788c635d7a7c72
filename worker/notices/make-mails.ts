import { safeFilename } from "#domain/file-names.ts";
import type { StoppableMail } from "#domain/notices/tokens.ts";
import { digestDay } from "#domain/notices/when-mailed.ts";
import {
  findAllStops,
  findNoticeOwners,
  listDailyNotices,
  listDueNotices,
  listWaitingDigests,
  noteEnding,
  saveNoticeMail,
  type DueNotice,
  type NoticeOwner,
} from "../db/due-notices.ts";
import { findReceiptAddresses, postponeNotices, RECEIPTS, type ReceiptAddress } from "../db/receipts.ts";
import { findLocales } from "../db/recipients.ts";
import { describeList } from "../downloads/entries.ts";
import type { Message } from "../mail/message.tsx";
import {
  arrivedMessage,
  dayMessage,
  downloadedMessage,
  linkEndsMessage,
  namelessLink,
  ownLinksEndMessage,
  receivedMessage,
  type Reader,
  type ReceivedFiles,
} from "../mail/messages/notices.tsx";
import { receiptMessage, type ReceivedFile, type ReceiptTransfer } from "../mail/messages/requests.tsx";
import type { Services } from "../services.ts";
import { recipientUrl } from "../urls.ts";
import { digestAll, readerOf } from "./mail-link.ts";

const MAILS_PER_RUN = 500;
const NOTICES_PER_RUN = 2000;
/** How many mails are made at the same time. Each mail takes a batch of D1, and the cron has other chores. */
const MAILS_AT_ONCE = 10;
const NOTICES_PER_DIGEST = 500;
const LINKS_PER_RUN = 200;
const LISTED_IN_RECEIPT = 100;
/**
 * The most receipts to one address in a day, from all requests together. One mail after the day has all further
 * receipts.
 */
const RECEIPTS_A_DAY = 5;

/** The notices that one mail reports. `kind`: which mails its unsubscribe link stops. */
interface NoticeGroup {
  kind: StoppableMail;
  notices: DueNotice[];
  /** The local date of a daily digest; null for any other mail. */
  day: string | null;
}

/**
 * Makes mails of the notices that are due. One batch saves a mail and marks its notices, so a run may be killed
 * anywhere and may overlap another run. @param now epoch milliseconds @returns the number of mails
 */
export async function makeNoticeMails(services: Services, now: number): Promise<number> {
  const { db } = services;
  await noteEnding(db, now, LINKS_PER_RUN);
  const due = groupNotices(await listDueNotices(db, now, NOTICES_PER_RUN)).slice(0, MAILS_PER_RUN);
  const groups = [...due, ...(await listDigests(services, now, MAILS_PER_RUN - due.length))];
  if (groups.length === 0) return 0;
  const facts = await readFacts(services, groups, now);
  let mails = 0;
  for (let at = 0; at < groups.length; at += MAILS_AT_ONCE) {
    const made = groups.slice(at, at + MAILS_AT_ONCE).map((group) => makeMail(services, group, facts, now));
    mails += (await Promise.all(made)).filter(Boolean).length;
  }
  return mails;
}

/** @returns whether a mail was made */
async function makeMail(services: Services, group: NoticeGroup, facts: Facts, now: number): Promise<boolean> {
  const { db, outbox } = services;
  const receiptTo = receiptDigestOf(group, facts);
  const address = facts.receiptAddresses.get(receiptTo ?? "");
  if (address && address.mails >= RECEIPTS_A_DAY) {
    const ids = group.notices.map(({ id }) => id);
    await postponeNotices(db, ids, address.dayEndsAt);
    return false;
  }
  const message = await messageFor(services, group, facts, now);
  const mail = message && outbox.prepare(message);
  const [first] = group.notices;
  const digestDay = group.day !== null && first ? { userId: first.userId, day: group.day } : null;
  const isSaved = await saveNoticeMail(db, group.notices, mail, { digestDay, receiptTo }, now);
  if (!isSaved || !mail) return false;
  mail.send();
  return true;
}

/**
 * Groups notices into mails: the downloads of one link; the arrivals, received files or ending links of one account;
 * and the receipts to one address.
 */
function groupNotices(notices: readonly DueNotice[]): NoticeGroup[] {
  const groups = new Map<string, NoticeGroup>();
  for (const notice of notices) {
    const { kind, userId, recipientId, file } = notice;
    const isToRecipient = kind === "ending" && recipientId !== "";
    const what = kind === "downloaded" ? file.id : isToRecipient ? `${file.id}:${recipientId}` : "";
    const key = kind === "receipt" ? `receipt:${senderOf(notice)}` : `${userId}:${kind}:${what}`;
    const group = groups.get(key) ?? { kind: isToRecipient ? "files" : kind, notices: [], day: null };
    group.notices.push(notice);
    groups.set(key, group);
  }
  return [...groups.values()];
}

async function listDigests({ db }: Services, now: number, limit: number): Promise<NoticeGroup[]> {
  const groups: NoticeGroup[] = [];
  for (const { userId, oldestAt, timeZone, lastDay } of await listWaitingDigests(db)) {
    if (groups.length >= limit) break;
    const day = digestDay({ oldestAt, lastDay, timeZone: timeZone ?? "UTC" }, now);
    if (day === null) continue;
    groups.push({ kind: "day", notices: await listDailyNotices(db, userId, NOTICES_PER_DIGEST), day });
  }
  return groups.filter(({ notices }) => notices.length > 0);
}

/**
 * The choices and stops that decide about mails. Choices and stops are read when the mails are made, because they may
 * be newer than the notices.
 */
interface Facts {
  owners: Map<string, NoticeOwner>;
  locales: Awaited<ReturnType<typeof findLocales>>;
  /** The hashes of addresses, by address. */
  digests: Map<string, string>;
  /** The accounts whose mail an address refuses, by address. "" stands for all mail. */
  stops: Map<string, ReadonlySet<string>>;
  /** The addresses of receipts, by the hash of the address. */
  receiptAddresses: Map<string, ReceiptAddress>;
}

/** @param now epoch milliseconds */
async function readFacts(services: Services, groups: readonly NoticeGroup[], now: number): Promise<Facts> {
  const notices = groups.flatMap((group) => group.notices);
  const owners = await findNoticeOwners(services.db, [...new Set(notices.map(({ userId }) => userId))]);
  const recipients = [...new Set(notices.flatMap(({ recipient }) => (recipient ? [recipient.email] : [])))];
  const senders = [...new Set(notices.flatMap((notice) => (notice.kind === "receipt" ? senderOf(notice) : [])))];
  const others = [...senders, ...[...owners.values()].map(({ email }) => email)];
  const digests = await digestAll(services, [...recipients, ...others]);
  const [locales, found, receiptAddresses] = await Promise.all([
    findLocales(services.db, [...recipients, ...senders]),
    findAllStops(services.db, [...digests.values()]),
    findReceiptAddresses(
      services.db,
      senders.map((email) => digests.get(email) ?? ""),
      now,
    ),
  ]);
  const stops = [...digests].map(([email, digest]) => [email, found.get(digest) ?? new Set<string>()] as const);
  return { owners, locales, digests, stops: new Map(stops), receiptAddresses };
}

/** The sender's address in lower case, as addresses are compared. */
function senderOf({ file }: DueNotice): string {
  return file.senderEmail?.toLowerCase() ?? "";
}

/** @returns the hash of the address that gets the receipt; null for another kind of mail */
function receiptDigestOf({ kind, notices: [first] }: NoticeGroup, { digests }: Facts): string | null {
  return kind === "receipt" && first ? (digests.get(senderOf(first)) ?? null) : null;
}

/** @returns null if the reader no longer wants the mail */
async function messageFor(services: Services, group: NoticeGroup, facts: Facts, now: number): Promise<Message | null> {
  if (group.kind === "receipt") return receiptFor(services, group, facts);
  const [first] = group.notices;
  const owner = first && facts.owners.get(first.userId);
  if (!owner) return null;
  if (group.kind === "files") return reminderFor(services, first, owner, facts, now);
  const wanted = group.notices.filter((notice) => isWanted(notice, owner, now));
  const isConfirmed = owner.isVerified || services.settings.emailVerification === "off";
  const mayMail = isConfirmed && !facts.stops.get(owner.email)?.has("");
  if (!mayMail || wanted.length === 0) return null;
  const { email, locale, timeZone } = owner;
  const about = { kind: group.kind, id: owner.id };
  const reader = await readerOf(services, { email, locale, timeZone: timeZone ?? "UTC" }, about);
  return ownMessage(reader, group.kind, wanted, `${services.settings.origin}/dashboard`);
}

/**
 * Makes the receipt for a stranger who sent files through a request and gave an address. The address may be somebody
 * else's, so a receipt names files only after the address was confirmed. An address that wants no receipts gets none.
 */
async function receiptFor(services: Services, group: NoticeGroup, facts: Facts): Promise<Message | null> {
  const digest = receiptDigestOf(group, facts);
  const notices = group.notices.filter(({ userId }) => facts.owners.has(userId));
  const [first] = notices;
  if (digest === null || !first) return null;
  const email = senderOf(first);
  const stops = facts.stops.get(email);
  if (stops?.has("") || stops?.has(RECEIPTS)) return null;
  const namesFiles = facts.receiptAddresses.get(digest)?.isConfirmed === true;
  const transfers: ReceiptTransfer[] = [];
  let left = LISTED_IN_RECEIPT;
  for (const { file } of notices) {
    const files = namesFiles ? await listFiles(services, file, left) : null;
    left -= files?.length ?? 0;
    const receivedAt = (file.uploadedAt ?? file.createdAt).getTime();
    transfers.push({ files, entries: file.entryCount ?? 1, size: file.size, receivedAt });
  }
  const about = { kind: "receipt", id: digest } as const;
  const reader = await readerOf(services, { email, locale: facts.locales.get(email) ?? null }, about);
  return receiptMessage(reader, transfers);
}

/** @param limit how many files to list; 0 for no files */
async function listFiles(services: Services, file: DueNotice["file"], limit: number): Promise<ReceivedFile[]> {
  if (limit === 0) return [];
  if (file.entryCount !== null) {
    return (await describeList(services, file, { from: 0, count: limit, withRemoved: false })).entries;
  }
  return [{ path: safeFilename(file.filename), size: file.size, ...(file.sha256 !== null && { sha256: file.sha256 }) }];
}

/** For a recipient who has downloaded nothing, makes the mail that reminds them that the link ends soon. */
async function reminderFor(
  services: Services,
  { file, recipient }: DueNotice,
  owner: NoticeOwner,
  { stops, locales }: Facts,
  now: number,
): Promise<Message | null> {
  if (!recipient || recipient.firstDownloadAt !== null || recipient.stoppedAt !== null || !isAlive(file, now))
    return null;
  const refused = stops.get(recipient.email);
  if (refused?.has("") || refused?.has(owner.id)) return null;
  const { email } = recipient;
  const about = { kind: "files", id: recipient.id } as const;
  const reader = await readerOf(services, { email, locale: locales.get(email) ?? null }, about);
  return linkEndsMessage(reader, {
    sender: owner.email,
    name: file.passwordHash === null ? safeFilename(file.filename) : null,
    link: recipientUrl(services.settings, file.downloadId, recipient.token),
    endsAt: file.expiresAt?.getTime() ?? now,
  });
}

function isAlive({ deletedAt, adminDeleted, expiresAt }: DueNotice["file"], now: number): boolean {
  return deletedAt === null && !adminDeleted && (expiresAt === null || expiresAt.getTime() > now);
}

/** A download notice stays true when its link has ended. Other notices need a link that is alive. */
function isWanted({ kind, file }: DueNotice, { downloaded, arrived, ending }: NoticeOwner, now: number): boolean {
  if (kind === "downloaded") return (file.notify ?? downloaded) !== "off";
  if (!isAlive(file, now)) return false;
  if (kind === "arrived") return (arrived ?? true) && file.notify !== "off";
  return kind === "received" || (ending ?? true);
}

function ownMessage(
  reader: Reader,
  kind: Exclude<StoppableMail, "files" | "receipt">,
  notices: readonly DueNotice[],
  dashboardUrl: string,
): Message {
  const names = notices.map(({ file }) => nameOf(file, reader));
  const received = notices.flatMap((notice) => (notice.kind === "received" ? [receivedOf(notice.file)] : []));
  const downloads = notices.flatMap(({ kind: what, recipient, count, file }) =>
    what === "downloaded" ? [{ name: nameOf(file, reader), who: recipient?.email ?? null, count }] : [],
  );
  switch (kind) {
    case "arrived":
      return arrivedMessage(reader, names, dashboardUrl);
    case "received":
      return receivedMessage(reader, received, dashboardUrl);
    case "downloaded":
      return downloadedMessage(reader, { name: names[0] ?? "", downloads }, dashboardUrl);
    case "ending":
      return ownLinksEndMessage(
        reader,
        notices.map(({ file, at }) => ({
          name: nameOf(file, reader),
          endsAt: (file.expiresAt ?? at).getTime(),
        })),
        dashboardUrl,
      );
    case "day":
      return dayMessage(reader, { downloads, received }, dashboardUrl);
  }
}

/** Mails omit the names of files that are encrypted or behind a password. */
function nameOf({ filename, passwordHash, seal }: DueNotice["file"], { locale }: Reader): string {
  const nameless = namelessLink(locale, { isLocked: passwordHash !== null, isSealed: seal !== null });
  return nameless ?? safeFilename(filename);
}

function receivedOf({ senderName, senderEmail, filename, size, entryCount }: DueNotice["file"]): ReceivedFiles {
  const who = [senderName, senderEmail].filter((said) => said !== null && said !== "").join(", ");
  return { who: who === "" ? null : who, name: safeFilename(filename), size, entries: entryCount };
}
