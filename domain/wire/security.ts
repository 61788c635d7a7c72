import * as z from "zod/mini";
import { messageName } from "../field-messages.ts";
import type { AccountEventKind, SecondFactorMethod } from "../sign-in.ts";
import { PASSWORD_MAX_LENGTH, type CurrentUser } from "./accounts.ts";

/** `secondFactor`: nobody is signed in until one of these methods is shown. */
export interface LoginAnswer {
  user: CurrentUser | null;
  secondFactor?: { methods: SecondFactorMethod[] };
}

/** The shape of a password is not checked: a wrong one is wrong in any shape. */
export const confirmRequest = z.object({
  password: z
    .string(messageName("passwordMissing"))
    .check(
      z.minLength(1, messageName("passwordMissing")),
      z.maxLength(PASSWORD_MAX_LENGTH, messageName("passwordLong")),
    ),
});
export type ConfirmRequest = z.infer<typeof confirmRequest>;

export interface ConfirmAnswer {
  /** ISO 8601. Until then the session may do what is sensitive. */
  confirmedUntil: string;
}

export const signOutEverywhereRequest = z.object({ keysToo: z._default(z.boolean(), false) });

/** Of a link in a mail: 256 bits in hex. */
export const mailedTokenRequest = z.object({ token: z.string().check(z.minLength(1), z.maxLength(1024)) });

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
  /** Until then no second factor is asked here. */
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
