import { betterAuth } from "better-auth";
import { drizzleAdapter } from "better-auth/adapters/drizzle";
import { PRODUCT_NAME } from "#domain/brand.ts";
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from "#domain/wire.ts";
import type { Database } from "../db/client.ts";
import * as schema from "../db/schema.ts";
import type { Settings } from "../settings.ts";

/**
 * better-auth over our tables. It keeps users, sessions and passwords; our own calls decide who gets to use it.
 * Passwords are hashed with the platform's native scrypt, which is its default inside workerd.
 */
export function createAuth(db: Database, settings: Settings) {
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
    },
    session: { modelName: "sessions", cookieCache: { enabled: false } },
    account: { modelName: "accounts" },
    verification: { modelName: "verifications" },
    emailAndPassword: {
      enabled: true,
      autoSignIn: settings.emailVerification === "off",
      requireEmailVerification: settings.emailVerification === "required",
      minPasswordLength: PASSWORD_MIN_LENGTH,
      maxPasswordLength: PASSWORD_MAX_LENGTH,
      revokeSessionsOnPasswordReset: true,
    },
    rateLimit: { enabled: false },
    advanced: {
      cookiePrefix: "mayfly",
      useSecureCookies: settings.origin.startsWith("https:"),
      defaultCookieAttributes: { httpOnly: true, sameSite: "lax", path: "/" },
      database: { generateId: () => crypto.randomUUID() },
    },
  });
}

export type Auth = ReturnType<typeof createAuth>;
