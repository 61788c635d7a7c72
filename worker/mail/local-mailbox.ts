import { listLocalMail } from "../db/mail.ts";
import type { LocalMail } from "../page-types.ts";
import type { Services } from "../services.ts";

/** The mails that the local transport has stored. Null if another transport is configured (decision 013). */
export async function readLocalMailbox({ db, settings }: Services): Promise<LocalMail[] | null> {
  if (settings.mail.transport !== "local") return null;
  const mails = await listLocalMail(db);
  return mails.map((mail) => ({ ...mail, sentAt: mail.sentAt.toISOString() }));
}
