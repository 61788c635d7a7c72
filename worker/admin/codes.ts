import { AppError } from "#domain/errors.ts";
import { forgetWrongOfAdmin, noteWrongOfAdmin } from "../accounts/guesses.ts";
import { checkCode } from "../accounts/second-factors.ts";
import { hashToken } from "../tokens.ts";
import { endOfStep, findStepOfTime } from "../accounts/totp.ts";
import { useConfiguredStepOfTime } from "../db/admin-sessions.ts";
import { enforceRateLimit, giveBackRateLimit } from "../limits/enforce-rate-limit.ts";
import type { Services } from "../services.ts";
import type { Administrator } from "./administrators.ts";

/**
 * Uses the code of an app up. @param now epoch milliseconds
 * @throws AppError SECOND_FACTOR_WRONG, CODES_STOPPED; RATE_LIMITED for the administrator of the settings
 */
export async function checkAdminCode(
  services: Services,
  { viewer: { userId, username } }: Pick<Administrator, "viewer">,
  code: string,
  now: number,
): Promise<void> {
  if (userId !== null) return checkCode(services, userId, code, now);
  const caller = { address: "", account: username };
  await enforceRateLimit(services, "configuredCode", caller);
  if (!(await useConfiguredCode(services, code, now))) {
    noteWrongOfAdmin(services, "code", { username, email: services.settings.contactEmail });
    throw new AppError("SECOND_FACTOR_WRONG");
  }
  forgetWrongOfAdmin(services, "code", username);
  await giveBackRateLimit(services, "configuredCode", caller);
}

async function useConfiguredCode({ db, settings }: Services, code: string, now: number): Promise<boolean> {
  const secret = settings.admin?.totpSecret ?? "";
  const stepOfTime = secret === "" ? null : findStepOfTime(secret, code, now);
  if (stepOfTime === null) return false;
  return useConfiguredStepOfTime(db, await hashToken(`admin code ${secret}`), stepOfTime, endOfStep(stepOfTime));
}
