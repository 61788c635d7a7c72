import type { Page } from "@playwright/test";
import { MIB } from "#domain/units.ts";
import { prepareServer, type LocalServer } from "../../scripts/local-server.ts";
import { chooseFile, downloadHash, randomFile, sha256 } from "./support/files.ts";
import { expect, test as base } from "./support/fixtures.ts";
import { signUp } from "./support/accounts.ts";

/** A local server of its own, which the tests may kill. */
const test = base.extend<object, { server: LocalServer }>({
  server: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright requires an object pattern
    async ({}, use) => {
      const server = await prepareServer();
      try {
        await server.start();
        await use(server);
      } finally {
        await server.stop();
      }
    },
    { scope: "worker", timeout: 480_000 },
  ],
  baseURL: async ({ server }, use) => {
    await use(server.origin);
  },
});

test.describe.configure({ mode: "serial" });

/** Console messages of a page that has lost its server. */
const CONNECTION_ERRORS = /ERR_CONNECTION|ERR_EMPTY_RESPONSE|ERR_SOCKET|WebSocket|50[023]/;

/** For each transport: its page, its requests, and how many of them the file needs. */
const TRANSPORTS = [
  { transport: "direct", address: "/direct-upload", requests: /partNumber=\d+/, requestCount: 6 },
  { transport: "chunks", address: "/chunked-upload", requests: /\/api\/chunked-upload\/chunk$/, requestCount: 48 },
];

/** Resolves after this many successful responses. */
async function waitForResponses(page: Page, requests: RegExp, count: number): Promise<void> {
  for (let responses = 0; responses < count; responses += 1) {
    await page.waitForResponse((response) => requests.test(response.url()) && response.ok());
  }
}

for (const { transport, address, requests, requestCount } of TRANSPORTS) {
  test(`an upload survives a server crash and resumes by itself: ${transport} [CHK-14, UP-17]`, async ({
    page,
    server,
    request,
    expectErrors,
  }) => {
    expectErrors(CONNECTION_ERRORS);
    await signUp(page);
    await page.clock.install();
    await page.goto(address);
    let sent = 0;
    page.on("request", (request) => {
      if (requests.test(request.url())) sent += 1;
    });
    // Holds all but the first three requests until the server is dead, so that the upload cannot end before.
    const killed = Promise.withResolvers<undefined>();
    let started = 0;
    await page.route(requests, async (route) => {
      started += 1;
      if (started > 3) await killed.promise;
      await route.continue();
    });
    const path = await randomFile(`killed-${transport}.bin`, 48 * MIB);
    const twoResponses = waitForResponses(page, requests, 2);
    await chooseFile(page, path);
    const link = await page.getByLabel("Share Link").inputValue();
    await twoResponses;
    // Stops the page's clock: on a busy machine the server starts slower than the retries wait.
    const requestFailed = page.waitForEvent("requestfailed", (failed) => requests.test(failed.url()));
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 10_000));
    await server.kill();
    killed.resolve(undefined);
    await requestFailed;
    await server.start();
    await page.clock.resume();
    await expect(page.getByRole("heading", { name: "Upload Successful!" })).toBeVisible({ timeout: 90_000 });
    expect(await page.getByLabel("Share Link").inputValue()).toBe(link);
    expect(await downloadHash(request, link)).toBe(await sha256(path));
    // Stored parts are not sent again.
    expect(sent).toBeGreaterThan(requestCount);
    expect(sent).toBeLessThan(2 * requestCount);
  });
}
