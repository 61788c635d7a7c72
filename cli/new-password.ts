import { readPassword } from "../opener/password.ts";
import { usage } from "./options.ts";

interface PasswordOptions {
  password?: string;
  /** Reads the first line of standard input. */
  "password-stdin"?: boolean;
  "no-password"?: boolean;
}

/** @returns null to take it away; undefined to leave it as it is @throws Failure `usage` for more than one way */
export async function readNewPassword(options: PasswordOptions): Promise<string | null | undefined> {
  const { password, "password-stdin": isPiped = false, "no-password": isTakenAway = false } = options;
  if ([password !== undefined, isPiped, isTakenAway].filter(Boolean).length > 1) {
    throw usage("Give one password, or --no-password.");
  }
  if (isPiped) return readPassword();
  return isTakenAway ? null : password;
}
