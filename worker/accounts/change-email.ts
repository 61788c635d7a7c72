import type { CurrentUser } from "#domain/wire.ts";
import { saveEmailChange } from "../db/email-changes.ts";
import { changeEmailWithoutVerification } from "../db/users.ts";
import { localizedError } from "../errors/translate-error.ts";
import { addressChangeAskedMessage } from "../mail/messages/sign-in.tsx";
import type { Services } from "../services.ts";
import { createToken } from "./cookies.ts";
import { placeOf, type Visit } from "./visit.ts";
import { tellAddressChanged } from "./mailed-links.ts";
import { hashToken } from "../tokens.ts";

/**
 * Tells the present address first: its mail has a link that brings it back. Then changes an unverified address at once if
 * verification is off, and any other one when the link mailed to the new address is opened. Returns `pending: true` for a
 * taken address too, so that accounts cannot be discovered. The caller checks first that the session is confirmed.
 * @param now epoch milliseconds @throws AppError BAD_REQUEST if the address is the current one
 */
export async function changeEmail(
  services: Services,
  user: CurrentUser,
  newEmail: string,
  visit: Visit,
  now: number,
): Promise<{ pending: boolean }> {
  const { auth, db, outbox, settings } = services;
  if (newEmail === user.email) throw localizedError("BAD_REQUEST", "sameAddress", {});
  const token = createToken();
  const undoUrl = `${settings.origin}/undo-email?token=${token}`;
  const mail = outbox.prepare(addressChangeAskedMessage(user.email, newEmail, undoUrl));
  const event = { ...placeOf(visit), userId: user.id, at: now, kind: "email.requested" } as const;
  await saveEmailChange(db, { former: user.email, tokenHash: await hashToken(token) }, event, mail);
  mail.send();
  if (settings.emailVerification === "required" || user.isVerified) {
    await auth.api.changeEmail({ body: { newEmail }, headers: visit.headers });
    return { pending: true };
  }
  const changed = await changeEmailWithoutVerification(db, user.id, user.email, newEmail, now);
  if (changed) await tellAddressChanged(services, user.email, newEmail);
  return { pending: !changed };
}
