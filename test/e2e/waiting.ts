import { expect, type Page } from "@playwright/test";

/** Waits until React has taken over the document. Returns at once for a document without the product's scripts. */
export async function waitForScripts(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      document.querySelector("script[type=module]") === null ||
      Object.keys(document.documentElement).some((key) => key.startsWith("__reactProps")),
  );
}

/** Opens an address with a clock that the test can put forward: retries then need no real time. */
export async function inFakeTime(page: Page, address: string): Promise<void> {
  await page.clock.install();
  await page.goto(address);
}

/** Puts the clock forward, a second at a time, until the upload has failed. */
export async function passTime(page: Page): Promise<void> {
  await expect(async () => {
    await page.clock.fastForward(1000);
    // Briefly: a failure's toast is gone after five seconds of that clock.
    await expect(page.getByRole("alert")).toBeVisible({ timeout: 100 });
  }).toPass({ intervals: [0] });
}

export async function expectToast(page: Page, title: string, description: string): Promise<void> {
  const toast = page.getByRole("region", { name: "Notifications" }).getByRole("listitem");
  await expect(toast.getByText(title, { exact: true })).toBeVisible();
  await expect(toast.getByText(description, { exact: true })).toBeVisible();
}

/** The failed upload's button: the file is not chosen anew. */
export async function tryAgain(page: Page): Promise<void> {
  await page.getByRole("alert").getByRole("button", { name: "Try again" }).click();
}
