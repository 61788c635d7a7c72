import type { Page } from "@playwright/test";
import { MIB } from "#domain/units.ts";
import { insertFile } from "./support/admin.ts";
import { query } from "./support/database.ts";
import { chooseFile, downloadHash, randomFile, sha256 } from "./support/files.ts";
import { expect, test } from "./support/fixtures.ts";
import { findMailedLink } from "./support/mailbox.ts";
import { logIn, newEmail, signUp, signUpByApi } from "./support/accounts.ts";
import { expectToast } from "./support/plans.ts";
import { uploadByApi } from "./support/sharing.ts";

/** @returns the share link */
async function upload(page: Page, name: string): Promise<string> {
  await page.goto("/");
  return uploadHere(page, name);
}

async function uploadHere(page: Page, name: string): Promise<string> {
  await chooseFile(page, await randomFile(name, 1000));
  await expect(page.getByRole("heading", { name: "Ready to share" })).toBeVisible();
  return page.getByLabel("Share link").inputValue();
}

const fileRow = (page: Page, name: string) => page.getByRole("main").getByRole("listitem").filter({ hasText: name });

async function chooseFromMenu(page: Page, name: string, item: string): Promise<void> {
  await page.getByRole("button", { name: `More actions for ${name}` }).click();
  await page.getByRole("menuitem", { name: item }).click();
}

/** "f1" is the oldest. */
async function addFiles(email: string, count: number): Promise<void> {
  await query(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
     insert into files (id, user_id, filename, original_filename, size, mime_type, s3_key, download_id, status, etag,
       expiration, created_at, uploaded_at, expires_at, reserved_period_start, abandon_at)
     select hex(randomblob(16)), (select id from users where email = '${email}'), 'f' || i || '.txt', 'f', 10000 - i,
       'text/plain', hex(randomblob(16)), hex(randomblob(16)), 'uploading', 'e', '3d', i, i, 4102444800000, 0, 0 from n`,
  );
  await query(`update files set status = 'ready' where user_id = (select id from users where email = '${email}')`);
}

test("a user renames a file, changes its expiry and deletes it after a confirmation [DASH-4, DASH-12, ERR-28, ROLE-4, UP-26] @everyday", async ({
  page,
  request,
  expectErrors,
}) => {
  await signUp(page);
  // The list was loaded before the upload and is refetched.
  await page.getByRole("link", { name: "Dashboard" }).click();
  await expect(page.getByText("You have no files yet.")).toBeVisible();
  await page.getByRole("link", { name: "Upload a file" }).click();
  const link = await uploadHere(page, "draft.pdf");
  await page.getByRole("link", { name: "Dashboard" }).click();
  const row = fileRow(page, "draft.pdf");
  await expect(row).toContainText("1000 Bytes · Today · 0 downloads");
  await expect(row.locator("[data-kind=pdf]")).toBeVisible();

  await chooseFromMenu(page, "draft.pdf", "Rename");
  await page.getByLabel("File name").fill("a/b.pdf");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("The file name cannot contain slashes or control characters.")).toBeVisible();
  await page.getByLabel("File name").fill("final.pdf");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("File renamed", { exact: true })).toBeVisible();
  const renamed = fileRow(page, "final.pdf");
  await expect(renamed).toBeVisible();

  await chooseFromMenu(page, "final.pdf", "Change expiry");
  await expect(page.getByLabel("7 days")).toBeDisabled();
  await expect(page.getByRole("link", { name: "Professional plan" }).first()).toHaveAttribute("href", "/pricing");
  await page.getByLabel("6 hours").check();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Expiry changed", { exact: true })).toBeVisible();
  const downloadId = link.split("/").at(-1) ?? "";
  const [lifetime] = await query(
    `select expires_at - uploaded_at as ms from files where download_id = '${downloadId}'`,
  );
  expect(lifetime?.ms).toBe(6 * 3_600_000);

  await renamed.getByRole("button", { name: "Delete final.pdf" }).click();
  await page.getByRole("button", { name: "Keep file" }).click();
  await expect(renamed).toBeVisible();
  await renamed.getByRole("button", { name: "Delete final.pdf" }).click();
  expectErrors(/500/);
  await page.route("**/api/files/*", (route) => route.fulfill({ status: 500, json: { message: "Out of order" } }));
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await expectToast(page, "Delete failed", "Out of order");
  await page.unroute("**/api/files/*");
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await expectToast(page, "File deleted", "final.pdf was deleted, and its link no longer works.");
  await expect(page.getByText("Files you upload appear here.")).toBeVisible();
  expect((await request.get(`/api/files/download/${downloadId}`)).status()).toBe(410);
});

test("a user copies a link, shows it as a QR code, shares it and sends it by mail [ERR-29]", async ({
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.addInitScript(() => {
    navigator.share = (data) => {
      document.title = `shared ${data?.url ?? ""}`;
      return Promise.resolve();
    };
  });
  await signUp(page);
  const link = await upload(page, "plan.txt");
  await page.getByRole("button", { name: "QR code" }).click();
  await expect(page.getByRole("img", { name: "QR code of the link to plan.txt" })).toBeVisible();
  await page.keyboard.press("Escape");

  await page.goto("/dashboard");
  await fileRow(page, "plan.txt").getByRole("button", { name: "Copy link" }).click();
  await expect(page.getByText("Link copied", { exact: true })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link);
  await chooseFromMenu(page, "plan.txt", "Share…");
  await expect(page).toHaveTitle(`shared ${link}`);

  const recipient = newEmail();
  await chooseFromMenu(page, "plan.txt", "Send by email");
  await page.getByRole("button", { name: "Send the link" }).click();
  await expect(page.getByText("Please enter a valid email address")).toBeVisible();
  await page.getByRole("textbox", { name: "To" }).fill(recipient);
  await page.getByLabel("Note (optional)").fill("As promised");
  await page.getByRole("button", { name: "Send the link" }).click();
  await expect(page.getByText("Link sent", { exact: true })).toBeVisible();
  const mailed = new URL(await findMailedLink(page, recipient, /sent you a file/));
  // Names the recipient.
  expect(mailed.search).toMatch(/^\?for=[\w-]{22}$/);
  expect(mailed.origin + mailed.pathname).toBe(link);
});

test("a link is copied without the clipboard API, and a failure is shown and logged [ERR-17, ERR-29]", async ({
  page,
}) => {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, "clipboard", { value: undefined });
    document.addEventListener("copy", () => {
      document.title = `copied ${String(getSelection())}`;
    });
  });
  await signUp(page);
  const link = await upload(page, "old-browser.txt");
  await page.getByRole("button", { name: "Copy", exact: true }).click();
  await expect(page).toHaveTitle(`copied ${link}`);
  await page.goto("/dashboard");
  await page.evaluate(() => {
    Object.defineProperty(document, "execCommand", { value: () => false });
  });
  const logged = page.waitForEvent("console", (message) => message.text().startsWith("copying failed"));
  await fileRow(page, "old-browser.txt").getByRole("button", { name: "Copy link" }).click();
  await logged;
  await expect(page.getByText("Copy failed", { exact: true })).toBeVisible();
});

test("the list shows each file's name, size, upload date, expiry and whether it has expired [DASH-1]", async ({
  page,
}) => {
  const email = await signUpByApi(page);
  const [user] = await query(`select id from users where email = '${email}'`);
  const userId = String(user?.id);
  await insertFile({ userId, filename: "dated.txt", expiresAt: Date.UTC(2100, 0, 15, 12) });
  await insertFile({ userId, filename: "kept.txt", expiresAt: null });
  await insertFile({ userId, filename: "over.txt", expiresAt: Date.now() - 1000 });
  await page.goto("/dashboard");
  await expect(page.getByRole("heading", { name: "Your Files", exact: true })).toBeVisible();
  const lines = (name: string) => fileRow(page, name).getByRole("paragraph");
  const details = "2 KB · January 1, 2026 · 7 downloads";
  await expect(lines("dated.txt")).toHaveText(["dated.txt", details, /^Expires Jan 15, 2100, \d+:00\s[AP]M$/]);
  await expect(lines("kept.txt")).toHaveText(["kept.txt", details, "Never expires"]);
  await expect(lines("over.txt")).toHaveText(["over.txt", details, "Expired"]);
});

test("page, order and search of the list are in the URL", async ({ page }) => {
  const email = await signUp(page);
  await addFiles(email, 250);
  await page.goto("/dashboard");
  await expect(page.getByText("Page 1 of 3")).toBeVisible();
  await page.getByRole("button", { name: "Next" }).click();
  await expect(page).toHaveURL(/\/dashboard\?cursor=[\w-]+$/);
  await expect(page.getByText("Page 2 of 3")).toBeVisible();
  await expect(fileRow(page, "f150.txt")).toBeVisible();
  await page.reload();
  await expect(fileRow(page, "f150.txt")).toBeVisible();
  await page.getByRole("button", { name: "Next" }).click();
  await expect(page.getByText("Page 3 of 3")).toBeVisible();
  await expect(page.getByRole("button", { name: "Next" })).toBeDisabled();
  await page.getByRole("button", { name: "Previous" }).click();
  await expect(fileRow(page, "f51.txt")).toBeVisible();
  await page.getByRole("button", { name: "Previous" }).click();
  await expect(page).toHaveURL("/dashboard");
  await expect(page.getByRole("button", { name: "Previous" })).toBeDisabled();

  await page.getByLabel("Sort by").selectOption("Oldest first");
  await expect(page).toHaveURL("/dashboard?sort=oldest");
  await expect(page.getByRole("main").getByRole("listitem").first()).toContainText("f1.txt");
  await page.getByLabel("Search your files").fill("f24");
  await expect(page).toHaveURL("/dashboard?sort=oldest&q=f24");
  await expect(page.getByRole("main").getByRole("listitem")).toHaveCount(11);
  await page.getByLabel("Search your files").fill("no such file");
  await expect(page.getByText("No name, file or recipient contains “no such file”.")).toBeVisible();
});

test("the second device shows an upload's progress and then the file, without reloading", async ({
  page,
  openBrowser,
  request,
}) => {
  const email = await signUp(page);
  const other = await openBrowser();
  await other.goto("/login?returnTo=/dashboard");
  await logIn(other, email);
  await expect(other.getByText("You have no files yet.")).toBeVisible();

  const path = await randomFile("elsewhere.bin", 24 * MIB);
  const lastPart = /partNumber=3&/;
  await page.route(lastPart, () => undefined);
  await chooseFile(page, path);
  await expect(page.getByLabel("Share link")).toBeVisible();
  // Simulates the return to a background tab.
  await other.evaluate(() => {
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
  });
  const progress = other.getByRole("progressbar", { name: "Progress of elsewhere.bin" });
  await expect.poll(async () => Number(await progress.getAttribute("aria-valuenow"))).toBeGreaterThan(50);
  const link = await page.getByLabel("Share link").inputValue();
  page.on("dialog", (dialog) => void dialog.accept());
  await page.unroute(lastPart);
  await page.reload();
  await chooseFile(page, path);
  await expect(fileRow(other, "elsewhere.bin")).toContainText("0 downloads");
  await expect(progress).toHaveCount(0);
  expect(await downloadHash(request, link)).toBe(await sha256(path));
});

test("what was sent today is of today, also by a browser's clock that is a day ahead or behind [DASH-13]", async ({
  page,
}) => {
  const day = 86_400_000;
  await signUp(page);
  const id = await uploadByApi(page, { name: "new.txt", type: "text/plain", body: "new" });
  for (const wrongBy of [day, -day, 40 * day]) {
    await page.clock.install({ time: Date.now() + wrongBy });
    await page.goto("/dashboard");
    await expect(fileRow(page, "new.txt")).toContainText("3 Bytes · Today");
    await page.goto(`/download/${id}`);
    await expect(page.getByRole("timer")).toHaveText(/^23 h 5\d min left$/);
  }
});

test.describe("errors of the file list", () => {
  const LIST = /\/api\/files\?/;

  test("a failed request is retried three times, then Retry loads the files [API-11, ERR-31]", async ({
    page,
    expectErrors,
  }) => {
    expectErrors(/503/);
    await signUp(page);
    await page.clock.install();
    let requestCount = 0;
    await page.route(LIST, async (route) => {
      requestCount += 1;
      await route.fulfill({ status: 503, json: { message: "Storage did not answer." } });
    });
    await page.goto("/dashboard");
    await page.getByRole("link", { name: "Upload a file" }).click();
    await chooseFile(page, await randomFile("one.txt", 10));
    await expect(page.getByRole("heading", { name: "Ready to share" })).toBeVisible();
    await page.getByRole("link", { name: "Dashboard" }).click();
    await expect
      .poll(async () => {
        await page.clock.runFor(10_000);
        return page.getByText("Error loading files").count();
      })
      .toBe(1);
    expect(requestCount).toBe(4);
    await expect(page.getByText("Storage did not answer.")).toBeVisible();
    await page.unroute(LIST);
    await page.getByRole("button", { name: "Retry" }).click();
    await expect(fileRow(page, "one.txt")).toBeVisible();
  });

  for (const { problem, answer, expectedErrors, title, button } of [
    {
      problem: "an ended session",
      answer: { status: 401, json: { message: "You need to log in to access this feature." } },
      expectedErrors: [/401/],
      title: "Authentication Error",
      button: "Log in",
    },
    {
      problem: "an unexpected response",
      answer: { status: 200, json: { nothing: true } },
      expectedErrors: [],
      title: "Unexpected data format",
      button: "Reload",
    },
  ]) {
    test(`${problem} shows '${title}' without a retry [ERR-30, ERR-32]`, async ({ page, expectErrors }) => {
      for (const pattern of expectedErrors) expectErrors(pattern);
      await signUpByApi(page);
      await page.goto("/dashboard");
      await page.route(LIST, (route) => route.fulfill(answer));
      await page.getByRole("link", { name: "Upload a file" }).click();
      await chooseFile(page, await randomFile("one.txt", 10));
      await expect(page.getByRole("heading", { name: "Ready to share" })).toBeVisible();
      await page.getByRole("link", { name: "Dashboard" }).click();
      await expect(page.getByRole("heading", { name: title })).toBeVisible();
      await expect(
        page.getByRole("main").getByRole(button === "Reload" ? "button" : "link", { name: button }),
      ).toBeVisible();
    });
  }
});

test("a visitor is redirected from the dashboard to the home page [DASH-23, NAV-11]", async ({ page }) => {
  await page.goto("/dashboard");
  await expect(page).toHaveURL("/");
});
