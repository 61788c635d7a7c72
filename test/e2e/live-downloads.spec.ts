import type { Locator, Page } from "@playwright/test";
import { MIB } from "#domain/units.ts";
import { newEmail, signUp } from "./support/accounts.ts";
import { expectAccessible } from "./support/axe.ts";
import { query } from "./support/database.ts";
import { chooseFile, randomFile, sparseFile } from "./support/files.ts";
import { expect, test } from "./support/fixtures.ts";
import { findMail, firstLink } from "./support/mailbox.ts";
import { pathOf, requestByApi, sendListed } from "./support/requests.ts";

/** More than the buffers on the way hold, so that a response waits for its reader. */
const SIZE_BYTES = 32 * MIB;

interface Watched {
  id: string;
  /** Of the file's bytes. */
  url: string;
  lines: Locator;
}

/** Call it before the page opens. @returns when the feed has told the page what it remembers */
function hearFeed(page: Page): Promise<void> {
  return new Promise((resolve) => {
    page.on("websocket", (socket) => {
      if (!socket.url().endsWith("/ws/account")) return;
      socket.on("framereceived", () => {
        resolve();
      });
    });
  });
}

/** Somebody has the page of their large file open. */
async function watch(page: Page): Promise<Watched> {
  await signUp(page);
  await chooseFile(page, await sparseFile("film.mp4", SIZE_BYTES));
  await expect(page.getByRole("heading", { name: "Ready to share" })).toBeVisible();
  const downloadId = (await page.getByLabel("Share link").inputValue()).split("/").at(-1) ?? "";
  const [row] = await query(`select id from files where download_id = '${downloadId}'`);
  const id = String(row?.id);
  const heard = hearFeed(page);
  await page.goto(`/dashboard/${id}`);
  await heard;
  const lines = page.getByRole("list", { name: "Downloads of this link" }).getByRole("listitem");
  return { id, url: new URL(`/api/files/download/${downloadId}/content`, page.url()).href, lines };
}

const downloadsOf = (page: Page) => page.locator("dl > div", { hasText: /^Downloads/ }).locator("dd");

test("the page of a file shows a download while it runs, and how it ends [FEED-4] @everyday", async ({ page }) => {
  const { url, lines } = await watch(page);
  const leaving = new AbortController();
  const cut = await fetch(url, { signal: leaving.signal });
  await cut.body?.getReader().read();
  await expect(lines).toHaveText([/^Somebody with the link · started .+ · 32 MB · downloading now$/]);
  leaving.abort();
  await expect(lines).toHaveText([/broke off$/]);
  await expect(downloadsOf(page)).toHaveText("0");

  const whole = await fetch(url);
  expect((await whole.arrayBuffer()).byteLength).toBe(SIZE_BYTES);
  await expect(lines).toHaveText([/done in \d+ sec$/, /broke off$/]);
  await expect(downloadsOf(page)).toHaveText("1");
});

test("the ranges of somebody who was mailed the link are one line with their address [FEED-4]", async ({ page }) => {
  const { id, url, lines } = await watch(page);
  const email = newEmail();
  expect((await page.request.post(`/api/files/${id}/share`, { data: { email } })).ok()).toBe(true);
  const other = await page.context().newPage();
  const token = new URL(firstLink(await findMail(other, email, /sent you a file/))).searchParams.get("for");
  await other.close();
  const read = async (range: string) => (await fetch(`${url}?for=${token}`, { headers: { range } })).arrayBuffer();
  await read(`bytes=0-${10 * MIB - 1}`);
  await expect(lines).toHaveText([new RegExp(`^${email} · started .+ · 32 MB · downloading now$`)]);
  await expectAccessible(page, "live-running");
  await read(`bytes=${10 * MIB}-${20 * MIB - 1}`);
  await read(`bytes=${20 * MIB}-`);
  await expect(lines).toHaveText([new RegExp(`^${email} · started .+ · 32 MB · done in \\d+ sec$`)]);
  await expectAccessible(page, "live-done");
  await expect(downloadsOf(page)).toHaveText("1");
});

test("the dashboard shows it, too, and counts it, but not what its owner fetches [FEED-1]", async ({ page }) => {
  const { url } = await watch(page);
  const heard = hearFeed(page);
  await page.goto("/dashboard");
  await heard;
  const file = page.getByRole("main").getByRole("listitem").filter({ hasText: "film.mp4" }).first();
  const lines = file.getByRole("list", { name: "Downloads of this link" }).getByRole("listitem");
  expect((await page.request.get(url)).status()).toBe(200);
  await (await fetch(url)).arrayBuffer();
  await expect(lines).toHaveText([/^Somebody with the link .+ done in \d+ sec$/]);
  await expect(file).toContainText("2 downloads");
});

test("what comes through a request appears by itself [FEED-1]", async ({ page, openBrowser }) => {
  await signUp(page);
  const request = await requestByApi(page, "Invoices");
  const heard = hearFeed(page);
  await page.goto("/dashboard/received");
  await expect(page.getByText("Nothing has come yet.")).toBeVisible();
  await heard;
  const stranger = await openBrowser();
  await stranger.goto(pathOf(request));
  await stranger.getByLabel("Choose files").setInputFiles(await randomFile("march.pdf", 100));
  await sendListed(stranger);
  await expect(page.getByRole("link", { name: "Open march.pdf" })).toBeVisible();
});
