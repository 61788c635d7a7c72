import { digestAddress, readUnsubscribe, type StoppableMail } from "#domain/notices/tokens.ts";
import type { UnsubscribeInfo, UnsubscribeRequest } from "#domain/wire.ts";
import { findFileById } from "../db/files.ts";
import { listStops, resumeMail, sendsOwnMails, stopMail, switchOwnMails } from "../db/notice-settings.ts";
import { findRecipient } from "../db/recipients.ts";
import { findLiveEmail } from "../db/users.ts";
import { localizedError } from "../errors/translate-error.ts";
import type { Services } from "../services.ts";

/** Whose mail a token stops, and whose mails. */
interface Stoppable {
  kind: StoppableMail;
  email: string;
  digest: string;
  /** The sender's account, or one's own. */
  userId: string;
  /** Null for mails about one's own account. */
  sender: string | null;
}

/** Changes nothing. @throws AppError NOT_FOUND */
export async function readStops(services: Services, token: string): Promise<UnsubscribeInfo> {
  const about = await findStoppable(services, token);
  return { email: about.email, sender: about.sender, stopped: await stoppedOf(services, about) };
}

/** Idempotent. @param now epoch milliseconds @throws AppError NOT_FOUND */
export async function changeStops(
  services: Services,
  token: string,
  what: UnsubscribeRequest["what"],
  now: number,
): Promise<UnsubscribeInfo> {
  const about = await findStoppable(services, token);
  const { kind, digest, userId } = about;
  if (kind !== "files") {
    await switchOwnMails(services.db, userId, kind, what === "resume");
    if (what === "resume") await resumeMail(services.db, digest, "");
  } else if (what === "resume") await resumeMail(services.db, digest, userId);
  else await stopMail(services.db, digest, what === "all" ? "" : userId, now);
  return { email: about.email, sender: about.sender, stopped: await stoppedOf(services, about) };
}

async function stoppedOf({ db }: Services, { kind, digest, userId }: Stoppable): Promise<UnsubscribeInfo["stopped"]> {
  const stops = await listStops(db, digest, userId);
  if (stops.includes("")) return "all";
  if (kind === "files") return stops.length > 0 ? "sender" : "nothing";
  return (await sendsOwnMails(db, userId, kind)) ? "nothing" : "sender";
}

async function findStoppable({ db, noticeKeys }: Services, token: string): Promise<Stoppable> {
  const keys = await noticeKeys();
  const read = await readUnsubscribe(keys, token);
  if (read === null) throw unknown();
  const recipient = read.kind === "files" ? await findRecipient(db, read.id) : null;
  const file = recipient && (await findFileById(db, recipient.transferId));
  const userId = read.kind === "files" ? file?.userId : read.id;
  const owner = typeof userId === "string" ? await findLiveEmail(db, userId) : null;
  if (typeof userId !== "string" || owner === null) throw unknown();
  const email = recipient?.email ?? owner;
  const sender = recipient ? owner : null;
  return { kind: read.kind, email, digest: await digestAddress(keys, email), userId, sender };
}

function unknown() {
  return localizedError("NOT_FOUND", "unknownUnsubscribe", {});
}
