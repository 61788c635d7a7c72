import { drizzleAdapter } from "better-auth/adapters/drizzle";
import { betterAuth } from "better-auth/minimal";
import { PRODUCT_NAME } from "#domain/brand.ts";
import { RESET_LINK_TTL_MS, VERIFICATION_LINK_TTL_MS } from "#domain/sign-in.ts";
import { SECOND_MS } from "#domain/units.ts";
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from "#domain/wire.ts";
import type { Database } from "../db/client.ts";
import { checkResetLink } from "../db/passwords.ts";
import * as schema from "../db/schema.ts";
import { setVerificationToken } from "../db/users.ts";
import { resetMessage, verifyMessage } from "../mail/messages/account.tsx";
import type { Outbox } from "../mail/outbox.ts";
import type { Settings } from "../settings.ts";
import { hashToken, resetIdentifier } from "../tokens.ts";

/** Our API calls better-auth's functions; its routes are not mounted. In workerd it hashes with native scrypt. */
export function createAuth(db: Database, settings: Settings, outbox: Outbox) {
  return betterAuth({
    appName: PRODUCT_NAME,
    baseURL: settings.origin,
    basePath: "/api/auth",
    secret: settings.authSecret,
    trustedOrigins: [settings.origin],
    telemetry: { enabled: false },
    logger: { disabled: true },
    database: drizzleAdapter(db, {
      provider: "sqlite",
      schema: {
        users: schema.users,
        sessions: schema.sessions,
        accounts: schema.accounts,
        verifications: schema.verifications,
      },
    }),
    user: {
      modelName: "users",
      fields: { name: "username", emailVerified: "isVerified" },
      additionalFields: { planType: { type: "string", required: true, defaultValue: "free", input: false } },
      // A change without verification is made by worker/db/users.ts instead.
      changeEmail: { enabled: true, updateEmailWithoutVerification: false },
    },
    session: {
      modelName: "sessions",
      cookieCache: { enabled: false },
      // The gate sets them (sign-in.ts).
      additionalFields: {
        method: { type: "string", required: false, input: false },
        confirmedAt: { type: "date", required: false, input: false },
        deviceId: { type: "string", required: false, input: false },
      },
    },
    account: { modelName: "accounts" },
    verification: { modelName: "verifications", storeIdentifier: { hash: hashToken } },
    emailAndPassword: {
      enabled: true,
      autoSignIn: false,
      requireEmailVerification: settings.emailVerification === "required",
      minPasswordLength: PASSWORD_MIN_LENGTH,
      maxPasswordLength: PASSWORD_MAX_LENGTH,
      resetPasswordTokenExpiresIn: RESET_LINK_TTL_MS / SECOND_MS,
      sendResetPassword: async ({ user, token }) => {
        // The address may have changed after better-auth looked it up.
        if (!(await checkResetLink(db, user.id, user.email, await resetIdentifier(token)))) return;
        await outbox.post(resetMessage(user.email, `${settings.origin}/reset-password?token=${token}`));
      },
    },
    emailVerification: {
      sendOnSignUp: settings.emailVerification === "required",
      expiresIn: VERIFICATION_LINK_TTL_MS / SECOND_MS,
      sendVerificationEmail: async ({ user, token }) => {
        await setVerificationToken(db, user.id, await hashToken(token), Date.now() + VERIFICATION_LINK_TTL_MS);
        await outbox.post(verifyMessage(user.email, `${settings.origin}/verify-email?token=${token}`));
      },
    },
    rateLimit: { enabled: false },
    advanced: {
      cookiePrefix: "mayfly",
      useSecureCookies: settings.origin.startsWith("https:"),
      defaultCookieAttributes: { httpOnly: true, sameSite: "lax", path: "/" },
      ipAddress: { ipAddressHeaders: ["cf-connecting-ip"] },
      database: { generateId: () => crypto.randomUUID() },
    },
  });
}

export type Auth = ReturnType<typeof createAuth>;
