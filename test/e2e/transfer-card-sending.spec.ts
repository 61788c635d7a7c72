import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { MIB } from "#domain/units.ts";
import { logIn, signUp } from "./support/accounts.ts";
import { expectAccessible } from "./support/axe.ts";
import { query } from "./support/database.ts";
import { randomFile } from "./support/files.ts";
import { expect, test } from "./support/fixtures.ts";
import { chooseFolder, drop, randomFolder, readTransfer } from "./support/many-files.ts";
import { sendAndStall } from "./support/stalled-transfer.ts";

async function expectFinished(page: Page): Promise<string> {
  await expect(page.getByRole("heading", { name: "Ready to share" })).toBeVisible();
  return page.getByLabel("Share link").inputValue();
}

const SMALL = { "a.txt": 1000, "deep/b.txt": 2000, "deep/c.txt": 3000 };

test("while it sends, files are removed and added, and title and message changed [TRF-53]", async ({
  page,
  request,
}) => {
  await signUp(page);
  await sendAndStall(page, "Trip", SMALL);
  const link = await page.getByLabel("Share link").inputValue();
  const tree = page.getByRole("treegrid", { name: "Files of this transfer" });
  await expect(tree.getByRole("row").filter({ hasText: "b.txt" })).toContainText("Sent");
  await expect(tree.getByRole("progressbar", { name: "Progress of deep" })).toHaveAttribute("aria-valuenow", "100");
  await expectAccessible(page, "transfer-sending");

  await tree.getByRole("button", { name: "Remove b.txt" }).click();
  await expect(page.getByRole("dialog")).toContainText("b.txt has been sent already.");
  await expectAccessible(page, "transfer-remove");
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await expect(page.getByText("2 of 3 files")).toBeVisible();

  await page.getByLabel("Add files").setInputFiles(await randomFile("late.txt", 10));
  await expect(page.getByText("3 of 4 files")).toBeVisible();
  await page.getByLabel("Add files").setInputFiles(await randomFile("late.txt", 20));
  await expect(tree.getByText("late (2).txt")).toBeVisible();
  await drop(page, page.getByRole("heading", { name: "Trip" }), [await randomFolder("More", { "d.txt": 10 })]);
  await expect(page.getByText("5 of 6 files")).toBeVisible();

  await page.getByRole("button", { name: "Change title and message" }).click();
  await page.getByLabel("Title", { exact: true }).fill("Journey");
  await page.getByLabel("Message (optional)").fill("Look at this.");
  await expectAccessible(page, "transfer-words");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("heading", { name: "Journey" })).toBeVisible();
  const { transfer, paths } = await readTransfer(request, link);
  expect(transfer).toMatchObject({ title: "Journey", message: "Look at this.", entries: 6 });
  expect(paths).toEqual(["Trip/a.txt", "Trip/deep/c.txt", "Trip/large.bin", "late.txt", "late (2).txt", "More/d.txt"]);
});

test("after a reload the same folder goes on where it stopped, under the same link [TRF-55]", async ({ page }) => {
  await signUp(page);
  const { folder, goOn } = await sendAndStall(page, "Again", SMALL);
  const link = await page.getByLabel("Share link").inputValue();
  page.on("dialog", (dialog) => void dialog.accept());
  await page.reload();
  await chooseFolder(page, folder);
  await page.getByRole("button", { name: "Send 4 files (24.01 MB)" }).click();
  await expect(page.getByText("Going on where it stopped: 3 of 4 files are there.")).toBeVisible();
  await page.reload();
  goOn();
  await chooseFolder(page, folder);
  await page.getByRole("button", { name: "Send 4 files (24.01 MB)" }).click();
  expect(await expectFinished(page)).toBe(link);
});

test("the dashboard of another device goes on with a folder that differs a little [TRF-55]", async ({
  page,
  request,
  openBrowser,
}) => {
  const email = await signUp(page);
  const { folder } = await sendAndStall(page, "Moved", SMALL);
  const link = await page.getByLabel("Share link").inputValue();
  const other = await openBrowser();
  await other.goto("/login?returnTo=/dashboard");
  await logIn(other, email);
  const row = other.getByRole("main").getByRole("listitem").filter({ hasText: "Moved" });
  await expect(row).toContainText("4 files");
  await row.getByLabel("Choose the files of Moved again").setInputFiles(await randomFile("stranger.txt", 10));
  await expect(other.getByText("None of them belongs to “Moved” (4 files, 24.01 MB).")).toBeVisible();
  await other.getByRole("link", { name: "Choose again" }).click();

  await page.getByRole("link", { name: "Dashboard" }).click();
  await writeFile(join(folder, "new.txt"), "new");
  await rm(join(folder, "large.bin"));
  await row.getByLabel("Choose the folder of Moved again").setInputFiles(folder);
  await expect(other.getByText("1 file was not in the transfer and is added:")).toBeVisible();
  await expect(other.getByText("1 file needs your attention.").first()).toBeVisible();
  await expect(other.getByText("It was not found, or could not be read.")).toBeVisible();
  await other.getByRole("button", { name: "Leave out: large.bin" }).click();
  expect(await expectFinished(other)).toBe(link);
  const { paths } = await readTransfer(request, link);
  expect(paths).toEqual(["Moved/a.txt", "Moved/deep/b.txt", "Moved/deep/c.txt", "Moved/new.txt"]);
});

test("a file that changed is named; it is tried again or left out, and the others go on [TRF-54]", async ({
  page,
  request,
}) => {
  await signUp(page);
  const folder = await randomFolder("Edited", { "a.txt": 1000, "b.txt": 1000, "c.txt": 1000, "d.txt": 1000 });
  await drop(page, page.getByText("Choose a file, or drop it here"), [folder]);
  await expect(page.getByRole("button", { name: "Send 4 files (3.91 KB)" })).toBeVisible();
  for (const name of ["b.txt", "c.txt"]) await writeFile(join(folder, name), "changed");
  await page.getByRole("button", { name: "Send 4 files (3.91 KB)" }).click();
  await expect(page.getByRole("heading", { name: "2 files need your attention." })).toBeVisible();
  await expect(page.getByText("2 of 4 files")).toBeVisible();
  await expectAccessible(page, "transfer-problems");
  await page.getByRole("row").getByRole("button", { name: "Try again: b.txt" }).click();
  await page.getByRole("button", { name: "Leave out: c.txt" }).click();
  const link = await expectFinished(page);
  const { paths } = await readTransfer(request, link);
  expect([...paths].sort()).toEqual(["Edited/a.txt", "Edited/b.txt", "Edited/d.txt"]);
});

test("a file that cannot be read again is chosen or dropped again; another one is refused [TRF-54]", async ({
  page,
  request,
}) => {
  await signUp(page);
  const folder = await randomFolder("Chosen", { "a.txt": 1000, "b.txt": 1000, "c.txt": 1000 });
  await chooseFolder(page, folder);
  await expect(page.getByRole("button", { name: "Send 3 files (2.93 KB)" })).toBeVisible();
  for (const name of ["b.txt", "c.txt"]) await writeFile(join(folder, name), "changed");
  await page.getByRole("button", { name: "Send 3 files (2.93 KB)" }).click();
  await expect(page.getByRole("heading", { name: "2 files need your attention." })).toBeVisible();
  const picker = page.getByLabel("Choose b.txt again");
  await picker.setInputFiles(join(folder, "a.txt"));
  await expect(page.getByText("This is another file", { exact: true })).toBeVisible();
  await picker.setInputFiles(join(folder, "b.txt"));
  await expect(page.getByRole("heading", { name: "1 file needs your attention." })).toBeVisible();
  await drop(page, page.getByRole("heading", { name: "Chosen" }), [folder]);
  const { transfer, paths } = await readTransfer(request, await expectFinished(page));
  expect(transfer).toMatchObject({ entries: 3, bytes: 1014 });
  expect([...paths].sort()).toEqual(["Chosen/a.txt", "Chosen/b.txt", "Chosen/c.txt"]);
});

test("a cancel asks when much was sent, and gives the month back [TRF-56]", async ({ page }) => {
  const email = await signUp(page);
  await sendAndStall(page, "Cancelled", { "a.bin": 12 * MIB });
  await page.getByRole("button", { name: "Cancel", exact: true }).click();
  await expect(page.getByRole("dialog")).toContainText("They are deleted, and the link stops working.");
  await expectAccessible(page, "transfer-cancel");
  await page.getByRole("button", { name: "Go on sending" }).click();
  await page.getByRole("button", { name: "Cancel", exact: true }).click();
  const cancelled = page.waitForResponse("**/api/direct-upload/cancel");
  await page.getByRole("button", { name: "Cancel the upload" }).click();
  expect((await cancelled).status()).toBe(200);
  await expect(page.getByText("Upload aborted", { exact: true })).toBeVisible();
  await expect(page.getByLabel("Choose a folder")).toBeAttached();
  const [user] = await query(`select monthly_transfer_count as n from users where email = '${email}'`);
  expect(user?.n).toBe(0);
});

test("after a failure 'Try again' goes on, without choosing the files again [TRF-55]", async ({
  page,
  expectErrors,
}) => {
  await signUp(page);
  expectErrors(/409/);
  await page.route("**/finish", (route) =>
    route.fulfill({ status: 409, json: { code: "UPLOAD_CLOSED", message: "Not now." } }),
  );
  await chooseFolder(page, await randomFolder("Failing", SMALL));
  await page.getByRole("button", { name: "Send 3 files (5.86 KB)" }).click();
  await expect(page.getByRole("heading", { name: "“Failing” was not sent completely." })).toBeVisible();
  await expect(page.getByText("What has arrived is kept for a day: 3 of 3 files.")).toBeVisible();
  await expect(page.getByText("Not now.")).toBeVisible();
  await expectAccessible(page, "transfer-failed");
  await page.unroute("**/finish");
  await page.getByRole("button", { name: "Try again" }).click();
  await expectFinished(page);
  await expectAccessible(page, "transfer-sent");
});

test("closing the tab while it sends asks first, and other pages of the site do not end it [TRF-56]", async ({
  page,
}) => {
  await signUp(page);
  await sendAndStall(page, "Walking", { "a.txt": 10 });
  await page.getByRole("link", { name: "Dashboard" }).click();
  await expect(page.getByText("uploading here")).toBeVisible();
  await page.getByRole("link", { name: "Show", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Walking" })).toBeVisible();
  const asked = page.waitForEvent("dialog");
  const closing = page.close({ runBeforeUnload: true });
  const dialog = await asked;
  expect(dialog.type()).toBe("beforeunload");
  await dialog.accept();
  await closing;
});
