import { APIError } from "better-auth/api";
import { AppError } from "#domain/errors.ts";
import type { SecondFactorMethod } from "#domain/sign-in.ts";
import type { CurrentUser } from "#domain/wire.ts";
import { dropHalfAccount, dropReservedAccount } from "../db/new-accounts.ts";
import { databaseRefusal } from "../db/retries.ts";
import { findPassword } from "../db/sign-ins.ts";
import { emailExists } from "../db/users.ts";
import { logError } from "../log.ts";
import { requireLastingAddress } from "./throwaway-mail.ts";
import type { Services } from "../services.ts";
import { forgetWrongOfAdmin, noteWrongOfAdmin } from "./guesses.ts";
import { checkPassword } from "./passwords.ts";
import { endCurrentSession, type CurrentSession } from "./session.ts";
import { signIn, type SignInResult } from "./sign-in.ts";
import type { Visit } from "./visit.ts";

export interface Credentials {
  email: string;
  password: string;
}

/**
 * The signed-in user after the call, and the `Set-Cookie` values to send. `secondFactor`: the sign-in waits for one of
 * its `methods`.
 */
export interface SessionChange {
  user: CurrentUser | null;
  cookies: string[];
  secondFactor?: { methods: SecondFactorMethod[] };
}

/**
 * @param credentials with `rememberMe: false` the session ends when the browser closes @param now epoch milliseconds
 * @throws AppError INVALID_CREDENTIALS, or EMAIL_UNVERIFIED with `needsVerification`
 */
export async function login(
  services: Services,
  { email, password, rememberMe }: Credentials & { rememberMe: boolean },
  visit: Visit,
  now: number,
): Promise<SessionChange> {
  const found = await findPassword(services.db, { email });
  const isRight = await checkPassword(services, found?.hash ?? null, password);
  if (!found || found.hash === null || !isRight) {
    // An administrator's password also opens the back office, so its owner is mailed about guesses.
    if (found?.isAdmin) noteWrongOfAdmin(services, "password", { username: email, email });
    throw new AppError("INVALID_CREDENTIALS");
  }
  if (found.isAdmin) forgetWrongOfAdmin(services, "password", email);
  const proof = { who: found.userId, by: "password", factors: 1, accessRevision: found.accessRevision } as const;
  return toSessionChange(await signIn(services, proof, visit, { rememberMe }, now));
}

/**
 * Registers a person, and signs the person in unless verification is required. If verification is required, `user` is
 * null.
 * @param now epoch milliseconds
 * @throws AppError EMAIL_TAKEN
 */
export async function register(
  services: Services,
  credentials: Credentials,
  visit: Visit,
  now: number,
): Promise<SessionChange> {
  const { auth, db, settings } = services;
  requireLastingAddress(services, credentials.email);
  // The address is checked here, because better-auth pretends success for a registered address.
  if (await emailExists(db, credentials.email, now)) throw new AppError("EMAIL_TAKEN");
  const { user } = await auth.api
    .signUpEmail({ body: { ...credentials, name: "" }, headers: visit.headers })
    .catch((error: unknown) => {
      throw notRegistered(services, credentials.email, error, now);
    });
  // Since the check of the address, another account may have given the address up, and may still take it back.
  if (await dropReservedAccount(db, user.id, credentials.email, now)) throw new AppError("EMAIL_TAKEN");
  if (settings.emailVerification === "required") return { user: null, cookies: [] };
  // When two registrations of an address race, better-auth gives the second an id that no account has.
  const account = await findPassword(db, { id: user.id });
  if (!account) throw new AppError("EMAIL_TAKEN");
  const proof = { who: user.id, by: "password", factors: 1, accessRevision: account.accessRevision } as const;
  return toSessionChange(await signIn(services, proof, visit, { rememberMe: true }, now));
}

export async function logout(services: Services, session: CurrentSession | null): Promise<SessionChange> {
  return { user: null, cookies: await endCurrentSession(services, session) };
}

/** The answer of a call that signs somebody in. */
export function toSessionChange(result: SignInResult): SessionChange {
  const { cookies } = result;
  if (result.kind === "session") return { user: result.user, cookies };
  return { user: null, cookies, secondFactor: { methods: result.methods } };
}

/**
 * The error of a registration that better-auth did not make. better-auth inserts two rows, one after the other. If the
 * database fails at the first insert, better-auth answers as for a taken address; if at the second, the first row has
 * to be deleted.
 */
function notRegistered({ db, waitUntil }: Services, email: string, error: unknown, now: number): unknown {
  if (error instanceof APIError && error.statusCode < 500) return databaseRefusal() ?? new AppError("EMAIL_TAKEN");
  waitUntil(dropHalfAccount(db, email, now).catch((failure: unknown) => logError("account.half_made", failure)));
  return error;
}
