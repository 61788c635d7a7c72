import { expect, type APIRequestContext, type Locator, type Page } from "@playwright/test";
import { ensureDevVars } from "../../../scripts/dev-vars.ts";
import { query } from "./database.ts";
import { newEmail, PASSWORD } from "./accounts.ts";

export { expectToast } from "./plans.ts";

export const ADMIN = ensureDevVars();

export async function submitLogin(page: Page, username: string, password: string): Promise<void> {
  await page.getByLabel("Username").fill(username);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("main").getByRole("button", { name: "Log In" }).click();
}

/** @param search query string of the dashboard's URL */
export async function openAdmin(page: Page, search = ""): Promise<void> {
  const response = await page.request.post("/api/admin/login", { data: ADMIN });
  expect(response.status()).toBe(200);
  await page.goto(`/admin/dashboard${search}`);
  await expect(page.getByRole("button", { name: "Logout" })).toBeVisible();
}

export async function createUser(request: APIRequestContext): Promise<{ email: string; id: string }> {
  const email = newEmail();
  const response = await request.post("/api/auth/register", { data: { email, password: PASSWORD } });
  expect(response.ok()).toBe(true);
  const [user] = await query(`select id from users where email = '${email}'`);
  return { email, id: String(user?.id) };
}

interface FileRow {
  userId: string;
  filename: string;
  expiresAt?: number | null;
  s3DeletedAt?: number;
}

/** Noon: the same day in every time zone of the test machines. */
const UPLOADED_AT = Date.UTC(2026, 0, 1, 12);

export async function insertFile({ userId, filename, expiresAt = null, s3DeletedAt }: FileRow): Promise<string> {
  const id = crypto.randomUUID();
  const downloadId = crypto.randomUUID().replaceAll("-", "").slice(0, 22);
  await query(
    `insert into files (id, user_id, filename, original_filename, size, mime_type, s3_key, download_id, status, etag,
       expiration, created_at, uploaded_at, expires_at, s3_deleted_at, download_count, reserved_period_start, abandon_at)
     values ('${id}', '${userId}', '${filename}', '${filename}', 2048, 'text/plain', 'files/${id}', '${downloadId}',
       'uploading', 'e', '3d', ${UPLOADED_AT}, ${UPLOADED_AT}, ${expiresAt}, ${s3DeletedAt ?? null}, 7, 0, 0)`,
  );
  await query(`update files set status = 'ready' where id = '${id}'`);
  return downloadId;
}

export function tableRow(page: Page, text: string): Locator {
  return page.getByRole("row").filter({ hasText: text });
}

export async function columnNames(page: Page, table: string): Promise<string[]> {
  return page.getByRole("table", { name: table }).getByRole("columnheader").allTextContents();
}

export function tab(page: Page, name: string): Locator {
  return page.getByRole("tab", { name, exact: true });
}
