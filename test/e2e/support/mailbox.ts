import { expect, type Page } from "@playwright/test";

/** @param except texts of mails that do not count @returns the text of the newest matching mail */
export async function findMail(
  page: Page,
  to: string,
  subject: RegExp,
  except: readonly string[] = [],
): Promise<string> {
  const mail = page
    .getByRole("article", { name: subject })
    .filter({ hasText: `To ${to}` })
    .first();
  let text = "";
  await expect(async () => {
    await page.goto("/dev/mailbox");
    await expect(mail).toBeVisible({ timeout: 500 });
    text = (await mail.locator("pre").textContent()) ?? "";
    expect(except).not.toContain(text);
  }).toPass();
  return text;
}

/** @returns the URL of the first link in the newest matching mail */
export async function findMailedLink(page: Page, to: string, subject: RegExp): Promise<string> {
  return firstLink(await findMail(page, to, subject));
}

export function firstLink(text: string): string {
  return /https?:\/\/\S+/.exec(text)?.[0] ?? "";
}
