import { generateSync } from "otplib";
import type { Browser } from "./browser.ts";
import { answerOf, runSql } from "./worker.ts";

interface TestFactor {
  /** Base32. */
  secret: string;
  recoveryCodes: string[];
}

/** The code that an app shows `steps` of 30 seconds from now. */
export function codeAt(secret: string, steps: number): string {
  return generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + 30 * steps });
}

/** Sets up an authenticator app for the person of this browser. The code of this moment can be used again. */
export async function setUpFactor(browser: Browser): Promise<TestFactor> {
  const [begun, { secret }] = await answerOf(browser.post("/api/auth/totp", {}));
  if (begun !== 201) throw new Error(`setting up answered ${begun}`);
  const code = codeAt(String(secret), 0);
  const [enabled, body] = await answerOf(browser.post("/api/auth/totp/enable", { code }));
  if (enabled !== 200) throw new Error(`turning on answered ${enabled}`);
  const [, { id }] = await answerOf(browser.fetch("/api/auth/me"));
  await runSql("update second_factors set last_step = 0 where user_id = ?", String(id));
  return { secret: String(secret), recoveryCodes: body.recoveryCodes as string[] };
}
