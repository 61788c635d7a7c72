import { drizzleAdapter } from "better-auth/adapters/drizzle";
import { betterAuth } from "better-auth/minimal";
import { newRowId } from "#domain/ids.ts";
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

/**
 * Configures better-auth, which registers people and keeps their passwords and mailed tokens. The routes of better-auth
 * are not mounted, and session.ts, not better-auth, manages sessions. In workerd, better-auth hashes passwords with
 * native scrypt.
 */
export function createAuth(db: Database, settings: Settings, outbox: Outbox) {
  return betterAuth({
    baseURL: settings.origin,
    secret: settings.authSecret,
    logger: { disabled: true },
    telemetry: { enabled: false },
    database: drizzleAdapter(db, {
      provider: "sqlite",
      schema: {
        users: schema.users,
        accounts: schema.accounts,
        verifications: schema.verifications,
      },
    }),
    user: {
      modelName: "users",
      fields: { name: "username", emailVerified: "isVerified" },
      additionalFields: { planType: { type: "string", required: true, defaultValue: "free", input: false } },
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
        // The address may have changed after better-auth looked the account up.
        if (!(await checkResetLink(db, user.id, user.email, await resetIdentifier(token)))) return;
        await outbox.post(resetMessage(user.email, `${settings.origin}/reset-password?token=${token}`));
      },
    },
    emailVerification: {
      sendOnSignUp: settings.emailVerification === "required",
      expiresIn: VERIFICATION_LINK_TTL_MS / SECOND_MS,
      sendVerificationEmail: ({ user, token }) => mailVerification({ db, settings, outbox }, user, token),
    },
    advanced: {
      database: { generateId: () => newRowId() },
    },
  });
}

/**
 * Mails the link that confirms an address. Earlier links stop working.
 * @param person the account, and the address to confirm
 * @param token the token that better-auth has made
 */
export async function mailVerification(
  { db, settings, outbox }: { db: Database; settings: Settings; outbox: Outbox },
  { id, email }: { id: string; email: string },
  token: string,
): Promise<void> {
  await setVerificationToken(db, id, await hashToken(token), Date.now() + VERIFICATION_LINK_TTL_MS);
  await outbox.post(verifyMessage(email, `${settings.origin}/verify-email?token=${token}`));
}

export type Auth = ReturnType<typeof createAuth>;
