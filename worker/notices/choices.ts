import { digestEmail, readUnsubscribe, type StoppableMail } from "#domain/notices/tokens.ts";
import type {
  UnsubscribeInfo,
  UnsubscribeRequest,
  ChangeNoticesRequest,
  CurrentUser,
  NoticeSettings,
} from "#domain/wire.ts";
import { findFileById } from "../db/files.ts";
import {
  listStops,
  resumeMail,
  sendsOwnMails,
  stopMail,
  switchOwnMails,
  findNoticeSettings,
  saveNoticeSettings,
} from "../db/notice-settings.ts";
import { confirmReceiptAddress, isReceiptAddressConfirmed, RECEIPTS } from "../db/receipts.ts";
import { findRecipient } from "../db/recipients.ts";
import { findLiveEmail } from "../db/users.ts";
import { localizedError } from "../errors/translate-error.ts";
import type { Services } from "../services.ts";

/** The mails that an unsubscribe token stops: of one kind, to one address. */
interface Stoppable {
  kind: StoppableMail;
  /** Null for receipts. */
  email: string | null;
  digest: string;
  /**
   * The account of the sender of the mails, or the reader's own account for mails about it; `RECEIPTS` for receipts.
   */
  userId: string;
  /** The sender's address. Null for receipts, and for mails about one's own account. */
  sender: string | null;
}

/** Describes which mails the token stops, without stopping any. @throws AppError NOT_FOUND */
export async function readStops(services: Services, token: string): Promise<UnsubscribeInfo> {
  return describe(services, await findStoppable(services, token));
}

/**
 * Stops or resumes the mails that the token is for, or confirms the address of a receipt. Idempotent.
 * @param now epoch milliseconds
 * @throws AppError NOT_FOUND, BAD_REQUEST for `confirm` with the token of other mails than receipts
 */
export async function changeStops(
  services: Services,
  token: string,
  what: UnsubscribeRequest["what"],
  now: number,
): Promise<UnsubscribeInfo> {
  const about = await findStoppable(services, token);
  const { kind, digest, userId } = about;
  if (what === "confirm") {
    if (kind !== "receipt") throw localizedError("BAD_REQUEST", "nothingToConfirm", {}, { field: "what" });
    await confirmReceiptAddress(services.db, digest, now);
  } else if (kind !== "files" && kind !== "receipt") {
    await switchOwnMails(services.db, userId, kind, what === "resume");
    if (what === "resume") await resumeMail(services.db, digest, "");
  } else if (what === "resume") await resumeMail(services.db, digest, userId);
  else await stopMail(services.db, digest, what === "all" ? "" : userId, now);
  return describe(services, about);
}

async function describe(services: Services, about: Stoppable): Promise<UnsubscribeInfo> {
  const { kind, email, sender, digest } = about;
  const stopped = await stoppedOf(services, about);
  if (kind !== "receipt") return { email, sender, stopped };
  return { email, sender, stopped, confirmed: await isReceiptAddressConfirmed(services.db, digest) };
}

async function stoppedOf({ db }: Services, { kind, digest, userId }: Stoppable): Promise<UnsubscribeInfo["stopped"]> {
  const stops = await listStops(db, digest, userId);
  if (stops.includes("")) return "all";
  if (kind === "files" || kind === "receipt") return stops.length > 0 ? "sender" : "nothing";
  return (await sendsOwnMails(db, userId, kind)) ? "nothing" : "sender";
}

async function findStoppable({ db, noticeKeys }: Services, token: string): Promise<Stoppable> {
  const keys = await noticeKeys();
  const read = await readUnsubscribe(keys, token);
  if (read === null) throw unknown();
  if (read.kind === "receipt") return { kind: read.kind, email: null, digest: read.id, userId: RECEIPTS, sender: null };
  const recipient = read.kind === "files" ? await findRecipient(db, read.id) : null;
  const file = recipient && (await findFileById(db, recipient.transferId));
  const userId = read.kind === "files" ? file?.userId : read.id;
  const owner = typeof userId === "string" ? await findLiveEmail(db, userId) : null;
  if (typeof userId !== "string" || owner === null) throw unknown();
  const email = recipient?.email ?? owner;
  const sender = recipient ? owner : null;
  return { kind: read.kind, email, digest: await digestEmail(keys, email), userId, sender };
}

function unknown() {
  return localizedError("NOT_FOUND", "unknownUnsubscribe", {});
}

/** The account owner's choices of mails. */
export function readNotices({ db }: Services, { id }: Pick<CurrentUser, "id">): Promise<NoticeSettings> {
  return findNoticeSettings(db, id);
}

/**
 * Changes the account owner's choices of mails, and leaves absent choices unchanged.
 * @returns all choices after the change
 */
export async function changeNotices(
  { db }: Services,
  { id }: Pick<CurrentUser, "id">,
  change: ChangeNoticesRequest,
): Promise<NoticeSettings> {
  await saveNoticeSettings(db, id, change);
  return findNoticeSettings(db, id);
}
