import type { Page } from "@playwright/test";
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

/** The admin sessions of this person showed who they are eleven minutes ago. */
export async function letAdminConfirmationRunOut(userId: string): Promise<void> {
  await query(`update admin_sessions set confirmed_at = ${Date.now() - 660_000} where user_id = '${userId}'`);
}

export const codeField = "Code from your authenticator app";
