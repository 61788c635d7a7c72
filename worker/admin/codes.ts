import { AppError } from "#domain/errors.ts";
import { checkCode } from "../accounts/second-factors.ts";
import { hashToken } from "../accounts/tokens.ts";
import { endOfStep, findStepOfTime } from "../accounts/totp.ts";
import { useConfiguredStepOfTime } from "../db/admin-sessions.ts";
import type { Services } from "../services.ts";
import type { Administrator } from "./administrators.ts";

/** Uses the code of an app up. @param now epoch milliseconds @throws AppError SECOND_FACTOR_WRONG */
export async function checkAdminCode(
  services: Services,
  { viewer }: Pick<Administrator, "viewer">,
  code: string,
  now: number,
): Promise<void> {
  if (viewer.userId !== null) return checkCode(services, viewer.userId, code, now);
  const { db, settings } = services;
  const secret = settings.admin?.totpSecret ?? "";
  const stepOfTime = secret === "" ? null : findStepOfTime(secret, code, now);
  if (stepOfTime === null) throw new AppError("SECOND_FACTOR_WRONG");
  const key = await hashToken(`admin code ${secret}`);
  if (!(await useConfiguredStepOfTime(db, key, stepOfTime, endOfStep(stepOfTime)))) {
    throw new AppError("SECOND_FACTOR_WRONG");
  }
}
