import { insertFile, columnNames, expectToast, createUser, openAdmin, tableRow, tab } from "./support/admin.ts";
import { query } from "./support/database.ts";
import { expect, test } from "./support/fixtures.ts";

const DAY_MS = 86_400_000;
const FAR_FUTURE = Date.UTC(2100, 0, 1);

test("a user's files show their columns, a link back to the users, and an empty message [ADM-7, ADM-27, ADM-28, ADM-29]", async ({
  page,
  request,
}) => {
  const { email, id } = await createUser(request);
  await openAdmin(page, `?${new URLSearchParams({ tab: "users", q: id })}`);
  await tableRow(page, id).getByRole("link", { name: "Files" }).click();
  await expect(page.getByRole("heading", { name: `Files of ${email}` })).toBeVisible();
  await expect(page.getByText("No Files Found", { exact: true })).toBeVisible();
  await expect(page.getByText("This user hasn't uploaded any files yet.", { exact: true })).toBeVisible();

  await insertFile({ userId: id, filename: "kept.txt" });
  await insertFile({ userId: id, filename: "over.txt", expiresAt: Date.now() - DAY_MS });
  await page.reload();
  expect(await columnNames(page, "Files")).toEqual(["File Name", "Size", "Uploaded", "Expires", "Status", "Actions"]);
  const permanentRow = tableRow(page, "kept.txt");
  await expect(permanentRow).toContainText("2 KB");
  await expect(permanentRow).toContainText("Jan 01, 2026");
  await expect(permanentRow).toContainText("Never");
  await expect(permanentRow.getByText("Active", { exact: true })).toBeVisible();
  const expiredRow = tableRow(page, "over.txt");
  await expect(expiredRow.getByRole("cell").first()).toHaveText("over.txtExpired");
  await expect(expiredRow.getByText("Expired", { exact: true })).toHaveCount(2);
  await expect(expiredRow.getByRole("button", { name: "Copy Link" })).toBeDisabled();
  await expect(expiredRow.getByRole("button", { name: "Take Down" })).toHaveCount(0);

  await page.getByRole("link", { name: "Back to Users" }).click();
  await expect(page).toHaveURL(new RegExp(`tab=users&q=${id}$`));
  await expect(tableRow(page, id)).toContainText(email);
});

test("copying a file's link shows a toast for success and for failure [ADM-28, ADM-30, ERR-69]", async ({
  page,
  context,
  request,
  baseURL,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const { id } = await createUser(request);
  const downloadId = await insertFile({ userId: id, filename: "plan.txt", expiresAt: FAR_FUTURE });
  await openAdmin(page, `?tab=files&user=${id}`);
  const copy = tableRow(page, "plan.txt").getByRole("button", { name: "Copy Link" });
  await copy.click();
  await expectToast(page, "Link copied", "Download link copied to clipboard");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${baseURL}/download/${downloadId}`);
  await page.evaluate(() => {
    Object.defineProperty(navigator, "clipboard", { value: undefined });
    Object.defineProperty(document, "execCommand", { value: () => false });
  });
  await copy.click();
  await expectToast(page, "Copy failed", "Could not copy link to clipboard");
});

test("an administrator deletes a file after a confirmation or takes it down with a reason, and its link stops working [ADM-28, ADM-31, ERR-58] @everyday", async ({
  page,
  request,
  expectErrors,
}) => {
  const { id } = await createUser(request);
  const deleted = await insertFile({ userId: id, filename: "wrong.txt", expiresAt: FAR_FUTURE });
  const takenDownId = await insertFile({ userId: id, filename: "phishing.html", expiresAt: FAR_FUTURE });
  await openAdmin(page, `?tab=files&user=${id}`);
  for (const link of [deleted, takenDownId])
    expect((await request.get(`/api/files/download/${link}`)).status()).toBe(200);
  const dialog = page.getByRole("dialog");
  const row = tableRow(page, "wrong.txt");
  const ask = () => row.getByRole("button", { name: "Delete" }).click();

  await ask();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(row).toBeVisible();
  expectErrors(/500/);
  await page.route("**/api/admin/files/*", (route) => route.fulfill({ status: 500, json: { message: "No." } }));
  await ask();
  await dialog.getByRole("button", { name: "Delete file" }).click();
  await expectToast(page, "Delete failed", "There was a problem deleting the file");
  await page.unroute("**/api/admin/files/*");
  await dialog.getByRole("button", { name: "Delete file" }).click();
  await expectToast(page, "File deleted", "The file has been successfully deleted");
  await expect(dialog).toHaveCount(0);
  expect((await request.get(`/api/files/download/${deleted}`)).status()).toBe(410);

  await tableRow(page, "phishing.html").getByRole("button", { name: "Take Down" }).click();
  await dialog.getByRole("button", { name: "Take down" }).click();
  await expect(dialog.getByLabel("Reason")).toHaveAccessibleDescription(/Please enter a reason for the takedown/);
  await dialog.getByLabel("Reason").fill("It asks for passwords");
  await dialog.getByRole("button", { name: "Take down" }).click();
  await expectToast(page, "File taken down");
  expect((await request.get(`/api/files/download/${takenDownId}`)).status()).toBe(410);
});

test("expired files show their columns and whether their bytes are deleted [ADM-15, ADM-16]", async ({
  page,
  request,
}) => {
  const { id } = await createUser(request);
  const name = `expired-${id.slice(0, 8)}`;
  await insertFile({
    userId: id,
    filename: `${name}-gone.txt`,
    expiresAt: Date.UTC(2026, 0, 4, 12),
    // In the future: a sweep of another test removes rows 30 days after their bytes.
    s3DeletedAt: Date.UTC(2100, 0, 5, 12),
  });
  await insertFile({ userId: id, filename: `${name}-pending.txt`, expiresAt: Date.now() - 1000 });
  await openAdmin(page);
  await tab(page, "Expired Files").click();
  await page.getByLabel("Search expired files").fill(name);
  await expect(page.getByRole("row")).toHaveCount(3);
  expect(await columnNames(page, "Expired files")).toEqual([
    "File Name",
    "User ID",
    "Size",
    "Upload Date",
    "Expiration Date",
    "S3 Deleted",
    "Download Count",
  ]);
  const deletedRow = tableRow(page, `${name}-gone.txt`);
  await expect(deletedRow.getByRole("cell")).toHaveText([
    `${name}-gone.txtExpired`,
    id,
    "2 KB",
    "Jan 01, 2026",
    /^Jan 04, 2026, \d\d:00$/,
    /^Deleted: Jan 05, 2100, \d\d:00$/,
    "7",
  ]);
  // A sweep of another test may run in between.
  await expect(async () => {
    await query(`update files set s3_deleted_at = null where filename = '${name}-pending.txt'`);
    await page.reload();
    await expect(tableRow(page, `${name}-pending.txt`)).toContainText("Pending Deletion", { timeout: 3000 });
  }).toPass();
  await deletedRow.getByRole("link", { name: id }).click();
  await expect(page).toHaveURL(new RegExp(`tab=files&user=${id}`));
});
