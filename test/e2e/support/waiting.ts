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

/**
 * Counts the calls of an address whose answer, or failure, the page has acted upon. To be called before the page is opened.
 * @returns the count in the document that is open
 */
export async function countAnswers(page: Page, path: string): Promise<() => Promise<number>> {
  await page.addInitScript((counted) => {
    let answers = 0;
    Object.assign(globalThis, { answers: () => answers });
    // A message comes after all that the page does at once with an answer, also while its clock stands still.
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      answers += 1;
    };
    const count = (url: unknown) => {
      if (String(url).endsWith(counted)) port2.postMessage(null);
    };
    const { fetch } = globalThis;
    globalThis.fetch = (...call) =>
      fetch(...call).catch((error: unknown) => {
        count(call[0]);
        throw error;
      });
    for (const name of ["json", "text"] as const) {
      const read = Reflect.get(Response.prototype, name) as () => Promise<unknown>;
      Object.assign(Response.prototype, {
        [name](this: Response) {
          return read.call(this).finally(() => {
            count(this.url);
          });
        },
      });
    }
  }, path);
  return () => page.evaluate(() => (Reflect.get(globalThis, "answers") as () => number)());
}
