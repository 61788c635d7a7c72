import { generateSync } from "otplib";
import { answerOf } from "./worker.ts";
import type { Browser } from "./browser.ts";

export interface TestFactor {
  /** Base32. */
  secret: string;
  recoveryCodes: string[];
}

/** The code that an app shows `steps` of 30 seconds from now. */
export function codeAt(secret: string, steps: number): string {
  return generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + 30 * steps });
}

/** Sets up an authenticator app for the person of this browser. Its first code is of the step of time before now. */
export async function setUpFactor(browser: Browser): Promise<TestFactor> {
  const [begun, { secret }] = await answerOf(browser.post("/api/auth/totp", {}));
  if (begun !== 201) throw new Error(`setting up answered ${begun}`);
  const code = codeAt(String(secret), -1);
  const [enabled, body] = await answerOf(browser.post("/api/auth/totp/enable", { code }));
  if (enabled !== 200) throw new Error(`turning on answered ${enabled}`);
  return { secret: String(secret), recoveryCodes: body.recoveryCodes as string[] };
}
