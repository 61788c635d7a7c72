import * as z from "zod/mini";
import { messageName } from "../field-messages.ts";
import { MAIL_CODE_DIGITS, type AccountEventKind, type SecondFactorMethod, type AdminFactor } from "../sign-in.ts";
import { emailField, PASSWORD_MAX_LENGTH, type CurrentUser } from "./accounts.ts";
import { requiredText } from "./checks.ts";
import { passkeyAssertion } from "./passkeys.ts";

/** `secondFactor`: nobody is signed in until one of these methods succeeds. */
export interface LoginAnswer {
  user: CurrentUser | null;
  secondFactor?: { methods: SecondFactorMethod[] };
}

const CODE_MAX_LENGTH = 64;

/** Eight digits; spaces and hyphens that people type between the digits are dropped. */
const mailCode = z.pipe(
  z.pipe(
    z.string(),
    z.transform((text: string) => text.replace(/[\s-]/g, "")),
  ),
  z.string().check(z.regex(new RegExp(`^\\d{${MAIL_CODE_DIGITS}}$`), messageName("codeFormat"))),
);

/** The form of a password is not checked, because a wrong password is wrong in any form. */
export const shownPassword = z
  .string(messageName("passwordMissing"))
  .check(z.minLength(1, messageName("passwordMissing")), z.maxLength(PASSWORD_MAX_LENGTH, messageName("passwordLong")));
/** A code as people type it, with spaces and hyphens. */
export const shownCode = requiredText("codeMissing", CODE_MAX_LENGTH, "codeLong");

/** A confirmation with at least one of these proofs. */
export const confirmRequest = z
  .object({
    password: z.optional(shownPassword),
    code: z.optional(shownCode),
    passkey: z.optional(passkeyAssertion),
    mailCode: z.optional(mailCode),
  })
  .check(
    z.refine((request) => Object.values(request).some((answer) => answer !== undefined), {
      message: messageName("passwordMissing"),
      path: ["password"],
    }),
  );
export const passwordForm = z.object({ password: shownPassword });
export const codeRequest = z.object({ code: shownCode });
export const mailCodeForm = z.object({ code: mailCode });
export type ConfirmRequest = z.infer<typeof confirmRequest>;

export interface ConfirmAnswer {
  /** ISO 8601. Until this moment the session may make sensitive changes. */
  confirmedUntil: string;
}

/** A sign-in's second step, with one of three proofs. `trustDevice`: skips the step on this device for 30 days. */
export const secondFactorRequest = z.object({
  code: z.optional(shownCode),
  recoveryCode: z.optional(shownCode),
  passkey: z.optional(passkeyAssertion),
  trustDevice: z._default(z.boolean(), false),
});
/** The page's form, whose field holds the code or the recovery code. */
export const secondStepForm = z.object({ code: shownCode, trustDevice: z.optional(z.literal("on")) });
export type SecondFactorRequest = z.infer<typeof secondFactorRequest>;

export interface SecondFactorState {
  /** ISO 8601; null without a second factor. */
  since: string | null;
  recoveryCodesLeft: number;
}

export interface NewFactor {
  /** The app's secret in Base32 (RFC 4648), for typing. */
  secret: string;
  /** The `otpauth:` address for the QR code. */
  address: string;
}

/** New recovery codes, which are shown only once. */
export interface RecoveryCodesAnswer {
  recoveryCodes: string[];
}

export const signOutEverywhereRequest = z.object({ keysToo: z._default(z.boolean(), false) });

/** The token of a mailed link: 64 hex digits. Any other text is answered like an unknown token. */
export const mailedTokenRequest = z.object({ token: z.string().check(z.minLength(1), z.maxLength(1024)) });

/** Uses a mailed link, or a mailed code in the browser that asked for the mail. */
export const mailLinkUseRequest = z
  .object({
    token: z.optional(z.string().check(z.minLength(1), z.maxLength(1024))),
    email: z.optional(emailField),
    code: z.optional(mailCode),
    rememberMe: z._default(z.boolean(), false),
  })
  .check(
    z.refine(({ token, email, code }) => token !== undefined || (email !== undefined && code !== undefined), {
      message: messageName("codeFormat"),
      path: ["code"],
    }),
  );
export type MailLinkUseRequest = z.infer<typeof mailLinkUseRequest>;

/** `returnTo`: a path of this site. */
export const providerQuery = z.object({ returnTo: z.optional(z.string().check(z.maxLength(2048))) });

export interface ListedProvider {
  /** The provider's name in addresses. */
  name: string;
  /** The provider's name for people. */
  label: string;
  /** Null when nobody is signed in. */
  isConnected: boolean | null;
}

/** The ways to sign in besides a password, with the connections of a signed-in person. */
export interface ProvidersAnswer {
  providers: ListedProvider[];
  mailLinks: boolean;
  /** Null when nobody is signed in. */
  hasPassword: boolean | null;
}

export interface LinkProviderAnswer {
  /** The provider's page, to open in this window. */
  url: string;
}

export interface ListedDevice {
  id: string;
  /** "" if the browser sent no user agent. */
  userAgent: string;
  /** ISO 8601, as are the other moments. */
  createdAt: string;
  /** The last sign-in. */
  lastSeenAt: string;
  /** Shortened; "" for an unknown address. */
  address: string;
  /** Until this moment the device is not asked for a second factor. Null for a device that is not trusted. */
  trustedUntil: string | null;
  isCurrent: boolean;
}

export interface AccountEvent {
  id: string;
  /** ISO 8601. */
  at: string;
  kind: AccountEventKind;
  /** "" for an event without a browser. */
  userAgent: string;
  /** Shortened; "" for an event without a browser. */
  address: string;
}

/** `secondFactor`: nobody is signed in until one of these methods succeeds. */
export interface AdminLoginAnswer {
  isAdmin: boolean;
  secondFactor?: { methods: AdminFactor[] };
}

/** The second step of a sign-in to the back office: a code or a passkey. Only accounts have recovery codes. */
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

/** A confirmation with at least one of these proofs. */
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
  /** Since when the user has an authenticator app; null without one. */
  since: string | null;
  passkeys: number;
  /** The removal that an administrator has requested; null without one. */
  removal: AskedRemoval | null;
  /** When the person last answered "keep it" to a mail about a removal; null if they never did. */
  keptAt: string | null;
}

/** A requested removal of an authenticator app, which is possible between `from` and `until`. */
export interface AskedRemoval {
  askedAt: string;
  from: string;
  until: string;
  /** Whether the present is between `from` and `until`. */
  isOpen: boolean;
}
