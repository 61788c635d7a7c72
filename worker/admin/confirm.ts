import { AppError } from "#domain/errors.ts";
import { CONFIRMED_MS, isConfirmed, type AdminSignInMethod } from "#domain/sign-in.ts";
import type { AdminConfirmRequest, PasskeyRequestOptions } from "#domain/wire.ts";
import { confirmByPasskey } from "../accounts/passkey-answers.ts";
import { requestOptions } from "../accounts/passkeys.ts";
import type { Visit } from "../accounts/visit.ts";
import { confirmAdminSession } from "../db/admin-sessions.ts";
import type { Services } from "../services.ts";
import {
  factorsOf,
  findAdministrator,
  isPasswordOf,
  needsSecondFactor,
  type Administrator,
  checkAdminCode,
} from "./administrators.ts";
import type { AdminSession } from "./sessions.ts";
import { accountIdOf } from "./sign-in.ts";

/**
 * Confirms an admin session. @param now epoch milliseconds @returns the end of the confirmation, in epoch milliseconds
 * @throws AppError WRONG_PASSWORD, PASSKEY_REFUSED, SECOND_FACTOR_WRONG; CONFIRM_REQUIRED with `methods` when the
 * request names no way that is open to the administrator
 */
export async function confirmAdmin(
  services: Services,
  session: AdminSession,
  request: AdminConfirmRequest,
  visit: Visit,
  now: number,
): Promise<number> {
  const administrator = await administratorOf(services, session);
  const methods = methodsOf(services, administrator);
  const { password = "", code = "", passkey } = request;
  const method = methods.find((candidate) => request[candidate] !== undefined);
  if (method === undefined) throw new AppError("CONFIRM_REQUIRED", { methods });
  if (passkey && method === "passkey") {
    await confirmByPasskey(services, { userId: accountIdOf(session), sessionId: session.id }, passkey, visit, now);
  } else if (method === "code") await checkAdminCode(services, session, code, now);
  else if (!(await isPasswordOf(services, administrator, password))) throw new AppError("WRONG_PASSWORD");
  await confirmAdminSession(services.db, session.id, now);
  return now + CONFIRMED_MS;
}

/** @param now epoch milliseconds @throws AppError CONFIRM_REQUIRED with `methods` */
export async function requireConfirmedAdmin(services: Services, session: AdminSession, now: number): Promise<void> {
  if (isConfirmed(session.confirmedAt, now)) return;
  const methods = methodsOf(services, await administratorOf(services, session));
  throw new AppError("CONFIRM_REQUIRED", { methods });
}

/** @param now epoch milliseconds @throws AppError PASSKEY_REFUSED for the administrator of the settings */
export async function adminConfirmOptions(
  services: Services,
  session: AdminSession,
  now: number,
): Promise<PasskeyRequestOptions> {
  return requestOptions(services, { purpose: "confirm", holder: session.id }, accountIdOf(session), now);
}

async function administratorOf(services: Services, { viewer }: AdminSession): Promise<Administrator> {
  const administrator = await findAdministrator(services, viewer.userId);
  if (!administrator) throw new AppError("ADMIN_REQUIRED");
  return administrator;
}

/** A password is not a way to confirm where a second factor is required. */
function methodsOf(services: Services, administrator: Administrator): AdminSignInMethod[] {
  const hasPassword = administrator.viewer.userId === null || administrator.passwordHash !== null;
  const isPasswordEnough = hasPassword && !needsSecondFactor(services, administrator);
  return [...factorsOf(administrator), ...(isPasswordEnough ? (["password"] as const) : [])];
}
