import { expect, type APIRequestContext, type Locator, type Page } from "@playwright/test";
import { ensureDevVars } from "../../../scripts/dev-vars.ts";
import { query } from "./database.ts";
import { newEmail, PASSWORD } from "./accounts.ts";

export { expectToast } from "./plans.ts";

/** The administrator of the settings. */
export const ADMIN = ensureDevVars();

/** Fills the login's form and sends it. */
export async function sendLogin(page: Page, username: string, password: string): Promise<void> {
  await page.getByLabel("Username").fill(username);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("main").getByRole("button", { name: "Log In" }).click();
}

/** Logs in as the administrator of the settings, and opens a tab. @param address what follows the dashboard's path */
export async function openAdmin(page: Page, address = ""): Promise<void> {
  const answer = await page.request.post("/api/admin/login", { data: ADMIN });
  expect(answer.status()).toBe(200);
  await page.goto(`/admin/dashboard${address}`);
  await expect(page.getByRole("button", { name: "Logout" })).toBeVisible();
}

/** A new account, without a browser of its own. @returns its address and id */
export async function newUser(request: APIRequestContext): Promise<{ email: string; id: string }> {
  const email = newEmail();
  const answer = await request.post("/api/auth/register", { data: { email, password: PASSWORD } });
  expect(answer.ok()).toBe(true);
  const [user] = await query(`select id from users where email = '${email}'`);
  return { email, id: String(user?.id) };
}

interface FileColumns {
  userId: string;
  filename: string;
  /** Epoch milliseconds; null for never. */
  expiresAt?: number | null;
  s3DeletedAt?: number;
}

/** Noon, so that it is the same day wherever the tests run. */
const UPLOADED_AT = Date.UTC(2026, 0, 1, 12);

/** A finished file of somebody's. @returns its download id */
export async function addFile({ userId, filename, expiresAt = null, s3DeletedAt }: FileColumns): Promise<string> {
  const id = crypto.randomUUID();
  const downloadId = crypto.randomUUID().replaceAll("-", "").slice(0, 22);
  await query(
    `insert into files (id, user_id, filename, original_filename, size, mime_type, s3_key, download_id, status, etag,
       expiration, created_at, uploaded_at, expires_at, s3_deleted_at, download_count, reserved_period_start, abandon_at)
     values ('${id}', '${userId}', '${filename}', '${filename}', 2048, 'text/plain', 'files/${id}', '${downloadId}',
       'ready', 'e', '3d', ${UPLOADED_AT}, ${UPLOADED_AT}, ${expiresAt}, ${s3DeletedAt ?? null}, 7, 0, 0)`,
  );
  return downloadId;
}

/** The row of a table that holds these words. */
export function rowOf(page: Page, words: string): Locator {
  return page.getByRole("row").filter({ hasText: words });
}

/** What a table's columns are called. */
export async function columnsOf(page: Page, table: string): Promise<string[]> {
  return page.getByRole("table", { name: table }).getByRole("columnheader").allTextContents();
}

/** The admin area's tab of that name. */
export function tab(page: Page, name: string): Locator {
  return page.getByRole("tab", { name, exact: true });
}
