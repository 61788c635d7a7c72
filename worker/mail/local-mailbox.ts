import { listLocalMail } from "../db/mail.ts";
import type { LocalMail } from "../page-types.ts";
import type { Services } from "../services.ts";

/** Null if another transport than the local one is configured (decision 013). */
export async function readLocalMailbox({ db, settings }: Services): Promise<LocalMail[] | null> {
  if (settings.mail.transport !== "local") return null;
  const mails = await listLocalMail(db);
  return mails.map((mail) => ({ ...mail, sentAt: mail.sentAt.toISOString() }));
}
