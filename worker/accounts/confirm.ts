import { AppError } from "#domain/errors.ts";
import { CONFIRMED_MS, isConfirmed, type ConfirmMethod } from "#domain/sign-in.ts";
import type { ConfirmRequest } from "#domain/wire.ts";
import { confirmSession } from "../db/sessions.ts";
import { findPassword, type PasswordRow } from "../db/sign-ins.ts";
import type { Services } from "../services.ts";
import { checkConfirmCode, requestConfirmCode } from "./mail-codes.ts";
import { confirmByPasskey } from "./passkey-answers.ts";
import { checkPassword } from "./passwords.ts";
import { checkCode } from "./second-factors.ts";
import type { CurrentSession } from "./session.ts";
import type { Visit } from "./visit.ts";

interface Way {
  /** Whether the account may confirm a session by this method. */
  isOpen(account: PasswordRow, services: Pick<Services, "settings">): boolean;
  /** @throws AppError when what the person has entered or shown is wrong */
  check(services: Services, asked: Asked): Promise<void>;
}

/** A request to confirm a session. */
interface Asked {
  account: PasswordRow;
  session: CurrentSession;
  request: ConfirmRequest;
  visit: Visit;
  /** Epoch milliseconds. */
  now: number;
}

/** The ways to confirm a session. An account with a second factor cannot confirm by password alone. */
const WAYS: Record<ConfirmMethod, Way> = {
  password: {
    isOpen: ({ hash, hasSecondFactor }) => hash !== null && !hasSecondFactor,
    async check(services, { account, request: { password = "" } }) {
      if (!(await checkPassword(services, account.hash, password))) throw new AppError("WRONG_PASSWORD");
    },
  },
  passkey: {
    isOpen: ({ hasPasskey }) => hasPasskey,
    async check(services, { account, session, request: { passkey }, visit, now }) {
      if (passkey === undefined) throw new AppError("PASSKEY_REFUSED");
      await confirmByPasskey(services, { userId: account.userId, sessionId: session.id }, passkey, visit, now);
    },
  },
  code: {
    isOpen: ({ hasSecondFactor }) => hasSecondFactor,
    async check(services, { account, request: { code = "" }, now }) {
      await checkCode(services, account.userId, code, now);
    },
  },
  // A mailed code is enough, because whoever reads the mailbox can sign in by a mailed link anyway.
  mailCode: {
    isOpen: ({ hasSecondFactor }, { settings }) => settings.mailLinks && !hasSecondFactor,
    async check(services, { session, request: { mailCode = "" }, visit, now }) {
      await checkConfirmCode(services, session, mailCode, visit.headers, now);
    },
  },
};
const METHODS: readonly ConfirmMethod[] = ["passkey", "password", "code", "mailCode"];

/**
 * Mails a code for `confirm`.
 * @returns the `Set-Cookie` value that lets this browser use the code
 * @throws AppError CONFIRM_REQUIRED with `methods` when the account cannot confirm by mail
 */
export async function sendConfirmCode(
  services: Services,
  session: CurrentSession,
  headers: Headers,
  now: number,
): Promise<string> {
  const account = await findPassword(services.db, { id: session.user.id });
  if (!account || !WAYS.mailCode.isOpen(account, services)) throw confirmRequired(services, account);
  return requestConfirmCode(services, session, headers, now);
}

/**
 * Confirms a session, so that sensitive calls are allowed. @param now epoch milliseconds @returns the end of the
 * confirmation, in epoch milliseconds @throws AppError WRONG_PASSWORD, PASSKEY_REFUSED, SECOND_FACTOR_WRONG,
 * MAIL_CODE_WRONG; CONFIRM_REQUIRED with `methods` when the request's way to confirm is not open to the account
 */
export async function confirm(
  services: Services,
  session: CurrentSession,
  request: ConfirmRequest,
  visit: Visit,
  now: number,
): Promise<number> {
  const account = await findPassword(services.db, { id: session.user.id });
  const method = METHODS.find((candidate) => request[candidate] !== undefined);
  if (!account || method === undefined || !WAYS[method].isOpen(account, services)) {
    throw confirmRequired(services, account);
  }
  await WAYS[method].check(services, { account, session, request, visit, now });
  await confirmSession(services.db, session.id, now);
  return now + CONFIRMED_MS;
}

/** @param now epoch milliseconds @throws AppError CONFIRM_REQUIRED with `methods`, the ways to confirm */
export async function requireConfirmed(
  services: Services,
  { user, confirmedAt }: CurrentSession,
  now: number,
): Promise<void> {
  if (!isConfirmed(confirmedAt, now)) throw confirmRequired(services, await findPassword(services.db, { id: user.id }));
}

function confirmRequired(services: Services, account: PasswordRow | null): AppError {
  const methods = METHODS.filter((method) => account !== null && WAYS[method].isOpen(account, services));
  return new AppError("CONFIRM_REQUIRED", { methods });
}
