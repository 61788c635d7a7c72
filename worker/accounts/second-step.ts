import * as z from "zod/mini";
import { AppError } from "#domain/errors.ts";
import { DEVICE_TRUST_MS, STEP_TRIES, type SignInMethod } from "#domain/sign-in.ts";
import type { SecondFactorRequest } from "#domain/wire.ts";
import { findEmail } from "../db/users.ts";
import { endWaiting, findWaitingSignIn, takeTry } from "../db/waiting-sign-ins.ts";
import type { Services } from "../services.ts";
import { hashToken } from "../tokens.ts";
import { readTokenCookie } from "./cookies.ts";
import { checkPasskeyFactor } from "./passkey-answers.ts";
import { checkCode, checkRecoveryCode } from "./second-factors.ts";
import { signIn, type SignInResult, type WaitingData } from "./sign-in.ts";
import type { Visit } from "./visit.ts";

const KIND = "second-factor";
const METHODS: readonly SignInMethod[] = ["password", "passkey", "mail", "provider", "recovery"];

/** The proof of the first factor, as the waiting sign-in keeps it. */
const waitingData: z.ZodMiniType<WaitingData> = z.object({
  by: z.enum(METHODS),
  rememberMe: z.boolean(),
  accessRevision: z.number(),
});

/** The waiting sign-in that the request's cookie names. */
interface Waiting {
  tokenHash: string;
  userId: string;
}

/** @param now epoch milliseconds @throws AppError STEP_ENDED when no sign-in waits */
export async function findWaiting({ db, settings }: Services, headers: Headers, now: number): Promise<Waiting> {
  const token = readTokenCookie(settings, "step", headers);
  const tokenHash = token === null ? null : await hashToken(token);
  const waiting = tokenHash === null ? null : await findWaitingSignIn(db, KIND, tokenHash, now);
  if (tokenHash === null || waiting === null || waiting.userId === null) throw new AppError("STEP_ENDED");
  return { tokenHash, userId: waiting.userId };
}

/**
 * Checks the second factor of a sign-in. Counts every answer, right or wrong; the sixth answer is not checked.
 * @param now epoch milliseconds
 * @throws AppError SECOND_FACTOR_WRONG, PASSKEY_REFUSED, STEP_ENDED
 */
export async function showSecondFactor(
  services: Services,
  { tokenHash, userId }: Waiting,
  request: SecondFactorRequest,
  visit: Visit,
  now: number,
): Promise<SignInResult> {
  const { db } = services;
  const email = await findEmail(db, userId);
  if (email === null || !(await takeTry(db, KIND, tokenHash, STEP_TRIES, now))) throw new AppError("STEP_ENDED");
  const { code, passkey, recoveryCode = "" } = request;
  if (passkey !== undefined) await checkPasskeyFactor(services, { userId, tokenHash }, passkey, visit, now);
  else if (code !== undefined) await checkCode(services, userId, code, now);
  else await checkRecoveryCode(services, { id: userId, email }, recoveryCode, visit, now);
  const waiting = await endWaiting(db, KIND, tokenHash, now);
  if (!waiting) throw new AppError("STEP_ENDED");
  // `accessRevision` was read when the first factor was checked: if the password was replaced after that, the sign-in
  // ends.
  const { by, rememberMe, accessRevision } = waitingData.parse(JSON.parse(waiting.data));
  const proof = {
    who: userId,
    by: passkey === undefined && code === undefined ? "recovery" : by,
    factors: 2,
    accessRevision,
  } as const;
  const trust = request.trustDevice ? { trustUntil: now + DEVICE_TRUST_MS } : {};
  return signIn(services, proof, visit, { rememberMe, ...trust }, now);
}
