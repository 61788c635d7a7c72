import * as z from "zod/mini";
import { messageName } from "../field-messages.ts";
import { MAIL_CODE_DIGITS, type AccountEventKind, type SecondFactorMethod, type AdminFactor } from "../sign-in.ts";
import { emailField, PASSWORD_MAX_LENGTH, type CurrentUser } from "./accounts.ts";
import { requiredText } from "./checks.ts";
import { passkeyAssertion } from "./passkeys.ts";

/** `secondFactor`: nobody is signed in until one of these methods is shown. */
export interface LoginAnswer {
  user: CurrentUser | null;
  secondFactor?: { methods: SecondFactorMethod[] };
}

const CODE_MAX_LENGTH = 64;

/** Eight digits; spaces and hyphens that people type between them are dropped. */
const mailCode = z.pipe(
  z.pipe(
    z.string(),
    z.transform((text: string) => text.replace(/[\s-]/g, "")),
  ),
  z.string().check(z.regex(new RegExp(`^\\d{${MAIL_CODE_DIGITS}}$`), messageName("codeFormat"))),
);

/** The shape of a password is not checked: a wrong one is wrong in any shape. */
export const shownPassword = z
  .string(messageName("passwordMissing"))
  .check(z.minLength(1, messageName("passwordMissing")), z.maxLength(PASSWORD_MAX_LENGTH, messageName("passwordLong")));
/** A code as people type it, with spaces and hyphens. */
export const shownCode = requiredText("codeMissing", CODE_MAX_LENGTH, "codeLong");

/** One of them. */
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
  /** ISO 8601. Until then the session may do what is sensitive. */
  confirmedUntil: string;
}

/** The second step of a sign-in: one of the three. `trustDevice`: it is not asked for here for 30 days. */
export const secondFactorRequest = z.object({
  code: z.optional(shownCode),
  recoveryCode: z.optional(shownCode),
  passkey: z.optional(passkeyAssertion),
  trustDevice: z._default(z.boolean(), false),
});
/** The page's form: the field holds the code or the recovery code. */
export const secondStepForm = z.object({ code: shownCode, trustDevice: z.optional(z.literal("on")) });
export type SecondFactorRequest = z.infer<typeof secondFactorRequest>;

export interface SecondFactorState {
  /** ISO 8601; null without a second factor. */
  since: string | null;
  recoveryCodesLeft: number;
}

export interface NewFactor {
  /** Base32 (RFC 4648), for typing. */
  secret: string;
  /** The `otpauth:` address for the QR code. */
  address: string;
}

/** Shown once. */
export interface RecoveryCodesAnswer {
  recoveryCodes: string[];
}

export const signOutEverywhereRequest = z.object({ keysToo: z._default(z.boolean(), false) });

/** The token of a link in a mail: 256 bits in hex. */
export const mailedTokenRequest = z.object({ token: z.string().check(z.minLength(1), z.maxLength(1024)) });

/** Uses the link, or the code in the browser that asked for it. */
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
  /** For people. */
  label: string;
  /** Null when nobody is signed in. */
  isConnected: boolean | null;
}

/** The ways in besides passwords, for anybody; for a signed-in person also what is connected. */
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
  /** "" when the browser did not say. */
  userAgent: string;
  /** ISO 8601, as the other moments. */
  createdAt: string;
  /** The last sign-in. */
  lastSeenAt: string;
  /** Shortened; "" when it is not known. */
  address: string;
  /** Until then this device is not asked for a second factor. */
  trustedUntil: string | null;
  isCurrent: boolean;
}

export interface AccountEvent {
  id: string;
  /** ISO 8601. */
  at: string;
  kind: AccountEventKind;
  /** "" where no browser was involved. */
  userAgent: string;
  /** Shortened; "" where no browser was involved. */
  address: string;
}

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
