import { AppError } from "#domain/errors.ts";
import { REMOVAL_OPEN_MS, REMOVAL_WAIT_MS } from "#domain/sign-in.ts";
import type { AdminViewer } from "#domain/wire.ts";
import { createToken } from "../accounts/cookies.ts";
import { securityUrl } from "../accounts/second-factors.ts";
import { hashToken } from "../accounts/tokens.ts";
import { askForRemoval, findRemoval, makeRemoval } from "../db/second-factors.ts";
import { localizedError } from "../errors/translate-error.ts";
import { factorChangedMessage, factorRemovalAskedMessage } from "../mail/messages/sign-in.tsx";
import type { Services } from "../services.ts";
import { getActiveUserRow } from "./users.ts";

/** When a second factor can be removed, as ISO 8601. */
interface AskedRemoval {
  from: string;
  until: string;
}

/**
 * For a person who has lost everything: mails them, and asks nobody twice while an answer is awaited.
 * @param now epoch milliseconds @throws AppError NOT_FOUND, also without a second factor
 */
export async function askToRemoveFactor(
  services: Services,
  admin: AdminViewer,
  userId: string,
  now: number,
): Promise<AskedRemoval> {
  const { db, outbox, settings } = services;
  const { email } = await getActiveUserRow(services, userId);
  const token = createToken();
  const expiresAt = now + REMOVAL_WAIT_MS + REMOVAL_OPEN_MS;
  const mail = outbox.prepare(factorRemovalAskedMessage(email, `${settings.origin}/keep-factor?token=${token}`));
  const entry = { admin, action: "user.second-factor", target: userId, details: `${email}: asked`, at: now } as const;
  if (await askForRemoval(db, { tokenHash: await hashToken(token), userId, expiresAt }, entry, mail)) mail.send();
  const until = await findRemoval(db, userId, now);
  if (until === null) throw localizedError("NOT_FOUND", "noSecondFactor", {});
  return { from: new Date(until - REMOVAL_OPEN_MS).toISOString(), until: new Date(until).toISOString() };
}

/**
 * Once the mail is three days old and unanswered. Mails that it was done.
 * @param now epoch milliseconds @throws AppError NOT_FOUND, REMOVAL_WAITS
 */
export async function removeFactorOf(
  services: Services,
  admin: AdminViewer,
  userId: string,
  now: number,
): Promise<void> {
  const { email } = await getActiveUserRow(services, userId);
  const event = { userId, at: now, kind: "factor.removed", device: "", address: "" } as const;
  const entry = { admin, action: "user.second-factor", target: userId, details: `${email}: removed`, at: now } as const;
  const mail = services.outbox.prepare(factorChangedMessage(email, "factorRemoved", securityUrl(services)));
  if (!(await makeRemoval(services.db, event, REMOVAL_OPEN_MS, entry, mail))) throw new AppError("REMOVAL_WAITS");
  mail.send();
}
