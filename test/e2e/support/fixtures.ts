import { test as base, type BrowserContext, type Page } from "@playwright/test";
import { waitForScripts } from "./waiting.ts";

export { expect } from "@playwright/test";

interface Watching {
  faults: Faults;
  /** Announces console errors that the test means to cause. */
  expectErrors(pattern: RegExp): void;
  /** Opens another person's browser, watched like the first. */
  openBrowser(): Promise<Page>;
}

interface Faults {
  found: string[];
  expected: RegExp[];
}

/**
 * Playwright's own script is kept out of the mailbox's sandboxed frames, like any other. The router breaks off an answer
 * that it is still reading when a newer page overtakes it.
 */
const HARMLESS = [/Blocked script execution in 'about:srcdoc'/, /BodyStreamBuffer was aborted/];

/** Every test fails on a console error it did not announce, and on a request that leaves this machine. */
export const test = base.extend<Watching>({
  // eslint-disable-next-line no-empty-pattern -- how Playwright is told that nothing is needed
  faults: async ({}, use) => {
    const faults: Faults = { found: [], expected: [...HARMLESS] };
    await use(faults);
    const unexpected = faults.found.filter((fault) => !faults.expected.some((pattern) => pattern.test(fault)));
    if (unexpected.length > 0) throw new Error(`Unexpected in the browser:\n${unexpected.join("\n")}`);
  },
  expectErrors: async ({ faults }, use) => {
    await use((pattern) => {
      faults.expected.push(pattern);
    });
  },
  context: async ({ context, faults }, use) => {
    watch(context, faults);
    await use(context);
  },
  openBrowser: async ({ browser, faults, baseURL }, use) => {
    const opened: BrowserContext[] = [];
    await use(async () => {
      const context = await browser.newContext({ baseURL });
      opened.push(context);
      watch(context, faults);
      return context.newPage();
    });
    await Promise.all(opened.map((context) => context.close()));
  },
});

function watch(context: BrowserContext, faults: Faults): void {
  context.on("page", answerOnlyWhenAlive);
  context.on("console", (message) => {
    if (message.type() === "error") faults.found.push(`console: ${message.text()} ${message.location().url}`);
  });
  context.on("weberror", (webError) => {
    faults.found.push(`exception: ${webError.error().message}`);
  });
  // Watched, not routed: a page whose requests are routed has no cache. The browser itself knows no other host.
  context.on("request", (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (protocol.startsWith("http") && hostname !== "localhost") faults.found.push(`request: ${request.url()}`);
  });
}

/** A click on a page whose scripts have not started yet is lost: opening and reloading a page waits for them. */
function answerOnlyWhenAlive(page: Page): void {
  const goto = page.goto.bind(page);
  const reload = page.reload.bind(page);
  page.goto = async (...options) => {
    const response = await goto(...options);
    await waitForScripts(page);
    return response;
  };
  page.reload = async (...options) => {
    const response = await reload(...options);
    await waitForScripts(page);
    return response;
  };
}
