import { AppError } from "#domain/errors.ts";
import { findEmailUndo, findNotMeLink, lockByNotMeLink, undoEmailChange } from "../db/lock-outs.ts";
import type { Services } from "../services.ts";
import { hashToken } from "../tokens.ts";
import { requestPasswordReset } from "./mailed-links.ts";
import { placeOf, type Visit } from "./visit.ts";

/**
 * "This was not me": ends every session, device and key, and the password. Mails a link to set another password. The
 * mail goes to the address that got the "not me" link if the account can get that address back.
 * @param now epoch milliseconds @throws AppError TOKEN_INVALID; EMAIL_TAKEN when another account has that address now
 */
export async function revokeAccess(services: Services, token: string, visit: Visit, now: number): Promise<void> {
  const { db } = services;
  const tokenHash = await hashToken(token);
  const link = await findNotMeLink(db, tokenHash, now);
  if (!link) throw new AppError("TOKEN_INVALID");
  const event = { ...placeOf(visit), userId: link.userId, at: now, kind: "locked" } as const;
  const locked = await lockByNotMeLink(db, tokenHash, link, event);
  if (locked === "taken") throw new AppError("EMAIL_TAKEN");
  if (!locked) throw new AppError("TOKEN_INVALID");
  requestPasswordReset(services, locked.email);
}

/**
 * Gives an account its former address back, and does what `revokeAccess` does.
 * @param now epoch milliseconds @throws AppError TOKEN_INVALID; EMAIL_TAKEN when another account has the address now
 */
export async function undoChangeOfEmail(
  services: Services,
  token: string,
  visit: Visit,
  now: number,
): Promise<{ email: string }> {
  const { db } = services;
  const tokenHash = await hashToken(token);
  const undo = await findEmailUndo(db, tokenHash, now);
  if (!undo) throw new AppError("TOKEN_INVALID");
  const event = { ...placeOf(visit), userId: undo.userId, at: now, kind: "email.undone" } as const;
  const undone = await undoEmailChange(db, tokenHash, undo, event);
  if (undone === "taken") throw new AppError("EMAIL_TAKEN");
  if (!undone) throw new AppError("TOKEN_INVALID");
  requestPasswordReset(services, undo.former);
  return { email: undo.former };
}
