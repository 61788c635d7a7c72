import { expect, type Page } from "@playwright/test";
import type { CurrentUser } from "#domain/wire.ts";
import { query } from "./database.ts";

export const PASSWORD = "a good password";
let accountCount = 0;

export function newEmail(): string {
  accountCount += 1;
  return `person-${process.pid}-${Date.now()}-${accountCount}@example.com`;
}

export async function register(page: Page, email = newEmail()): Promise<string> {
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Email").fill(email);
  await dialog.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await dialog.getByLabel("Confirm password").fill(PASSWORD);
  await dialog.getByRole("button", { name: "Create account" }).click();
  return email;
}

export async function logIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Email").fill(email);
  await dialog.getByLabel("Password", { exact: true }).fill(password);
  await dialog.getByRole("button", { name: "Log In" }).click();
}

export async function signUpByApi({ request }: Page, email = newEmail()): Promise<string> {
  const response = await request.post("/api/auth/register", { data: { email, password: PASSWORD } });
  if (!response.ok()) throw new Error(`the register answered ${response.status()}: ${await response.text()}`);
  return email;
}

export async function signUp(page: Page): Promise<string> {
  const email = await signUpByApi(page);
  await page.goto("/");
  await expect(page.getByRole("banner").getByRole("link", { name: "Dashboard" })).toBeVisible();
  return email;
}

/** The page may also read what it has copied. */
export async function signUpWithClipboard(page: Page): Promise<string> {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  return signUp(page);
}

/** The signed-in person of a page, as the server knows them. */
export async function whoIsIn({ request }: Page): Promise<CurrentUser | null> {
  const response = await request.get("/api/auth/me");
  return (await response.json()) as CurrentUser | null;
}

/** Lets the confirmation of a person's sessions run out. */
export async function letConfirmationRunOut(email: string): Promise<void> {
  await query(`update sessions set confirmed_at = 1 where user_id = (select id from users where email = '${email}')`);
}
