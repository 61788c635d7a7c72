import { expect, type Page } from "@playwright/test";
import { generateSync } from "otplib";
import { signUpByApi } from "./accounts.ts";
import { query } from "./database.ts";

interface Administrator {
  email: string;
  id: string;
}

/** Somebody with an account and the role, signed in to the account on this page. */
export async function becomeAdministrator(page: Page, origin?: string): Promise<Administrator> {
  const email = await signUpByApi(page);
  await query(`update users set is_admin = 1 where email = '${email}'`, origin);
  const [user] = await query(`select id from users where email = '${email}'`, origin);
  return { email, id: String(user?.id) };
}

/** Sets an app up for whoever is signed in on this page. @returns its secret; the code of this moment can be used again */
export async function setUpAppByApi(page: Page, userId: string, origin?: string): Promise<string> {
  const { secret } = (await (await page.request.post("/api/auth/totp")).json()) as { secret: string };
  const enabled = await page.request.post("/api/auth/totp/enable", { data: { code: generateSync({ secret }) } });
  expect(enabled.status()).toBe(200);
  await letCodesComeAgain(userId, origin);
  return secret;
}

export async function letCodesComeAgain(userId: string, origin?: string): Promise<void> {
  await query(`update second_factors set last_step = 0 where user_id = '${userId}'`, origin);
}

/** The admin sessions of this person showed who they are eleven minutes ago. */
export async function letAdminConfirmationRunOut(userId: string): Promise<void> {
  await query(`update admin_sessions set confirmed_at = ${Date.now() - 660_000} where user_id = '${userId}'`);
}

export const codeField = "Code from your authenticator app";
