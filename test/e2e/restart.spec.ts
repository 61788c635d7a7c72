import type { Page } from "@playwright/test";
import { prepareServer, type LocalServer } from "../../scripts/local-server.ts";
import { choose, downloadHash, randomFile, sha256 } from "./support/files.ts";
import { expect, test as base } from "./support/fixtures.ts";
import { signUp } from "./support/accounts.ts";

const MIB = 1024 * 1024;

/** A local system of this file's own, which may be killed. */
const test = base.extend<object, { server: LocalServer }>({
  server: [
    // eslint-disable-next-line no-empty-pattern -- how Playwright is told that nothing is needed
    async ({}, use) => {
      const server = await prepareServer();
      try {
        await server.start();
        await use(server);
      } finally {
        await server.stop();
      }
    },
    { scope: "worker", timeout: 120_000 },
  ],
  baseURL: async ({ server }, use) => {
    await use(server.origin);
  },
});

test.describe.configure({ mode: "serial" });

/** What a page that has lost its server says on the console. */
const LOST = /ERR_CONNECTION|ERR_EMPTY_RESPONSE|ERR_SOCKET|WebSocket|50[023]/;

/** How a road is seen to be under way, and what its last step is called. */
const ROADS = [
  { transport: "direct", address: "/direct-upload", step: /partNumber=\d+/, steps: 6 },
  { transport: "chunks", address: "/chunked-upload", step: /\/api\/chunked-upload\/chunk$/, steps: 48 },
];

/** Resolves when so many requests of a kind have been answered. */
async function answered(page: Page, step: RegExp, count: number): Promise<void> {
  for (let seen = 0; seen < count; seen += 1) {
    await page.waitForResponse((response) => step.test(response.url()) && response.ok());
  }
}

for (const { transport, address, step, steps } of ROADS) {
  test(`an upload outlives the server's death and goes on by itself: ${transport}`, async ({
    page,
    server,
    request,
    expectErrors,
  }) => {
    test.setTimeout(180_000);
    expectErrors(LOST);
    await signUp(page);
    await page.clock.install();
    await page.goto(address);
    let sent = 0;
    page.on("request", (leaving) => {
      if (step.test(leaving.url())) sent += 1;
    });
    // All but the first three steps wait for the server's death, so that the upload cannot end before it.
    const killed = Promise.withResolvers<undefined>();
    let begun = 0;
    await page.route(step, async (route) => {
      begun += 1;
      if (begun > 3) await killed.promise;
      await route.continue();
    });
    const path = await randomFile(`killed-${transport}.bin`, 48 * MIB);
    const underWay = answered(page, step, 2);
    await choose(page, path);
    const link = await page.getByLabel("Share Link").inputValue();
    await underWay;
    // The page's clock stands still meanwhile: a start takes longer on a busy machine than the retries wait.
    const lost = page.waitForEvent("requestfailed", (failed) => step.test(failed.url()));
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 10_000));
    await server.kill();
    killed.resolve(undefined);
    await lost;
    await server.start();
    await page.clock.resume();
    await expect(page.getByRole("heading", { name: "Upload Successful!" })).toBeVisible({ timeout: 90_000 });
    expect(await page.getByLabel("Share Link").inputValue()).toBe(link);
    expect(await downloadHash(request, link)).toBe(await sha256(path));
    // What had arrived did not go again.
    expect(sent).toBeGreaterThan(steps);
    expect(sent).toBeLessThan(2 * steps);
  });
}
