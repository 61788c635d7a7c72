import { listKeysToRemind, saveReminder } from "../db/api-keys.ts";
import { keyRunsOutMessage } from "../mail/messages/keys.tsx";
import type { Services } from "../services.ts";

const KEYS_PER_RUN = 50;

/** Mails the owners of keys that run out within a week, once for each key. @returns the number of mails */
export async function remindOfKeys({ db, outbox, settings }: Services, now: number): Promise<number> {
  const due = await listKeysToRemind(db, now, KEYS_PER_RUN);
  let mails = 0;
  for (const { key, email } of due) {
    const mail = outbox.prepare(keyRunsOutMessage(email, key, settings.origin));
    if (!(await saveReminder(db, key.id, mail, now))) continue;
    mail.send();
    mails += 1;
  }
  return mails;
}
