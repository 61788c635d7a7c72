import { query } from "./support/database.ts";
import { expect, test } from "./support/fixtures.ts";
import { signUp } from "./support/accounts.ts";
import { startUploadByApi, downloadCount, downloadsCounted, uploadByApi } from "./support/sharing.ts";
import { openWithFakeClock } from "./support/waiting.ts";

/** Decision 010. */
const PRIVATE = {
  "x-robots-tag": "noindex",
  "referrer-policy": "no-referrer",
  "cache-control": "private, no-store, no-transform",
};

/** @param ms from now; may be negative */
async function expireIn(downloadId: string, ms: number): Promise<void> {
  await query(`update files set expires_at = ${Date.now() + ms} where download_id = '${downloadId}'`);
}

test("the countdown uses the server's clock, and the page shows the expiry when it ends [DEC-3, DEC-7, DL-2]", async ({
  page,
  openBrowser,
  expectErrors,
}) => {
  const owner = await signUp(page);
  const id = await uploadByApi(page, { name: "budget.xlsx", type: "", body: "some figures" });
  const stranger = await openBrowser();
  const timer = stranger.getByRole("timer");
  const response = await stranger.goto(`/download/${id}`);
  expect(response?.headers()).toMatchObject(PRIVATE);
  await expect(timer).toHaveText(/^23 h 59 min left$/);
  await expect(stranger.locator("[data-kind=spreadsheet]")).toBeVisible();
  await expect(stranger.getByText("Your file is ready", { exact: true })).toBeVisible();
  await expect(stranger.getByRole("heading", { name: "budget.xlsx", exact: true })).toBeVisible();
  await expect(stranger.getByText("12 Bytes", { exact: true })).toBeVisible();
  await expect(stranger.getByText(/^Expires \w{3} \d{1,2}, \d{4}, \d{1,2}:\d{2}\s[AP]M$/)).toBeVisible();
  await expect(stranger.getByRole("link", { name: "Download", exact: true })).toHaveAttribute(
    "href",
    new RegExp(`/api/files/download/${id}/content$`),
  );
  await expect(stranger.getByText("This file expires soon.")).toHaveCount(0);

  // The link preview of chat apps.
  const content = (name: string) => stranger.locator(`meta[property="${name}"], meta[name="${name}"]`);
  await expect(content("og:title")).toHaveAttribute("content", "budget.xlsx");
  await expect(content("og:description")).toHaveAttribute("content", "A shared file, 12 Bytes");
  await expect(content("robots")).toHaveAttribute("content", "noindex");
  expect(await stranger.content()).not.toContain(owner);

  // A browser clock that is one hour ahead.
  await stranger.clock.install({ time: Date.now() + 3_600_000 });
  await stranger.reload();
  await expect(timer).toHaveText(/^23 h 59 min left$/);

  // Pause the clock so that the page shows the last minute.
  await stranger.clock.pauseAt(await stranger.evaluate(() => Date.now() + 1000));
  await expireIn(id, 50_000);
  await stranger.reload();
  await expect(stranger.getByText("This file expires soon.")).toBeVisible();
  await expect(timer).toHaveText(/^\d\d s left$/);
  expectErrors(/410/);
  await expireIn(id, -1000);
  await stranger.clock.runFor(60_000);
  await expect(stranger.getByRole("heading", { name: "File Has Expired" })).toBeVisible();

  const answer = await stranger.reload();
  expect(answer?.status()).toBe(410);
  expect(answer?.headers()).toMatchObject(PRIVATE);
  const html = await stranger.content();
  for (const secret of ["budget", "og:title", owner]) expect(html).not.toContain(secret);
});

test("a download is counted once and can be repeated; /download redirects to the home page [DL-3, NAV-16] @everyday", async ({
  page,
  openBrowser,
}) => {
  await signUp(page);
  const id = await uploadByApi(page, { name: "notes.txt", type: "text/plain", body: "a few words" });
  const stranger = await openBrowser();
  await stranger.goto(`/download/${id}`);
  const downloading = stranger.waitForEvent("download");
  await stranger.getByRole("link", { name: "Download", exact: true }).click();
  await (await downloading).path();
  await expect(stranger.getByRole("link", { name: "Download Again" })).toBeVisible();
  await expect.poll(() => downloadCount(id)).toBe(1);
  // A message too many would come by now.
  await downloadsCounted(page);
  expect(await downloadCount(id)).toBe(1);
  await stranger.goto("/download");
  await expect(stranger).toHaveURL("/");
});

test("a page that opens its socket after the upload ended still shows the download", async ({ page, openBrowser }) => {
  await signUp(page);
  const { downloadId, finish } = await startUploadByApi(page, {
    name: "notes.txt",
    type: "text/plain",
    body: "some words",
  });
  const stranger = await openBrowser();
  // The script that opens the socket arrives after the upload has ended.
  const arrived = Promise.withResolvers<undefined>();
  await stranger.route("**/assets/live-socket-*.js", async (route) => {
    await arrived.promise;
    await route.continue();
  });
  await stranger.goto(`/download/${downloadId}`);
  await expect(stranger.getByText("0 %")).toBeVisible();
  await finish();
  arrived.resolve(undefined);
  await expect(stranger.getByRole("link", { name: "Download", exact: true })).toBeVisible();
});

test("without a socket the page polls until the upload is complete or gone", async ({
  page,
  openBrowser,
  expectErrors,
}) => {
  await signUp(page);
  const stranger = await openBrowser();
  await stranger.addInitScript(() => {
    class Blocked extends EventTarget {
      onclose: ((event: CloseEvent) => void) | null = null;
      constructor() {
        super();
        queueMicrotask(() => this.onclose?.(new CloseEvent("close", { code: 1006 })));
      }
      close() {}
    }
    Object.assign(window, { WebSocket: Blocked });
  });
  const file = { name: "notes.txt", type: "text/plain", body: "some words" };
  const otherUpload = await startUploadByApi(page, file);
  await openWithFakeClock(stranger, `/download/${otherUpload.downloadId}`);
  await expect(stranger.getByText("0 %")).toBeVisible();
  await otherUpload.finish();
  await stranger.clock.runFor(15_000);
  await expect(stranger.getByRole("link", { name: "Download", exact: true })).toBeVisible();

  const { downloadId } = await startUploadByApi(page, file);
  await stranger.goto(`/download/${downloadId}`);
  await expect(stranger.getByText("0 %")).toBeVisible();
  expectErrors(/404/);
  await page.request.post("/api/direct-upload/cancel", { data: { downloadId } });
  await stranger.clock.runFor(15_000);
  await expect(stranger.getByRole("heading", { name: "Upload Cancelled" })).toBeVisible();
});

test("a file that expires while the browser is offline stays visible until the server answers", async ({
  page,
  openBrowser,
  expectErrors,
}) => {
  await signUp(page);
  const id = await uploadByApi(page, { name: "notes.txt", type: "text/plain", body: "some words" });
  await expireIn(id, 60_000);
  const stranger = await openBrowser();
  await openWithFakeClock(stranger, `/download/${id}`);
  await expect(stranger.getByText("This file expires soon.")).toBeVisible();
  expectErrors(/ERR_INTERNET_DISCONNECTED|Failed to fetch|fetching the script|410/);
  const failedRequest = stranger.waitForEvent("requestfailed", (request) => request.url().endsWith(`/download/${id}`));
  await stranger.context().setOffline(true);
  await stranger.clock.runFor(60_000);
  await failedRequest;
  await expect(stranger.getByRole("heading", { name: "notes.txt" })).toBeVisible();
  await expireIn(id, -1000);
  await stranger.context().setOffline(false);
  await expect(stranger.getByRole("heading", { name: "File Has Expired" })).toBeVisible();
});

test("an unknown link shows 'File Not Found' [DL-1, ERR-44]", async ({ page, expectErrors }) => {
  expectErrors(/404/);
  expect((await page.goto("/download/AAAAAAAAAAAAAAAAAAAAAA"))?.status()).toBe(404);
  await expect(page.getByRole("heading", { name: "File Not Found" })).toBeVisible();
});
