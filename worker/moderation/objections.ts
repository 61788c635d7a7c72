import { AppError } from "#domain/errors.ts";
import type { ObjectionInfo } from "#domain/wire.ts";
import { findStatement, object, type FoundStatement } from "../db/statements.ts";
import { localizedError } from "../errors/translate-error.ts";
import { objectionReceivedMessage } from "../mail/messages/moderation.tsx";
import { notify } from "../mail/outbox.ts";
import type { Services } from "../services.ts";
import { hashToken } from "../tokens.ts";

/**
 * The decision that a mail's link is about. @param now epoch milliseconds
 * @throws AppError NOT_FOUND for an unknown link, and after six months
 */
export async function readDecision(services: Services, token: string, now: number): Promise<ObjectionInfo> {
  return describe(await getStatement(services, token, now));
}

/**
 * Objects to a decision. The objection becomes a case of the administrator's queue, and its sender gets a receipt.
 * @param now epoch milliseconds
 * @throws AppError NOT_FOUND, ALREADY_OBJECTED
 */
export async function objectTo(services: Services, token: string, text: string, now: number): Promise<ObjectionInfo> {
  const statement = await getStatement(services, token, now);
  if (statement.objectedAt !== null) throw new AppError("ALREADY_OBJECTED");
  const { id, decision, reader, about, reason, email, locale } = statement;
  await object(services.db, statement, { statement: id, decision, reader, about, reason, text }, now);
  if (email !== null) {
    await notify(services.outbox, objectionReceivedMessage({ email, locale }, about));
  }
  return describe({ ...statement, objectedAt: new Date(now) });
}

async function getStatement({ db }: Services, token: string, now: number): Promise<FoundStatement> {
  const statement = await findStatement(db, await hashToken(token), now);
  if (!statement) throw localizedError("NOT_FOUND", "noSuchDecision", {});
  return statement;
}

function describe({ decision, reader, about, reason, at, objectedAt }: FoundStatement): ObjectionInfo {
  return { decision, reader, about, reason, at: at.toISOString(), hasObjected: objectedAt !== null };
}
