import { expect, type Page } from "@playwright/test";

export const PASSWORD = "a good password";
let people = 0;

/** An address nobody has used. */
export function newEmail(): string {
  people += 1;
  return `person-${process.pid}-${Date.now()}-${people}@example.com`;
}

/** Fills the register tab of the open dialog and sends it. @returns the address */
export async function register(page: Page, email = newEmail()): Promise<string> {
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Email").fill(email);
  await dialog.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await dialog.getByLabel("Confirm password").fill(PASSWORD);
  await dialog.getByRole("button", { name: "Create account" }).click();
  return email;
}

/** Fills the login tab of the open dialog and sends it. */
export async function logIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Email").fill(email);
  await dialog.getByLabel("Password", { exact: true }).fill(password);
  await dialog.getByRole("button", { name: "Log In" }).click();
}

/** A new account, signed in, without any page. @returns the address */
export async function signUpQuietly({ request }: Page, email = newEmail()): Promise<string> {
  const answer = await request.post("/api/auth/register", { data: { email, password: PASSWORD } });
  if (!answer.ok()) throw new Error(`the register answered ${answer.status()}: ${await answer.text()}`);
  return email;
}

/** A new account, signed in, on the home page. @returns the address */
export async function signUp(page: Page): Promise<string> {
  const email = await signUpQuietly(page);
  await page.goto("/");
  await expect(page.getByRole("banner").getByRole("link", { name: "Dashboard" })).toBeVisible();
  return email;
}
