import { AppError } from "#domain/errors.ts";
import { CONFIRMED_MS, isConfirmed, type ConfirmMethod } from "#domain/sign-in.ts";
import type { ConfirmRequest } from "#domain/wire.ts";
import { confirmSession } from "../db/sessions.ts";
import { findPassword, type PasswordRow } from "../db/sign-ins.ts";
import type { Services } from "../services.ts";
import { checkPassword } from "./passwords.ts";
import { checkCode } from "./second-factors.ts";
import type { CurrentSession } from "./session.ts";

interface Way {
  /** Whether this account can confirm so. */
  isOpen(account: PasswordRow): boolean;
  /** @throws AppError when the answer is wrong */
  check(services: Services, account: PasswordRow, request: ConfirmRequest, now: number): Promise<void>;
}

/** By what a session can be confirmed. Where a second factor is set, a password is not enough. */
const WAYS: Record<ConfirmMethod, Way> = {
  password: {
    isOpen: ({ hash, hasSecondFactor }) => hash !== null && !hasSecondFactor,
    async check(services, { hash }, { password = "" }) {
      if (!(await checkPassword(services, hash, password))) throw new AppError("WRONG_PASSWORD");
    },
  },
  code: {
    isOpen: ({ hasSecondFactor }) => hasSecondFactor,
    async check(services, { userId }, { code = "" }, now) {
      await checkCode(services, userId, code, now);
    },
  },
};
const METHODS: readonly ConfirmMethod[] = ["password", "code"];

/**
 * @param now epoch milliseconds @returns until when the session may do what is sensitive, in epoch milliseconds
 * @throws AppError WRONG_PASSWORD; SECOND_FACTOR_WRONG; CONFIRM_REQUIRED with `methods` when the account cannot confirm
 * so
 */
export async function confirm(
  services: Services,
  { id, user }: CurrentSession,
  request: ConfirmRequest,
  now: number,
): Promise<number> {
  const account = await findPassword(services.db, { id: user.id });
  const method = METHODS.find((candidate) => request[candidate] !== undefined);
  if (!account || method === undefined || !WAYS[method].isOpen(account)) throw confirmRequired(account);
  await WAYS[method].check(services, account, request, now);
  await confirmSession(services.db, id, now);
  return now + CONFIRMED_MS;
}

/** @param now epoch milliseconds @throws AppError CONFIRM_REQUIRED with `methods` */
export async function requireConfirmed(
  { db }: Services,
  { user, confirmedAt }: CurrentSession,
  now: number,
): Promise<void> {
  if (!isConfirmed(confirmedAt, now)) throw confirmRequired(await findPassword(db, { id: user.id }));
}

function confirmRequired(account: PasswordRow | null): AppError {
  const methods = METHODS.filter((method) => account !== null && WAYS[method].isOpen(account));
  return new AppError("CONFIRM_REQUIRED", { methods });
}
