import { AppError } from "#domain/errors.ts";
import {
  BROWSER_SESSION_MS,
  NEW_DEVICE_MAIL_MIN_AGE_MS,
  NOT_ME_LINK_TTL_MS,
  SESSION_MS,
  STEP_TTL_MS,
  type AccountEventKind,
  type SecondFactorMethod,
  type SignInMethod,
} from "#domain/sign-in.ts";
import type { CurrentUser } from "#domain/wire.ts";
import type { NotMeData } from "../db/lock-outs.ts";
import {
  findSignInAccount,
  insertSession,
  insertChallenge,
  type NewDeviceNotice,
  type SignInAccount,
} from "../db/sign-ins.ts";
import { newDeviceMessage } from "../mail/messages/sign-in.tsx";
import type { PreparedMail } from "../mail/outbox.ts";
import type { Services } from "../services.ts";
import { hashToken } from "../tokens.ts";
import { createToken, readTokenCookie, tokenCookie } from "./cookies.ts";
import { sessionCookies, toCurrentUser } from "./session.ts";
import type { Visit } from "./visit.ts";

/** The account that somebody wants to sign in to, and the factors that they have proved. */
export interface Proof {
  /** The account's id. */
  who: string;
  by: SignInMethod;
  /** The number of factors that the person has proved. With 2, no second factor is asked for. */
  factors: 1 | 2;
  /** The account's revision, read no later than the proof. A new password raises the revision and ends the sign-in. */
  accessRevision: number;
}

export interface SignInOptions {
  /** Whether the session outlives the browser: if false, it ends when the browser closes. */
  rememberMe: boolean;
  /** The security event that is listed instead of a sign-in. With such an event, no mail about a new device is sent. */
  insteadOfSignIn?: AccountEventKind;
  /** Until this time, in epoch milliseconds, no second factor is asked for on this device. */
  trustUntil?: number;
}

/** A session, or a step that waits for a second factor. `cookies` are the `Set-Cookie` values to send. */
export type SignInResult =
  | { kind: "session"; user: CurrentUser; cookies: string[] }
  | { kind: "step"; methods: SecondFactorMethod[]; cookies: string[] };

/**
 * The gate (decision 039): every session begins with this function, whatever the way in.
 * @param now epoch milliseconds
 * @throws AppError EMAIL_UNVERIFIED with `needsVerification`; INVALID_CREDENTIALS for a deleted account;
 * ACCOUNT_SUSPENDED
 */
export async function signIn(
  services: Services,
  proof: Proof,
  visit: Visit,
  options: SignInOptions,
  now: number,
): Promise<SignInResult> {
  const { db, settings } = services;
  const known = readTokenCookie(settings, "device", visit.headers);
  const account = await findSignInAccount(db, proof.who, known === null ? null : await hashToken(known));
  if (!account || account.deletedAt !== null) throw new AppError("INVALID_CREDENTIALS");
  if (account.suspendedAt !== null) throw new AppError("ACCOUNT_SUSPENDED");
  if (settings.emailVerification === "required" && account.isVerified === 0) {
    throw new AppError("EMAIL_UNVERIFIED", { needsVerification: true });
  }
  const isTrusted = account.trustedUntil !== null && account.trustedUntil > now;
  if (account.hasSecondFactor === 1 && proof.factors === 1 && !isTrusted) {
    return beginStep(services, account, proof, options, now);
  }
  return beginSession(services, account, proof, visit, { ...options, deviceToken: known ?? createToken() }, now);
}

/** The proof of a first factor, saved while the sign-in waits for its second factor. */
export interface WaitingData {
  by: SignInMethod;
  rememberMe: boolean;
  accessRevision: number;
}

async function beginStep(
  { db, settings }: Services,
  account: SignInAccount,
  { by, accessRevision }: Proof,
  { rememberMe }: SignInOptions,
  now: number,
): Promise<SignInResult> {
  const token = createToken();
  await insertChallenge(db, {
    tokenHash: await hashToken(token),
    kind: "second-factor",
    userId: account.id,
    data: JSON.stringify({ by, rememberMe, accessRevision } satisfies WaitingData),
    expiresAt: now + STEP_TTL_MS,
  });
  const methods: SecondFactorMethod[] = [
    "code",
    ...(account.hasPasskey === 1 ? (["passkey"] as const) : []),
    ...(account.hasRecoveryCode === 1 ? (["recoveryCode"] as const) : []),
  ];
  return { kind: "step", methods, cookies: [tokenCookie(settings, "step", token)] };
}

async function beginSession(
  services: Services,
  account: SignInAccount,
  { by, factors, accessRevision }: Proof,
  visit: Visit,
  { rememberMe, insteadOfSignIn, trustUntil, deviceToken }: SignInOptions & { deviceToken: string },
  now: number,
): Promise<SignInResult> {
  const { db, settings } = services;
  const { userAgent, ip, shortIp } = visit;
  const tokenHash = await hashToken(deviceToken);
  const device = { userId: account.id, tokenHash, name: userAgent, address: shortIp, trustUntil };
  // A changed password or trusted device does not confirm the session of an account with a second factor (confirm.ts).
  const isConfirmed = account.hasSecondFactor === 0 || (factors === 2 && insteadOfSignIn === undefined);
  const session = {
    token: createToken(),
    expiresAt: now + (rememberMe ? SESSION_MS : BROWSER_SESSION_MS),
    ipAddress: ip,
    method: by,
    confirmedAt: isConfirmed ? now : null,
  };
  const isNew = account.deviceId === null && insteadOfSignIn === undefined;
  const notice =
    isNew && account.createdAt <= now - NEW_DEVICE_MAIL_MIN_AGE_MS
      ? await prepareNotice(services, account, visit, now)
      : null;
  const kind = insteadOfSignIn ?? (isNew ? "sign-in.new-device" : "sign-in");
  const event = { userId: account.id, at: now, kind, device: userAgent, address: shortIp };
  if (!(await insertSession(db, session, event, device, accessRevision, notice))) {
    throw new AppError("INVALID_CREDENTIALS");
  }
  notice?.send();
  const user = toCurrentUser({ ...account, isVerified: account.isVerified === 1 });
  const cookies = [
    ...(await sessionCookies(settings, session.token, rememberMe)),
    tokenCookie(settings, "device", deviceToken),
  ];
  return { kind: "session", user, cookies };
}

async function prepareNotice(
  { outbox, settings }: Services,
  { id, email }: SignInAccount,
  visit: Visit,
  now: number,
): Promise<NewDeviceNotice & Pick<PreparedMail, "send">> {
  const token = createToken();
  const data: NotMeData = { at: now, email };
  const step = {
    tokenHash: await hashToken(token),
    kind: "not-me" as const,
    userId: id,
    data: JSON.stringify(data),
    expiresAt: now + NOT_ME_LINK_TTL_MS,
  };
  return { ...outbox.prepare(newDeviceMessage(email, visit, now, `${settings.origin}/not-me?token=${token}`)), step };
}
