import { test as base, type BrowserContext, type Page } from "@playwright/test";
import { waitForScripts } from "./waiting.ts";

export { expect } from "@playwright/test";

interface ErrorFixtures {
  browserErrors: BrowserErrors;
  /** Allows console errors that the test causes. */
  expectErrors(pattern: RegExp): void;
  /** Opens a page in a new browser context, watched for errors like the first. */
  openBrowser(): Promise<Page>;
}

interface BrowserErrors {
  found: string[];
  expected: RegExp[];
}

/**
 * Playwright's script is blocked in the mailbox's sandboxed frames. Remix aborts a response when a newer navigation
 * replaces it.
 */
const IGNORED_ERRORS = [/Blocked script execution in 'about:srcdoc'/, /BodyStreamBuffer was aborted/];

/** A test fails on unexpected console errors and on requests to other hosts. */
export const test = base.extend<ErrorFixtures>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright requires a destructuring pattern
  browserErrors: async ({}, use) => {
    const browserErrors: BrowserErrors = { found: [], expected: [...IGNORED_ERRORS] };
    await use(browserErrors);
    const unexpected = browserErrors.found.filter(
      (error) => !browserErrors.expected.some((pattern) => pattern.test(error)),
    );
    if (unexpected.length > 0) throw new Error(`Unexpected in the browser:\n${unexpected.join("\n")}`);
  },
  expectErrors: async ({ browserErrors }, use) => {
    await use((pattern) => {
      browserErrors.expected.push(pattern);
    });
  },
  context: async ({ context, browserErrors }, use) => {
    watchErrors(context, browserErrors);
    await use(context);
  },
  openBrowser: async ({ browser, browserErrors, baseURL }, use) => {
    const contexts: BrowserContext[] = [];
    await use(async () => {
      const context = await browser.newContext({ baseURL });
      contexts.push(context);
      watchErrors(context, browserErrors);
      return context.newPage();
    });
    await Promise.all(contexts.map((context) => context.close()));
  },
});

function watchErrors(context: BrowserContext, browserErrors: BrowserErrors): void {
  context.on("page", waitForScriptsAfterNavigation);
  context.on("console", (message) => {
    if (message.type() === "error") browserErrors.found.push(`console: ${message.text()} ${message.location().url}`);
  });
  context.on("weberror", (webError) => {
    browserErrors.found.push(`exception: ${webError.error().message}`);
  });
  // Listen instead of using routes, which disable the cache.
  context.on("request", (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (protocol.startsWith("http") && hostname !== "localhost") browserErrors.found.push(`request: ${request.url()}`);
  });
}

/** Waits for hydration after each navigation: what is pressed earlier is done only then. */
function waitForScriptsAfterNavigation(page: Page): void {
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
