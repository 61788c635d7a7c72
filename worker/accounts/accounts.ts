import { APIError } from "better-auth/api";
import { AppError } from "#domain/errors.ts";
import { PLAN_IDS } from "#domain/plans.ts";
import type { CurrentUser } from "#domain/wire.ts";
import type { Services } from "../services.ts";
import { emailExists } from "../db/users.ts";
import { readSession } from "./session.ts";

export interface Credentials {
  email: string;
  password: string;
}

/** A person and the cookies that carry, or remove, their session. */
export interface SessionChange {
  user: CurrentUser | null;
  cookies: string[];
}

/**
 * Signs a person in.
 * @param credentials `rememberMe: false` ends the session with the browser
 * @throws AppError INVALID_CREDENTIALS, or EMAIL_UNVERIFIED with `needsVerification`
 */
export async function login(
  { auth }: Services,
  credentials: Credentials & { rememberMe: boolean },
  headers: Headers,
): Promise<SessionChange> {
  const result = await refusing(auth.api.signInEmail({ body: credentials, headers, returnHeaders: true }), (status) =>
    status === 403
      ? new AppError("EMAIL_UNVERIFIED", { needsVerification: true })
      : new AppError("INVALID_CREDENTIALS"),
  );
  return { user: toCurrentUser(result.response.user), cookies: result.headers.getSetCookie() };
}

/**
 * Creates an account. With verification required nobody is signed in yet, and `user` is null.
 * @throws AppError EMAIL_TAKEN
 */
export async function register(
  { auth, db, settings }: Services,
  credentials: Credentials,
  headers: Headers,
): Promise<SessionChange> {
  // With verification required better-auth fakes success for a known address, so it is looked up first.
  if (await emailExists(db, credentials.email)) throw new AppError("EMAIL_TAKEN");
  const result = await refusing(
    auth.api.signUpEmail({ body: { ...credentials, name: "" }, headers, returnHeaders: true }),
    () => new AppError("EMAIL_TAKEN"),
  );
  if (settings.emailVerification === "required") return { user: null, cookies: [] };
  return { user: toCurrentUser(result.response.user), cookies: result.headers.getSetCookie() };
}

/** Ends the session of that request. */
export async function logout({ auth }: Services, headers: Headers): Promise<SessionChange> {
  const result = await auth.api.signOut({ headers, returnHeaders: true });
  return { user: null, cookies: result.headers.getSetCookie() };
}

/** Who is signed in, or null. @param now epoch milliseconds */
export async function findCurrentUser(services: Services, headers: Headers, now: number): Promise<CurrentUser | null> {
  const session = await readSession(services, headers, now);
  if (!session) return null;
  const { userId: id, email, isVerified, planType } = session;
  return toCurrentUser({ id, email, emailVerified: isVerified === 1, planType });
}

interface AuthUser {
  id: string;
  email: string;
  emailVerified: boolean;
  planType: string;
}

function toCurrentUser({ id, email, emailVerified, planType }: AuthUser): CurrentUser {
  const plan = PLAN_IDS.find((candidate) => candidate === planType);
  if (!plan) throw new Error(`user ${id} has the unknown plan ${planType}`);
  return { id, email, isVerified: emailVerified, planType: plan };
}

async function refusing<Result>(call: Promise<Result>, refusal: (status: number) => AppError): Promise<Result> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof APIError && error.statusCode < 500) throw refusal(error.statusCode);
    throw error;
  }
}
