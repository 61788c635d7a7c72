import { AppError } from "#domain/errors.ts";
import type { CurrentUser } from "#domain/wire.ts";
import type { Services } from "../services.ts";
import { emailExists } from "../db/users.ts";
import { mapAuthError } from "./auth-error.ts";
import { planOfRow } from "./plan-of-row.ts";
import { readSession } from "./session.ts";

export interface Credentials {
  email: string;
  password: string;
}

/** The user after the call, and the `Set-Cookie` values to send. */
export interface SessionChange {
  user: CurrentUser | null;
  cookies: string[];
}

/**
 * @param credentials with `rememberMe: false` the session ends when the browser closes
 * @throws AppError INVALID_CREDENTIALS, or EMAIL_UNVERIFIED with `needsVerification`
 */
export async function login(
  { auth }: Services,
  credentials: Credentials & { rememberMe: boolean },
  headers: Headers,
): Promise<SessionChange> {
  const result = await mapAuthError(
    auth.api.signInEmail({ body: credentials, headers, returnHeaders: true }),
    (status) =>
      status === 403
        ? new AppError("EMAIL_UNVERIFIED", { needsVerification: true })
        : new AppError("INVALID_CREDENTIALS"),
  );
  return { user: toCurrentUser(result.response.user), cookies: result.headers.getSetCookie() };
}

/** Signs in too, unless verification is required: then `user` is null. @throws AppError EMAIL_TAKEN */
export async function register(
  { auth, db, settings }: Services,
  credentials: Credentials,
  headers: Headers,
): Promise<SessionChange> {
  // If verification is required, better-auth reports success for a registered address.
  if (await emailExists(db, credentials.email)) throw new AppError("EMAIL_TAKEN");
  const result = await mapAuthError(
    auth.api.signUpEmail({ body: { ...credentials, name: "" }, headers, returnHeaders: true }),
    () => new AppError("EMAIL_TAKEN"),
  );
  if (settings.emailVerification === "required") return { user: null, cookies: [] };
  return { user: toCurrentUser(result.response.user), cookies: result.headers.getSetCookie() };
}

export async function logout({ auth }: Services, headers: Headers): Promise<SessionChange> {
  const result = await auth.api.signOut({ headers, returnHeaders: true });
  return { user: null, cookies: result.headers.getSetCookie() };
}

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
  return { id, email, isVerified: emailVerified, planType: planOfRow({ id, planType }) };
}
