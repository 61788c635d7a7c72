import type { Page } from "@playwright/test";
import { signUpByApi } from "./support/accounts.ts";
import { query } from "./support/database.ts";
import { expect, test } from "./support/fixtures.ts";
import { openTransfer, rowOf, selectionOf, takeZip, TRIP, wholeZipOf } from "./support/transfer-page.ts";
import { startTransferByApi, uploadTransferByApi } from "./support/transfers.ts";
import { openWithFakeClock } from "./support/waiting.ts";

/** Follows the transfer over its socket. @returns what waits until the socket has told the state */
function watchState(page: Page): Promise<void> {
  return new Promise((resolve) => {
    page.on("websocket", (socket) => {
      socket.on("framereceived", ({ payload }) => {
        if (payload.includes("transfer_state")) resolve();
      });
    });
  });
}

/** As the engine of the page that sends the transfer says it. */
function sayProgress(sender: Page, downloadId: string, progress: unknown): Promise<void> {
  return sender.evaluate(
    ({ id, message }) =>
      new Promise<void>((resolve) => {
        const socket = new WebSocket(`/ws?id=${id}`);
        socket.onopen = () => {
          socket.send(message);
          resolve();
        };
      }),
    { id: downloadId, message: JSON.stringify({ type: "transfer_progress", ...(progress as object) }) },
  );
}

test("while it arrives, files that are there can be taken, and the page turns to ready by itself [TRF-42]", async ({
  page,
  openBrowser,
}) => {
  await signUpByApi(page);
  const files = [1, 2, 3, 4].map((n) => ({ path: `${n}.txt`, body: `${n}`.repeat(25) }));
  const transfer = await startTransferByApi(page.request, files, { title: "Four" });
  await transfer.send(0);
  const stranger = await openBrowser();
  const isWatching = watchState(stranger);
  await openTransfer(stranger, transfer.downloadId);
  await isWatching;
  await expect(stranger.getByText("25 %", { exact: true })).toBeVisible();
  await expect(rowOf(stranger, "2.txt")).toContainText("Waiting");
  await expect(stranger.getByRole("link", { name: "2.txt" })).toHaveCount(0);
  await expect(stranger.getByLabel("Select 2.txt")).toBeDisabled();
  await expect(wholeZipOf(stranger)).toHaveCount(0);
  await page.goto("/");
  await sayProgress(page, transfer.downloadId, { bytes: 60, percent: 60, moving: [[1, 70]] });
  await expect(stranger.getByText("60 %", { exact: true })).toBeVisible();
  await expect(rowOf(stranger, "2.txt")).toContainText("70 %");
  await transfer.send(1, 2);
  await expect(stranger.getByRole("link", { name: "2.txt" })).toBeVisible();
  await stranger.getByLabel("Select all").check();
  await expect(selectionOf(stranger)).toHaveText("Download 3 files (ZIP)");
  expect(Object.keys(await takeZip(stranger))).toEqual(["1.txt", "2.txt", "3.txt"]);
  await transfer.send(3);
  await transfer.finish();
  await expect(wholeZipOf(stranger)).toBeVisible();
  await expect(stranger.getByRole("link", { name: "4.txt" })).toBeVisible();
  // The selection is still there, now of the finished archive.
  await expect(selectionOf(stranger)).toHaveAttribute("href", /content\?v=.{8}&pick=/);
  await expect(selectionOf(stranger)).toHaveText("Download 3 files (ZIP)");
});

test("the page asks again until the transfer is complete, without a socket too, and shows what was removed [TRF-42]", async ({
  page,
  openBrowser,
}) => {
  await signUpByApi(page);
  const transfer = await startTransferByApi(page.request, [
    { path: "a.txt", body: "a" },
    { path: "b.txt", body: "b" },
    { path: "c.txt", body: "cc" },
  ]);
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
  await openWithFakeClock(stranger, `/download/${transfer.downloadId}`);
  await expect(stranger.getByText("0 %", { exact: true })).toBeVisible();
  await transfer.send(0);
  await stranger.clock.runFor(15_000);
  await expect(stranger.getByRole("link", { name: "a.txt" })).toBeVisible();
  await expect(stranger.getByText("25 %", { exact: true })).toBeVisible();
  await expect(stranger.getByText("3 files, 4 Bytes")).toBeVisible();
  expect((await page.request.delete(`/api/files/${transfer.uploadId}/entries/2`)).ok()).toBe(true);
  await stranger.clock.runFor(15_000);
  await expect(rowOf(stranger, "c.txt")).toHaveCount(0);
  await expect(stranger.getByText("2 files, 2 Bytes")).toBeVisible();
  await transfer.send(1);
  await transfer.finish();
  await stranger.clock.runFor(15_000);
  await expect(wholeZipOf(stranger)).toBeVisible();
});

test("says that files were removed since the page was opened, and shows those that are left [TRF-43]", async ({
  page,
  openBrowser,
  expectErrors,
}) => {
  await signUpByApi(page);
  const { downloadId, uploadId } = await uploadTransferByApi(page.request, TRIP);
  const stranger = await openBrowser();
  await openTransfer(stranger, downloadId);
  await expect(rowOf(stranger, "route.txt")).toBeVisible();
  const remove = (n: number) => page.request.delete(`/api/files/${uploadId}/entries/${n}`);
  expect((await remove(3)).ok()).toBe(true);
  expectErrors(/410/);
  await stranger.getByRole("link", { name: "route.txt" }).click();
  await expect(stranger.getByText("The files have changed", { exact: true })).toBeVisible();
  await expect(rowOf(stranger, "route.txt")).toHaveCount(0);
  // The row in its place.
  await expect(rowOf(stranger, "read me.txt")).toBeFocused();
  await expect(stranger.getByText(/^3 files, /)).toBeVisible();
  // The address of the ZIP has changed as well.
  const all = wholeZipOf(stranger);
  expect(Object.keys(await takeZip(stranger, all))).not.toContain("trip/route.txt");
  expect((await remove(4)).ok()).toBe(true);
  const before = await all.getAttribute("href");
  await all.click();
  await expect(all).not.toHaveAttribute("href", before ?? "");
});

test("shows that the transfer has expired when it ends before a download [TRF-43]", async ({
  page,
  openBrowser,
  expectErrors,
}) => {
  await signUpByApi(page);
  const { downloadId, uploadId } = await uploadTransferByApi(page.request, TRIP);
  const stranger = await openBrowser();
  await openTransfer(stranger, downloadId);
  await query(`update files set expires_at = 1 where id = '${uploadId}'`);
  expectErrors(/410/);
  await wholeZipOf(stranger).click();
  await expect(stranger.getByRole("heading", { name: "Transfer Has Expired" })).toBeVisible();
  await expect(stranger.getByText("This transfer has expired and can no longer be downloaded.")).toBeVisible();
  await expect(stranger.getByText("The files have changed")).toHaveCount(0);
  expect((await stranger.goto(`/download/${downloadId}`))?.status()).toBe(410);
  await expect(stranger).toHaveTitle(/^Transfer Has Expired · /);
});

test("the ZIP can come from another host, which the page may not ask", async ({ page, openBrowser }) => {
  await signUpByApi(page);
  const { downloadId } = await uploadTransferByApi(page.request, TRIP);
  const stranger = await openBrowser();
  await openTransfer(stranger, downloadId);
  const otherHost = `http://localhost:${process.env.E2E_VERIFIED_PORT}`;
  await stranger.route(`${otherHost}/**`, (route) =>
    route.fulfill({ headers: { "content-disposition": 'attachment; filename="other.zip"' }, body: "a ZIP" }),
  );
  await wholeZipOf(stranger).evaluate((link: HTMLAnchorElement, host) => {
    link.href = host + link.pathname + link.search;
  }, otherHost);
  const downloading = stranger.waitForEvent("download");
  await wholeZipOf(stranger).click();
  expect((await downloading).suggestedFilename()).toBe("other.zip");
});
