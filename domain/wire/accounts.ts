import * as z from "zod/mini";
import { emailAddress } from "../email-address.ts";
import { messageName } from "../field-messages.ts";
import { PLAN_IDS } from "../plans.ts";

/** The minimum is of decision 024, the maximum is better-auth's. */
export const PASSWORD_MIN_LENGTH = 6;
export const PASSWORD_MAX_LENGTH = 128;

/** An email address, which is converted to lower case. */
export const emailField = emailAddress(messageName("emailInvalid")).check(z.toLowerCase());

const password = z
  .string(messageName("passwordShort"))
  .check(
    z.minLength(PASSWORD_MIN_LENGTH, messageName("passwordShort")),
    z.maxLength(PASSWORD_MAX_LENGTH, messageName("passwordLong")),
  );

export const loginRequest = z.object({ email: emailField, password, rememberMe: z._default(z.boolean(), false) });
export const registerRequest = z.object({ email: emailField, password });
/** Forms send a checked box as "on" and omit an unchecked one. */
export const loginForm = z.object({ email: emailField, password, rememberMe: z.optional(z.literal("on")) });
export const resetForm = z.object({
  email: z.pipe(z.string().check(z.trim(), z.minLength(1, messageName("emailMissing"))), emailField),
});

/** @param name of the field that is repeated */
const isTypedTwice = <Name extends "password" | "newPassword">(name: Name) =>
  z.refine<Record<Name | "confirmPassword", string>>((form) => form[name] === form.confirmPassword, {
    message: messageName("passwordsDiffer"),
    path: ["confirmPassword"],
  });

/** Forms ask for a new password twice, but only one of both is sent. */
export const registerForm = z
  .object({ email: emailField, password, confirmPassword: password })
  .check(isTypedTwice("password"));
export const newPasswordForm = z
  .object({ newPassword: password, confirmPassword: password })
  .check(isTypedTwice("newPassword"));
export const changePasswordForm = z
  .object({ currentPassword: password, newPassword: password, confirmPassword: password })
  .check(isTypedTwice("newPassword"));

export const emailRequest = z.object({ email: emailField });
export const setPasswordRequest = z.object({
  newPassword: password,
  token: z.string().check(z.minLength(1), z.maxLength(1024)),
});
export const verifyEmailQuery = z.object({ token: z.string().check(z.minLength(1), z.maxLength(2048)) });
export const changeEmailRequest = z.object({ newEmail: emailField });
/** An account without a password has no current password. */
export const changePasswordRequest = z.object({ currentPassword: z.optional(password), newPassword: password });
export const deleteAccountRequest = z.object({ password: z.optional(password) });
export const deleteAccountForm = z.object({ password });

export interface ListedSession {
  id: string;
  createdAt: string;
  address: string | null;
  userAgent: string | null;
  /** Null for a session from before devices were recorded. */
  deviceId: string | null;
  isCurrent: boolean;
}

export const currentUser = z.object({
  id: z.string(),
  email: z.string(),
  isVerified: z.boolean(),
  planType: z.enum(PLAN_IDS),
});
export type CurrentUser = z.infer<typeof currentUser>;
