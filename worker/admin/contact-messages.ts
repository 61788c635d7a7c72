import type { AdminViewer, ContactMessagesPage, ContactMessagesQuery, ContactRequest } from "#domain/wire.ts";
import {
  deleteContactMessage,
  listContactMessages,
  markContactMessageRead,
  insertContactMessage,
  type MessageSender,
} from "../db/contact-messages.ts";
import { toPage } from "../db/paging.ts";
import { localizedError } from "../errors/translate-error.ts";
import type { Services } from "../services.ts";

export async function getContactMessages({ db }: Services, query: ContactMessagesQuery): Promise<ContactMessagesPage> {
  const listed = await listContactMessages(db, query);
  const page = toPage(listed, (row) => ({ ...row, createdAt: row.createdAt.toISOString() }));
  return { ...page, unread: listed.unread };
}

/** @param now epoch milliseconds @throws AppError NOT_FOUND */
export async function setContactMessageRead(
  { db }: Services,
  admin: AdminViewer,
  id: string,
  now: number,
): Promise<void> {
  const entry = { admin, action: "contact.read", target: id, details: "", at: now } as const;
  if (!(await markContactMessageRead(db, id, entry))) throw localizedError("NOT_FOUND", "noSuchContactMessage", {});
}

/** @param now epoch milliseconds @throws AppError NOT_FOUND */
export async function removeContactMessage(
  { db }: Services,
  admin: AdminViewer,
  id: string,
  now: number,
): Promise<void> {
  const entry = { admin, action: "contact.delete", target: id, details: "", at: now } as const;
  if (!(await deleteContactMessage(db, id, entry))) throw localizedError("NOT_FOUND", "noSuchContactMessage", {});
}

export async function saveContactMessage(
  { db }: Services,
  message: ContactRequest,
  sender: MessageSender,
  now: number,
): Promise<void> {
  await insertContactMessage(db, message, sender, now);
}
