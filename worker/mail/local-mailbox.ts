import type { Services } from "../services.ts";
import { listLocalMail } from "../db/mail.ts";
import type { LocalMail } from "../pages/page-types.ts";

/** The newest mails of the local transport; null where another transport is chosen (decisions, Mail). */
export async function readLocalMailbox({ db, settings }: Services): Promise<LocalMail[] | null> {
  if (settings.mail.transport !== "local") return null;
  const mails = await listLocalMail(db);
  return mails.map((mail) => ({ ...mail, sentAt: mail.sentAt.toISOString() }));
}
