import { AppError } from "#domain/errors.ts";
import { NOT_ME_LINK_TTL_MS } from "#domain/sign-in.ts";
import { findEmailUndo, findNotMeLink, lockByNotMeLink, undoEmailChange } from "../db/lock-outs.ts";
import type { Services } from "../services.ts";
import { placeOf } from "./devices.ts";
import { requestPasswordReset } from "./mailed-links.ts";
import { hashToken } from "./tokens.ts";
import type { Visit } from "./visit.ts";

/**
 * "This was not me": ends every session, device and key. The password no longer works, and a mail to set another one is
 * on its way. @param now epoch milliseconds @throws AppError TOKEN_INVALID
 */
export async function lockAccount(services: Services, token: string, visit: Visit, now: number): Promise<void> {
  const { db } = services;
  const tokenHash = await hashToken(token);
  const link = await findNotMeLink(db, tokenHash, NOT_ME_LINK_TTL_MS, now);
  if (!link) throw new AppError("TOKEN_INVALID");
  const event = { ...placeOf(visit), userId: link.userId, at: now, kind: "locked" } as const;
  if (!(await lockByNotMeLink(db, tokenHash, link.since, event))) throw new AppError("TOKEN_INVALID");
  requestPasswordReset(services, link.email);
}

/**
 * Brings an account's former address back, and does what `lockAccount` does.
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
