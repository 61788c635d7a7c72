import type { ContactRequest } from "#domain/wire.ts";
import type { Services } from "../services.ts";
import { insertContactMessage, type Sender } from "../db/contact-messages.ts";

export async function saveContactMessage(
  { db }: Services,
  message: ContactRequest,
  sender: Sender,
  now: number,
): Promise<void> {
  await insertContactMessage(db, message, sender, now);
}
