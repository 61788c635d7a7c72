import { WRONG_UNTOLD } from "#domain/rate-limits.ts";
import { isWithinRateLimit, giveBackRateLimit } from "../limits/enforce-rate-limit.ts";
import { logError } from "../log.ts";
import { adminGuessedMessage } from "../mail/messages/sign-in.tsx";
import type { Services } from "../services.ts";

/** The kind of secret that somebody may be guessing. */
type Secret = "password" | "code";

/** The administrator whose secret somebody has entered. */
interface Entered {
  /** The name by which the administrator signs in to the back office. */
  username: string;
  /** The address to which warnings are mailed. */
  email: string;
}

const CALLS = { password: "wrongAdminPassword", code: "wrongAdminCode" } as const;

/**
 * Counts a wrong password or code of an administrator, after the answer is sent, so that the answer's duration tells
 * nothing. From the tenth wrong entry since the last right one on, mails the administrator once a day. If counting or
 * mailing fails, only logs the error.
 */
export function noteWrongOfAdmin(services: Services, secret: Secret, { username, email }: Entered): void {
  const note = async () => {
    // `count` keeps this isolate from remembering a refusal, because a right password in another isolate could not undo
    // it.
    const caller = { ip: "", account: username.toLowerCase(), count: 1 };
    if (await isWithinRateLimit(services, CALLS[secret], caller)) return;
    const mails = { ...caller, account: `${secret} ${caller.account}` };
    if (!(await isWithinRateLimit(services, "adminGuessingMail", mails))) return;
    await services.outbox.post(adminGuessedMessage(email, secret, username));
  };
  services.waitUntil(note().catch((error: unknown) => logError("admin.guessing_mail_failed", error)));
}

/**
 * Forgets an administrator's wrong guesses after a right password or code. Runs after the answer is sent, and only logs
 * an error.
 */
export function forgetWrongOfAdmin(services: Services, secret: Secret, username: string): void {
  const caller = { ip: "", account: username.toLowerCase(), count: WRONG_UNTOLD };
  services.waitUntil(
    giveBackRateLimit(services, CALLS[secret], caller).catch((error: unknown) =>
      logError("admin.guesses_not_forgotten", error),
    ),
  );
}
