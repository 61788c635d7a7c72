import * as z from "zod/mini";
import { messageName } from "../field-messages.ts";
import type { AdminFactor } from "../sign-in.ts";
import { passkeyAssertion } from "./passkeys.ts";
import { shownCode, shownPassword } from "./security.ts";

/** `secondFactor`: nobody is signed in until one of these methods is shown. */
export interface AdminLoginAnswer {
  isAdmin: boolean;
  secondFactor?: { methods: AdminFactor[] };
}

/** The second step of a sign-in to the back office: one of the two. Recovery codes are for accounts alone. */
export const adminSecondFactorRequest = z
  .object({ code: z.optional(shownCode), passkey: z.optional(passkeyAssertion) })
  .check(
    z.refine(({ code, passkey }) => code !== undefined || passkey !== undefined, {
      message: messageName("codeMissing"),
      path: ["code"],
    }),
  );
export type AdminSecondFactorRequest = z.infer<typeof adminSecondFactorRequest>;

export const adminPasskeyRequest = z.object({ credential: passkeyAssertion });

/** One of them. */
export const adminConfirmRequest = z
  .object({
    password: z.optional(shownPassword),
    code: z.optional(shownCode),
    passkey: z.optional(passkeyAssertion),
  })
  .check(
    z.refine((request) => Object.values(request).some((answer) => answer !== undefined), {
      message: messageName("passwordMissing"),
      path: ["password"],
    }),
  );
export type AdminConfirmRequest = z.infer<typeof adminConfirmRequest>;

/** The second factors of a user, for an administrator. Moments are ISO 8601. */
export interface AdminFactorState {
  /** Null without an authenticator app. */
  since: string | null;
  passkeys: number;
  /** The removal that an administrator has asked for; null when none waits. */
  removal: AskedRemoval | null;
  /** When the person last answered such a mail with "keep it"; null when they did not. */
  keptAt: string | null;
}

/** Between `from` and `until` the app can be removed. */
export interface AskedRemoval {
  askedAt: string;
  from: string;
  until: string;
  /** Whether that is now. */
  isOpen: boolean;
}
