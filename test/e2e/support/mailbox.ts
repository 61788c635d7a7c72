import { expect, type Page } from "@playwright/test";

/** @returns the URL of the first link in the newest matching mail */
export async function findMailedLink(page: Page, to: string, subject: RegExp): Promise<string> {
  const mail = page
    .getByRole("article", { name: subject })
    .filter({ hasText: `To ${to}` })
    .first();
  await expect(async () => {
    await page.goto("/dev/mailbox");
    await expect(mail).toBeVisible({ timeout: 500 });
  }).toPass();
  const text = (await mail.locator("pre").textContent()) ?? "";
  return /https?:\/\/\S+/.exec(text)?.[0] ?? "";
}
