/** better-auth checks addresses again, by a stricter rule than ours. */
import { email as emailOfZod } from "zod/v4";
import { EMAIL_PATTERN } from "#domain/email-address.ts";

export * from "zod/v4";

/** As `emailAddress` has checked it. */
export function email() {
  return emailOfZod({ pattern: EMAIL_PATTERN });
}
