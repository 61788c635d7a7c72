import type { Page } from "@playwright/test";
import { ACCOUNT_FIELD } from "../../support/login-providers/test-client.ts";
import { newEmail } from "./accounts.ts";
import { waitForScripts } from "./waiting.ts";

/** Whom the provider knows. Their address there is `<name>@example.com`. */
export const newName = () => newEmail().replace("@example.com", "");

/** Fills the provider's form in, and waits until the browser is back. */
export async function signInThere(page: Page, name: string): Promise<void> {
  await page.getByLabel(ACCOUNT_FIELD).fill(name);
  await page.getByRole("button", { name: "Sign in there" }).click();
  await page.waitForURL((url) => url.port !== process.env.E2E_OIDC_PORT);
  await waitForScripts(page);
}

export async function enterBy(page: Page, label: string, name: string, loginPage = "/login"): Promise<void> {
  await page.goto(loginPage);
  await page
    .getByRole("dialog")
    .getByRole("link", { name: `Continue with ${label}` })
    .click();
  await signInThere(page, name);
}
