import type { Locator, Page } from "@playwright/test";
import { signUpByApi } from "./support/accounts.ts";
import { expectToast, openAdmin, tableRow } from "./support/admin.ts";
import { expectAccessible } from "./support/axe.ts";
import { query } from "./support/database.ts";
import { expect, test } from "./support/fixtures.ts";
import { uploadTransferByApi } from "./support/transfers.ts";

const FILES = [
  { path: "a.txt", body: "first" },
  { path: "more/b.txt", body: "second" },
  { path: "more/c.txt", body: "third" },
];

const fileRow = (tree: Locator, name: string) => tree.getByRole("row").filter({ hasText: name });

interface Sent {
  downloadId: string;
  uploadId: string;
  title: string;
  email: string;
  userId: string;
}

/** A transfer of a new person, who is not the one that looks at it. */
async function sendTransfer(openBrowser: () => Promise<Page>): Promise<Sent> {
  const sender = await openBrowser();
  const email = await signUpByApi(sender);
  const title = `Trip ${crypto.randomUUID().slice(0, 8)}`;
  const { downloadId, uploadId } = await uploadTransferByApi(sender.request, FILES, { title });
  const [user] = await query(`select id from users where email = '${email}'`);
  return { downloadId, uploadId, title, email, userId: String(user?.id) };
}

test("an administrator looks into a transfer, takes down one file of it, then all of it [TRF-25]", async ({
  page,
  openBrowser,
}) => {
  const { downloadId, title, userId } = await sendTransfer(openBrowser);
  const statusOf = async (path: string) =>
    (await page.request.get(`/api/files/download/${downloadId}${path}`)).status();
  await openAdmin(page, "?tab=reports");
  const found = page.getByRole("region", { name: "Find a file" });
  await found.getByLabel("Find a file").fill(downloadId);
  await expect(found).toContainText(title);
  await expect(found).toContainText("3 files");
  await found.getByRole("button", { name: "Files" }).click();
  const dialog = page.getByRole("dialog");
  const tree = dialog.getByRole("treegrid", { name: `Files of ${title}` });
  await expect(fileRow(tree, "b.txt")).toContainText("6 Bytes");
  await expectAccessible(page, "admin-transfer-files");

  await tree.getByRole("button", { name: "Take down b.txt" }).click();
  await expect(dialog).toContainText(`more/b.txt is deleted from ${title}. The link and the other files stay.`);
  await dialog.getByRole("button", { name: "Take down" }).click();
  await expect(dialog.getByLabel("Reason")).toHaveAttribute("aria-invalid", "true");
  await dialog.getByLabel("Reason").fill("It holds malware.");
  await expectAccessible(page, "admin-transfer-take-down");
  await dialog.getByRole("button", { name: "Take down" }).click();
  await expectToast(page, "File taken down", "more/b.txt can no longer be downloaded.");
  await expect(fileRow(tree, "b.txt")).toContainText("Removed");
  await expect(tree.getByRole("button", { name: "Take down b.txt" })).toHaveCount(0);
  await expect(fileRow(tree, "b.txt")).toBeFocused();
  await dialog.getByRole("button", { name: "Close" }).click();
  await expect(found.getByRole("button", { name: "Files" })).toBeFocused();
  await expect(found).toContainText("2 files");
  expect(await statusOf("/entries/1/content")).toBe(410);
  expect(await statusOf("/entries/0/content")).toBe(200);

  await page.goto(`/admin/dashboard?tab=files&user=${userId}`);
  await expect(tableRow(page, title)).toContainText("2 files");
  await tableRow(page, title).getByRole("button", { name: "Take Down" }).click();
  await expect(dialog.getByRole("heading", { name: "Take this transfer down?" })).toBeVisible();
  await expect(dialog).toContainText(`${title} (2 files) is deleted and its link stops working at once, for everyone.`);
  await dialog.getByLabel("Reason").fill("All of it.");
  await dialog.getByRole("button", { name: "Take down" }).click();
  await expectToast(page, "Transfer taken down", `${title} can no longer be downloaded.`);
  await expect(tableRow(page, title)).toContainText("Taken down: All of it.");
  await tableRow(page, title).getByRole("button", { name: "Files" }).click();
  await expect(dialog).toContainText("The list was deleted with the files.");
  await dialog.getByRole("button", { name: "Close" }).click();
  await tableRow(page, title).getByRole("button", { name: "Delete" }).click();
  await expect(dialog.getByRole("heading", { name: "Delete this transfer?" })).toBeVisible();
  await dialog.getByRole("button", { name: "Delete transfer" }).click();
  await expectToast(page, "Transfer deleted");
  expect(await statusOf("")).toBe(410);

  await page.goto(`/admin/dashboard?tab=uploads&userId=${userId}`);
  await expect(tableRow(page, title).first()).toContainText("3 files");
});

test("a report names the file; the administrator takes down that file, or all of them [TRF-26]", async ({
  page,
  openBrowser,
}) => {
  const sent = await sendTransfer(openBrowser);
  const other = await sendTransfer(openBrowser);
  const visitor = await openBrowser();
  const report = async ({ downloadId }: Sent, message: string) => {
    const data = { reason: "malware", entry: 2, message };
    expect((await visitor.request.post(`/api/files/download/${downloadId}/report`, { data })).status()).toBe(201);
  };
  await report(sent, `One ${sent.uploadId}`);
  await report(other, `All ${other.uploadId}`);
  const statusOf = async ({ downloadId }: Sent, n: number) =>
    (await page.request.get(`/api/files/download/${downloadId}/entries/${n}/content`)).status();

  await openAdmin(page, "?tab=reports");
  const dialog = page.getByRole("dialog");
  const row = tableRow(page, `One ${sent.uploadId}`);
  await expect(row).toContainText("Reported: more/c.txt");
  await row.getByRole("button", { name: "Take Down" }).click();
  await expect(dialog.getByLabel("Only more/c.txt")).toBeChecked();
  await expect(dialog).toContainText(`more/c.txt is deleted from ${sent.title}.`);
  await expectAccessible(page, "admin-transfer-report");
  await dialog.getByLabel("Reason").fill("It holds malware.");
  await dialog.getByRole("button", { name: "Take down" }).click();
  await expectToast(page, "File taken down", "more/c.txt can no longer be downloaded.");
  await expect(row).toHaveCount(0);
  // The control in place of the one that is gone.
  await expect(page.getByRole("main").locator(":focus")).toHaveCount(1);
  expect(await statusOf(sent, 2)).toBe(410);
  expect(await statusOf(sent, 0)).toBe(200);

  await tableRow(page, `All ${other.uploadId}`).getByRole("button", { name: "Take Down" }).click();
  await dialog.getByLabel("The whole transfer").check();
  await expect(dialog.getByRole("heading", { name: "Take this transfer down?" })).toBeVisible();
  await dialog.getByLabel("Reason").fill("It holds malware.");
  await dialog.getByRole("button", { name: "Take down" }).click();
  await expectToast(page, "Transfer taken down", `${other.title} can no longer be downloaded.`);
  expect(await statusOf(other, 0)).toBe(410);
});
