import type { Page } from "playwright-core";

/** Turns end-to-end encryption on, in the upload card. */
export async function encryptUpload(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Protect the link" }).click();
  await page.getByRole("switch", { name: "End-to-end encrypted" }).check();
}

/** @returns the link of the upload that has just finished */
export function shownLink(page: Page): Promise<string> {
  return page.getByLabel("Share link").inputValue();
}

/**
 * Opens the page of an encrypted link of one file.
 * @returns a function that downloads the file, and resolves when all of it is decrypted
 */
export async function prepareOpening(page: Page, link: string): Promise<() => Promise<void>> {
  await page.goto(link);
  const button = page.getByRole("button", { name: "Download", exact: true });
  await button.waitFor();
  return async () => {
    const opened = page.evaluate(isOpened);
    await button.click();
    await opened;
  };
}

/** Runs in the page. A MutationObserver reacts at once; Playwright polls every half second. */
function isOpened(): Promise<void> {
  return new Promise((resolve, reject) => {
    const observer = new MutationObserver(() => {
      const text = document.querySelector("main")?.textContent ?? "";
      if (/Decrypted( and saved)?\./.test(text)) resolve();
      if (text.includes("Part of this file is not")) reject(new Error("the page says that the file is damaged"));
    });
    observer.observe(document.body, { childList: true, subtree: true, characterData: true });
  });
}
