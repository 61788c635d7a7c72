import { readFile } from "node:fs/promises";
import type { Browser, Page } from "@playwright/test";
import { signUpByApi } from "./support/accounts.ts";
import { expectAccessible } from "./support/axe.ts";
import { query } from "./support/database.ts";
import { expect, test } from "./support/fixtures.ts";
import { pngFile } from "./support/sample-files.ts";
import { uploadByApi } from "./support/sharing.ts";
import { openWithFakeClock } from "./support/waiting.ts";

const PASSWORD = "open sesame";
const NOTES = { name: "plan.txt", type: "text/plain", body: "the secret plan" };

/** @returns the download ID */
async function send(page: Page, guards: { password?: string; maxDownloads?: number }, file = NOTES): Promise<string> {
  await signUpByApi(page);
  return uploadByApi(page, { ...file, guards });
}

async function downloadsUsed(downloadId: string): Promise<number> {
  const [row] = await query(`select downloads_used as n from files where download_id = '${downloadId}'`);
  return Number(row?.n);
}

const passwordOf = (page: Page) => page.getByLabel("Password", { exact: true });
const downloadOf = (page: Page) => page.getByRole("button", { name: /^Download( Again)?$/ });

/** Waits until the card's script has come too: until then its forms are posted without it. */
async function waitForCard(page: Page): Promise<void> {
  const report = page.getByRole("button", { name: "Report this file" });
  await expect(report.and(page.locator(":enabled")).or(page.locator("input[name=password]:focus"))).toBeVisible();
}

async function unlock(page: Page, password = PASSWORD): Promise<void> {
  await passwordOf(page).fill(password);
  await page.keyboard.press("Enter");
}

/** @returns the bytes of the file that a click on this starts */
async function saved(page: Page, start = () => downloadOf(page).click()): Promise<Buffer> {
  const downloading = page.waitForEvent("download");
  await start();
  return readFile(await (await downloading).path());
}

async function withoutScripts(browser: Browser, baseURL: string | undefined): Promise<Page> {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: baseURL ?? "" });
  return context.newPage();
}

test("a password unlocks the page in place, and nothing is told before [GRD-9] @everyday", async ({
  page,
  openBrowser,
  expectErrors,
}) => {
  const id = await send(page, { password: PASSWORD });
  const stranger = await openBrowser();
  const content = (name: string) => stranger.locator(`meta[property="${name}"], meta[name="${name}"]`);
  const expectGenericCard = async () => {
    await expect(content("og:title")).toHaveAttribute("content", "Protected transfer");
    await expect(content("og:description")).toHaveAttribute("content", "Open it with what the sender gave you.");
    await expect(content("twitter:title")).toHaveAttribute("content", "Protected transfer");
  };
  const response = await stranger.goto(`/download/${id}`);
  expect(response?.headers()).toMatchObject({
    "x-robots-tag": "noindex",
    "cache-control": "private, no-store, no-transform",
  });
  expect(await response?.text()).not.toMatch(/plan\.txt|15 Bytes|text\/plain/);
  await expect(stranger).toHaveTitle(/^Protected transfer · /);
  await expectGenericCard();
  await expect(passwordOf(stranger)).toBeFocused();
  await expectAccessible(stranger, "locked");

  await stranger.keyboard.press("Enter");
  await expect(passwordOf(stranger)).toHaveAccessibleDescription("Enter the password.");
  expectErrors(/403/);
  await unlock(stranger, "open barley");
  await expect(passwordOf(stranger)).toHaveAccessibleDescription(
    "This is not the password. Ask the sender if you are unsure.",
  );
  await expect(stranger.getByRole("alert")).toHaveText("This is not the password. Ask the sender if you are unsure.");
  await expect(passwordOf(stranger)).toHaveAttribute("aria-invalid", "true");
  await expect(passwordOf(stranger)).toBeFocused();
  await expect(passwordOf(stranger)).toHaveAttribute("type", "password");
  await stranger.getByRole("button", { name: "Show password" }).click();
  await expect(passwordOf(stranger)).toHaveAttribute("type", "text");
  await expect(passwordOf(stranger)).toHaveValue("open barley");
  await expectAccessible(stranger, "wrong-password");

  await stranger.evaluate(() => Object.assign(window, { isSamePage: true }));
  await unlock(stranger);
  await expect(stranger.getByRole("heading", { name: "plan.txt" })).toBeVisible();
  await expect(stranger).toHaveTitle(/^plan\.txt · /);
  expect(await stranger.evaluate(() => "isSamePage" in window)).toBe(true);
  await expect(stranger.getByText(/counts as a download/)).toHaveCount(0);
  await stranger.getByRole("button", { name: "Preview" }).click();
  await expect(stranger.getByText("the secret plan")).toBeVisible();
  expect((await saved(stranger)).toString()).toBe("the secret plan");
  await expectAccessible(stranger, "unlocked");

  await stranger.reload();
  await expect(stranger.getByRole("heading", { name: "plan.txt" })).toBeVisible();
  await expectGenericCard();
});

test("a password unlocks without scripts, and the page tells what was wrong [GRD-10]", async ({
  page,
  browser,
  baseURL,
}) => {
  const id = await send(page, { password: PASSWORD });
  const stranger = await withoutScripts(browser, baseURL);
  await stranger.goto(`/download/${id}?refused=NONSENSE&wait=5`);
  await expect(stranger.getByRole("alert")).toHaveCount(0);
  await unlock(stranger, "open barley");
  await expect(passwordOf(stranger)).toHaveAccessibleDescription(
    "This is not the password. Ask the sender if you are unsure.",
  );
  await stranger.goto(`/download/${id}?refused=RATE_LIMITED&wait=240`);
  await expect(stranger.getByRole("alert")).toHaveText("Too many attempts. Please wait 4 minutes and try again.");
  await unlock(stranger);
  await expect(stranger.getByRole("heading", { name: "plan.txt" })).toBeVisible();
  await expect(stranger).toHaveURL(`/download/${id}`);
  expect((await saved(stranger)).toString()).toBe("the secret plan");
  await stranger.context().close();
});

test("after too many passwords the button waits as long as the server says [GRD-12]", async ({
  page,
  openBrowser,
  expectErrors,
}) => {
  const id = await send(page, { password: PASSWORD });
  const stranger = await openBrowser();
  await openWithFakeClock(stranger, `/download/${id}`);
  await waitForCard(stranger);
  const message = "Too many attempts. Please wait 60 seconds and try again.";
  // This server has no limits.
  await stranger.route("**/unlock", (route) =>
    route.fulfill({ status: 429, json: { code: "RATE_LIMITED", message, retryAfterSeconds: 60 } }),
  );
  expectErrors(/429/);
  const button = stranger.getByRole("button", { name: "Unlock" });
  await unlock(stranger);
  await expect(stranger.getByRole("alert")).toHaveText(message);
  await expect(button).toBeDisabled();
  await expect(passwordOf(stranger)).toBeFocused();
  await expectAccessible(stranger, "unlock-too-often");
  await stranger.unroute("**/unlock");
  await stranger.clock.runFor(60_000);
  await expect(button).toBeEnabled();
  await expect(stranger.getByRole("alert")).toHaveCount(0);
  await button.click();
  await expect(stranger.getByRole("heading", { name: "plan.txt" })).toBeVisible();
});

test("a link that is locked again asks for the password, and the download goes on [GRD-11]", async ({
  page,
  openBrowser,
  expectErrors,
}) => {
  const id = await send(page, { password: PASSWORD });
  const stranger = await openBrowser();
  await stranger.goto(`/download/${id}`);
  await waitForCard(stranger);
  await unlock(stranger);
  await expect(downloadOf(stranger)).toBeVisible();
  await waitForCard(stranger);
  await stranger.context().clearCookies();
  expectErrors(/401/);
  await downloadOf(stranger).click();
  const dialog = stranger.getByRole("dialog", { name: "Protected transfer" });
  await expect(dialog.getByText("This link is locked again. Enter the password to go on.")).toBeVisible();
  await expectAccessible(stranger, "locked-again");
  await stranger.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(downloadOf(stranger)).toBeFocused();

  await downloadOf(stranger).click();
  await expect(passwordOf(stranger)).toBeFocused();
  expect((await saved(stranger, () => unlock(stranger))).toString()).toBe("the secret plan");
  await expect(dialog).toHaveCount(0);
});

test("a limit of one: another browser waits, and then learns that it is used up [GRD-13]", async ({
  page,
  openBrowser,
  expectErrors,
}) => {
  const id = await send(page, { maxDownloads: 1 });
  const first = await openBrowser();
  await first.goto(`/download/${id}`);
  await waitForCard(first);
  const status = first.getByRole("status").filter({ hasText: /\S/ });
  await expect(status).toHaveText("1 of 1 download left. A broken download does not count.");
  await expectAccessible(first, "limited");
  expect((await first.request.post(`/api/files/download/${id}/take`)).status()).toBe(201);

  const second = await openBrowser();
  await openWithFakeClock(second, `/download/${id}`);
  await waitForCard(second);
  expectErrors(/409|410/);
  await downloadOf(second).click();
  await expect(second.getByRole("alert")).toHaveText(
    /^Somebody is downloading this right now\. If they do not finish, it is free again at \d{1,2}:\d{2}\s[AP]M\.$/,
  );
  const again = second.getByRole("button", { name: "Try again" });
  await expect(again).toBeDisabled();
  await expect(again).toBeFocused();
  await expectAccessible(second, "busy");

  expect((await saved(first)).toString()).toBe("the secret plan");
  await expect(status).toHaveText(/^You can go on with this download until \d{1,2}:\d{2}\s[AP]M\.$/);
  await expectAccessible(first, "taken");
  await expect.poll(() => downloadsUsed(id)).toBe(1);
  await first.reload();
  await waitForCard(first);
  await expect(status).toHaveText("No downloads are left for others, but you can go on here.");
  expect((await saved(first)).toString()).toBe("the secret plan");
  expect(await downloadsUsed(id)).toBe(1);

  await second.clock.fastForward(16 * 60_000);
  await expect(again).toBeEnabled();
  await again.click();
  await expect(second.getByRole("heading", { name: "All downloads made" })).toBeVisible();
  await expect(second.getByText("This link was good for 1 download, and it has been made.")).toBeVisible();
  await expect(second).toHaveTitle(/^All downloads made · /);
  await expect(second).toHaveURL(`/download/${id}`);
  await expectAccessible(second, "used-up");
  expect((await second.reload())?.status()).toBe(410);
  await expect(second).toHaveTitle(/^All downloads made · /);
});

test("without scripts a form takes the download, and the page tells why it was refused", async ({
  page,
  browser,
  baseURL,
}) => {
  const id = await send(page, { maxDownloads: 1 });
  const first = await withoutScripts(browser, baseURL);
  const second = await withoutScripts(browser, baseURL);
  const take = `/api/files/download/${id}/take`;
  expect((await first.request.post(take)).status()).toBe(201);
  await second.goto(`/download/${id}`);
  await expect(second.getByText("1 of 1 download left. A broken download does not count.")).toBeVisible();
  await downloadOf(second).click();
  await expect(second.getByRole("alert")).toHaveText(
    /^Somebody is downloading this right now\. If they do not finish, it is free again in 1[45] minutes\.$/,
  );
  await first.goto(`/download/${id}`);
  expect((await saved(first)).toString()).toBe("the secret plan");
  await expect.poll(() => downloadsUsed(id)).toBe(1);
  await downloadOf(second).click();
  await expect(second.getByRole("heading", { name: "All downloads made" })).toBeVisible();
  await first.context().close();
  await second.context().close();
});

test("a broken download goes on in its browser, and counts once [GRD-14]", async ({ page, openBrowser }) => {
  const body = "0123456789abcdef".repeat(500_000);
  const id = await send(page, { maxDownloads: 3 }, { name: "long.bin", type: "application/octet-stream", body });
  const stranger = await openBrowser();
  await stranger.goto(`/download/${id}`);
  await waitForCard(stranger);
  expect((await stranger.request.post(`/api/files/download/${id}/take`)).status()).toBe(201);
  await stranger.evaluate(async (url) => {
    const abort = new AbortController();
    const response = await fetch(url, { signal: abort.signal });
    await response.body?.getReader().read();
    abort.abort();
  }, `/api/files/download/${id}/content`);
  expect((await saved(stranger)).toString()).toBe(body);
  await expect.poll(() => downloadsUsed(id)).toBe(1);
  expect((await saved(stranger)).toString()).toBe(body);
  expect(await downloadsUsed(id)).toBe(1);
  const other = await openBrowser();
  await other.goto(`/download/${id}`);
  await expect(other.getByText("2 of 3 downloads left. A broken download does not count.")).toBeVisible();
});

test("a preview of a limited link loads only after it is asked for, and takes a download", async ({
  page,
  openBrowser,
}) => {
  await signUpByApi(page);
  const file = { name: "beach.png", type: "image/png", body: pngFile(300, 200), guards: { maxDownloads: 2 } };
  const id = await uploadByApi(page, file);
  const stranger = await openBrowser();
  const asked: string[] = [];
  stranger.on("request", (request) => {
    if (/\/(preview|take)$/.test(request.url())) asked.push(new URL(request.url()).pathname);
  });
  await stranger.goto(`/download/${id}`);
  const preview = stranger.getByRole("button", { name: /^Preview/ });
  await expect(preview).toBeEnabled();
  await expect(stranger.getByText("Looking at it counts as a download.")).toBeVisible();
  expect(asked).toEqual([]);
  await expectAccessible(stranger, "limited-preview");
  await preview.click();
  const image = stranger.getByRole("img", { name: "beach.png" });
  await expect.poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBe(300);
  await expect(stranger.getByText("Looking at it counts as a download.")).toHaveCount(0);
  expect(asked).toEqual([`/api/files/download/${id}/take`, `/api/files/download/${id}/preview`]);
  await expect.poll(() => downloadsUsed(id)).toBe(1);
});

test("the owner is not counted [GRD-16]", async ({ page }) => {
  const id = await send(page, { maxDownloads: 2, password: PASSWORD });
  await page.goto(`/download/${id}`);
  await waitForCard(page);
  expect((await saved(page)).toString()).toBe("the secret plan");
  await expect(page.getByText("Your own downloads are not counted.")).toBeVisible();
  expect(await downloadsUsed(id)).toBe(0);
});

test("codes that a link cannot have are not told", async ({ page, openBrowser }) => {
  await signUpByApi(page);
  const id = await uploadByApi(page, NOTES);
  const stranger = await openBrowser();
  await stranger.goto(`/download/${id}?refused=DOWNLOADS_USED_UP`);
  await expect(stranger.getByRole("link", { name: "Download", exact: true })).toBeVisible();
  await expect(stranger.getByRole("alert")).toHaveCount(0);
});
