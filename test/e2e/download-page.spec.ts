import { query } from "./support/database.ts";
import { expect, test } from "./support/fixtures.ts";
import { signUp } from "./support/accounts.ts";
import { beginSharing, countOf, share } from "./support/sharing.ts";
import { inFakeTime } from "./support/waiting.ts";

/** Decisions, The link is the secret. */
const PRIVATE = { "x-robots-tag": "noindex", "referrer-policy": "no-referrer", "cache-control": "private, no-store" };

/** Lets a file expire that many milliseconds from now, which may be negative. */
async function endIn(downloadId: string, ms: number): Promise<void> {
  await query(`update files set expires_at = ${Date.now() + ms} where download_id = '${downloadId}'`);
}

test("the time a file has left counts down by the server's clock, and the page turns when it is over", async ({
  page,
  openBrowser,
  expectErrors,
}) => {
  const owner = await signUp(page);
  const id = await share(page, { name: "budget.xlsx", type: "", body: "some figures" });
  const stranger = await openBrowser();
  const left = stranger.getByRole("timer");
  const opened = await stranger.goto(`/download/${id}`);
  expect(opened?.headers()).toMatchObject(PRIVATE);
  await expect(left).toHaveText(/^23 h 59 min left$/);
  await expect(stranger.locator("[data-kind=spreadsheet]")).toBeVisible();
  await expect(stranger.getByText("Your file is ready", { exact: true })).toBeVisible();
  await expect(stranger.getByRole("heading", { name: "budget.xlsx", exact: true })).toBeVisible();
  await expect(stranger.getByText("12 Bytes", { exact: true })).toBeVisible();
  await expect(stranger.getByText(/^Expires \w{3} \d{1,2}, \d{4}, \d{1,2}:\d{2}\s[AP]M$/)).toBeVisible();
  await expect(stranger.getByRole("link", { name: "Download", exact: true })).toHaveAttribute(
    "href",
    new RegExp(`/api/files/download/${id}/content$`),
  );
  await expect(stranger.getByText("Little time is left.")).toHaveCount(0);

  // What a chat shows beside the link.
  const content = (name: string) => stranger.locator(`meta[property="${name}"], meta[name="${name}"]`);
  await expect(content("og:title")).toHaveAttribute("content", "budget.xlsx");
  await expect(content("og:description")).toHaveAttribute("content", "A shared file, 12 Bytes");
  await expect(content("robots")).toHaveAttribute("content", "noindex");
  expect(await stranger.content()).not.toContain(owner);

  // A browser whose clock is an hour ahead counts the same.
  await stranger.clock.install({ time: Date.now() + 3_600_000 });
  await stranger.reload();
  await expect(left).toHaveText(/^23 h 59 min left$/);

  // Its time goes on only here, so that the page cannot be too late for the last minute.
  await stranger.clock.pauseAt(await stranger.evaluate(() => Date.now() + 1000));
  await endIn(id, 50_000);
  await stranger.reload();
  await expect(stranger.getByText("Little time is left.")).toBeVisible();
  await expect(left).toHaveText(/^\d\d s left$/);
  expectErrors(/410/);
  await endIn(id, -1000);
  await stranger.clock.runFor(60_000);
  await expect(stranger.getByRole("heading", { name: "File Has Expired" })).toBeVisible();

  const answer = await stranger.reload();
  expect(answer?.status()).toBe(410);
  expect(answer?.headers()).toMatchObject(PRIVATE);
  const html = await stranger.content();
  for (const secret of ["budget", "og:title", owner]) expect(html).not.toContain(secret);
});

test("a download is counted once, and the button then offers it again; /download alone leads home", async ({
  page,
  openBrowser,
}) => {
  await signUp(page);
  const id = await share(page, { name: "notes.txt", type: "text/plain", body: "a few words" });
  const stranger = await openBrowser();
  await stranger.goto(`/download/${id}`);
  const downloading = stranger.waitForEvent("download");
  await stranger.getByRole("link", { name: "Download", exact: true }).click();
  await (await downloading).path();
  await expect(stranger.getByRole("link", { name: "Download Again" })).toBeVisible();
  await expect.poll(() => countOf(id)).toBe(1);
  await stranger.goto("/download");
  await expect(stranger).toHaveURL("/");
});

test("a page that listens too late hears that the file has arrived, and turns all the same", async ({
  page,
  openBrowser,
}) => {
  await signUp(page);
  const { downloadId, finish } = await beginSharing(page, {
    name: "notes.txt",
    type: "text/plain",
    body: "some words",
  });
  const stranger = await openBrowser();
  // A slow line: what opens the socket comes after the page, and after the file.
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

test("where no socket gets through, the page asks, and turns when the file has arrived or is gone", async ({
  page,
  openBrowser,
  expectErrors,
}) => {
  await signUp(page);
  const stranger = await openBrowser();
  await stranger.addInitScript(() => {
    class Blocked extends EventTarget {
      onclose: (() => void) | null = null;
      constructor() {
        super();
        queueMicrotask(() => this.onclose?.());
      }
      close() {}
    }
    Object.assign(window, { WebSocket: Blocked });
  });
  const file = { name: "notes.txt", type: "text/plain", body: "some words" };
  const whole = await beginSharing(page, file);
  await inFakeTime(stranger, `/download/${whole.downloadId}`);
  await expect(stranger.getByText("0 %")).toBeVisible();
  await whole.finish();
  await stranger.clock.runFor(15_000);
  await expect(stranger.getByRole("link", { name: "Download", exact: true })).toBeVisible();

  const { downloadId } = await beginSharing(page, file);
  await stranger.goto(`/download/${downloadId}`);
  await expect(stranger.getByText("0 %")).toBeVisible();
  expectErrors(/404/);
  await page.request.post("/api/direct-upload/cancel", { data: { downloadId } });
  await stranger.clock.runFor(15_000);
  await expect(stranger.getByRole("heading", { name: "File Not Found" })).toBeVisible();
});

test("a file whose time is up while there is no line stays in sight, until the server can be asked", async ({
  page,
  openBrowser,
  expectErrors,
}) => {
  await signUp(page);
  const id = await share(page, { name: "notes.txt", type: "text/plain", body: "some words" });
  await endIn(id, 60_000);
  const stranger = await openBrowser();
  await inFakeTime(stranger, `/download/${id}`);
  await expect(stranger.getByText("Little time is left.")).toBeVisible();
  expectErrors(/ERR_INTERNET_DISCONNECTED|Failed to fetch|fetching the script|410/);
  const unanswered = stranger.waitForEvent("requestfailed", (request) => request.url().endsWith(`/download/${id}`));
  await stranger.context().setOffline(true);
  await stranger.clock.runFor(60_000);
  await unanswered;
  await expect(stranger.getByRole("heading", { name: "notes.txt" })).toBeVisible();
  await endIn(id, -1000);
  await stranger.context().setOffline(false);
  await expect(stranger.getByRole("heading", { name: "File Has Expired" })).toBeVisible();
});
