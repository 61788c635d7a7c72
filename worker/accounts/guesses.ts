import { WRONG_UNTOLD } from "#domain/rate-limits.ts";
import { isWithinRateLimit, giveBackRateLimit } from "../limits/enforce-rate-limit.ts";
import { logError } from "../log.ts";
import { adminGuessedMessage } from "../mail/messages/sign-in.tsx";
import type { Services } from "../services.ts";

/** What somebody may be guessing. */
type Secret = "password" | "code";

/** An administrator whose secret was entered. */
interface Entered {
  /** The name by which they sign in to the back office. */
  username: string;
  /** Where they are mailed. */
  email: string;
}

const CALLS = { password: "wrongAdminPassword", code: "wrongAdminCode" } as const;

/**
 * Counts a wrong password or code of an administrator, behind the answer: its duration tells nothing. From the tenth
 * since the last right one on, mails them once a day. Only logs a failure.
 */
export function noteWrongOfAdmin(services: Services, secret: Secret, { username, email }: Entered): void {
  const note = async () => {
    // A count: this instance then remembers no refusal, which a right one elsewhere could not take back.
    const caller = { ip: "", account: username.toLowerCase(), count: 1 };
    if (await isWithinRateLimit(services, CALLS[secret], caller)) return;
    const mails = { ...caller, account: `${secret} ${caller.account}` };
    if (!(await isWithinRateLimit(services, "adminGuessingMail", mails))) return;
    await services.outbox.post(adminGuessedMessage(email, secret, username));
  };
  services.waitUntil(note().catch((error: unknown) => logError("admin.guessing_mail_failed", error)));
}

/** After a right one, the count begins anew. Behind the answer; only logs a failure. */
export function forgetWrongOfAdmin(services: Services, secret: Secret, username: string): void {
  const caller = { ip: "", account: username.toLowerCase(), count: WRONG_UNTOLD };
  services.waitUntil(
    giveBackRateLimit(services, CALLS[secret], caller).catch((error: unknown) =>
      logError("admin.guesses_not_forgotten", error),
    ),
  );
}
