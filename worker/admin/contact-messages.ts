import type { AdminViewer, ContactPage, ContactQuery } from "#domain/wire.ts";
import type { Services } from "../services.ts";
import { deleteContact, listContact, markContactRead } from "../db/contact-messages.ts";
import { localizedError } from "../errors/translate-error.ts";
import { toPage } from "./paging.ts";

export async function listMessages({ db }: Services, query: ContactQuery): Promise<ContactPage> {
  const { rows, total, unread } = await listContact(db, query);
  const items = rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() }));
  return { ...toPage(items, query.page, total), unread };
}

/** @param now epoch milliseconds @throws AppError NOT_FOUND */
export async function markMessageRead({ db }: Services, admin: AdminViewer, id: string, now: number): Promise<void> {
  const entry = { admin, action: "contact.read", target: id, details: "", at: now } as const;
  if (!(await markContactRead(db, id, entry))) throw localizedError("NOT_FOUND", "noSuchSubmission", {});
}

/** @param now epoch milliseconds @throws AppError NOT_FOUND */
export async function deleteMessage({ db }: Services, admin: AdminViewer, id: string, now: number): Promise<void> {
  const entry = { admin, action: "contact.delete", target: id, details: "", at: now } as const;
  if (!(await deleteContact(db, id, entry))) throw localizedError("NOT_FOUND", "noSuchSubmission", {});
}
