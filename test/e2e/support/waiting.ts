import { expect, type Page } from "@playwright/test";

/** Waits for hydration. Returns at once for a document without scripts. */
export async function waitForScripts(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      document.querySelector("script[type=module]") === null ||
      Object.keys(document.documentElement).some((key) => key.startsWith("__reactProps")),
  );
}

/** Waits for hydration and for what the page begins right after it, such as timers; also while its clock stands still. */
export async function waitForEffects(page: Page): Promise<void> {
  await waitForScripts(page);
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = resolve;
        port2.postMessage(null);
      }),
  );
}

/** Opens a URL with a clock that the test advances, so that retries take no real time. */
export async function openWithFakeClock(page: Page, url: string): Promise<void> {
  await page.clock.install();
  await page.goto(url);
}

export async function advanceUntilFailure(page: Page): Promise<void> {
  await expect(async () => {
    await page.clock.fastForward(1000);
    // A short timeout: the toast disappears after five seconds of the fake clock.
    await expect(page.getByRole("alert")).toBeVisible({ timeout: 100 });
  }).toPass({ intervals: [0] });
}

export async function expectToast(page: Page, title: string, description: string): Promise<void> {
  const toast = page.getByRole("region", { name: "Notifications" }).getByRole("listitem");
  await expect(toast.getByText(title, { exact: true })).toBeVisible();
  await expect(toast.getByText(description, { exact: true })).toBeVisible();
}

export async function tryAgain(page: Page): Promise<void> {
  await page.getByRole("alert").getByRole("button", { name: "Try again" }).click();
}

/**
 * Counts the responses and failures of a URL that the page has handled. Call it before the page opens.
 * @returns a function that reads the count in the current document
 */
export async function countResponses(page: Page, path: string): Promise<() => Promise<number>> {
  await page.addInitScript((countedPath) => {
    let answers = 0;
    Object.assign(globalThis, { answers: () => answers });
    // A message event runs after the page's handlers of the response, also with a paused clock.
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      answers += 1;
    };
    const count = (url: unknown) => {
      if (String(url).endsWith(countedPath)) port2.postMessage(null);
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
