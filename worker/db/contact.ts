import type { ContactRequest } from "#domain/wire.ts";
import type { Database } from "./client.ts";
import { contactSubmissions } from "./schema.ts";

/** Who sent a message, as far as the request says. */
export interface Sender {
  address: string;
  userAgent: string | null;
}

/** Keeps a message, unread. */
export async function insertContactSubmission(
  db: Database,
  message: ContactRequest,
  { address, userAgent }: Sender,
  now: number,
): Promise<void> {
  await db.insert(contactSubmissions).values({ ...message, ipAddress: address, userAgent, createdAt: new Date(now) });
}
