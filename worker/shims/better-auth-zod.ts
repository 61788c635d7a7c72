/** Replaces zod for better-auth, which checks addresses again, by a stricter rule than ours. */
import { email as emailOfZod } from "zod/v4";
import { EMAIL_PATTERN } from "#domain/email-address.ts";

export * from "zod/v4";

/** An email address, which `emailAddress` has already checked. */
export function email() {
  return emailOfZod({ pattern: EMAIL_PATTERN });
}
