import type { APIRequestContext } from "@playwright/test";
import { columnNames, expectToast, openAdmin, tableRow, tab } from "./support/admin.ts";
import { query } from "./support/database.ts";
import { expect, test } from "./support/fixtures.ts";
import { newEmail } from "./support/accounts.ts";

const MESSAGE = "A first line.\nAnd a second one.";

/** @returns the sender's email address */
async function sendMessage(request: APIRequestContext, subject: string): Promise<string> {
  const email = newEmail();
  const answer = await request.post("/api/contact", { data: { name: "Ada", email, subject, message: MESSAGE } });
  expect(answer.status()).toBe(201);
  return email;
}

const today = () => new Date().toLocaleDateString("en-US", { month: "short", day: "2-digit", year: "numeric" });

test("the contact tab lists messages newest first with a count, and opening a message marks it as read [ADM-17, ADM-18, ADM-19, ERR-55] @everyday", async ({
  page,
  request,
  expectErrors,
}) => {
  const first = await sendMessage(request, "The first");
  const second = await sendMessage(request, "The second");
  await openAdmin(page);
  await tab(page, "Contact").click();
  await expect(page.getByText(/^[\d,]+ submissions, [\d,]+ new$/)).toBeVisible();
  expect(await columnNames(page, "Contact submissions")).toEqual([
    "Status",
    "Date",
    "Name",
    "Email",
    "Subject",
    "Actions",
  ]);
  const rows = await page.getByRole("row").allTextContents();
  const positions = [second, first].map((email) => rows.findIndex((row) => row.includes(email)));
  expect(positions[0]).toBeGreaterThan(0);
  expect(positions[0]).toBeLessThan(positions[1] ?? 0);

  const row = tableRow(page, first);
  await expect(row.getByText("New", { exact: true })).toBeVisible();
  await expect(row).toContainText(today());
  await row.getByRole("button", { name: "View" }).click();
  const dialog = page.getByRole("dialog");
  for (const search of ["Ada", first, "The first"]) {
    await expect(dialog.getByText(search, { exact: true })).toBeVisible();
  }
  await expect(dialog.getByText(/A first line\.\s+And a second one\./)).toBeVisible();
  await expectToast(page, "Submission marked as read");
  await dialog.getByRole("button", { name: "Close" }).click();
  await expect(row.getByRole("img", { name: "Read" })).toBeVisible();
  expect(await query(`select is_read from contact_submissions where email = '${first}'`)).toEqual([{ is_read: 1 }]);

  expectErrors(/500/);
  await page.route("**/mark-read", (route) => route.fulfill({ status: 500, json: { message: "No." } }));
  await tableRow(page, second).getByRole("button", { name: "View" }).click();
  await expectToast(page, "Failed to mark submission as read");
  await dialog.getByRole("button", { name: "Close" }).click();
  await expect(tableRow(page, second).getByText("New", { exact: true })).toBeVisible();
});

test("the contact tab searches messages by sender and deletes one after a confirmation [ADM-21, ADM-31, ERR-56]", async ({
  page,
  request,
  expectErrors,
}) => {
  const email = await sendMessage(request, "To be deleted");
  await openAdmin(page, "?tab=contact");
  await page.getByLabel("Search submissions").fill(email);
  await expect(page.getByRole("row")).toHaveCount(2);
  const row = tableRow(page, email);
  const dialog = page.getByRole("dialog");
  await row.getByRole("button", { name: "Delete" }).click();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(row).toBeVisible();
  expectErrors(/500/);
  await page.route("**/api/admin/contact-submissions/*", (route) =>
    route.fulfill({ status: 500, json: { message: "No." } }),
  );
  await row.getByRole("button", { name: "Delete" }).click();
  await dialog.getByRole("button", { name: "Delete submission" }).click();
  await expectToast(page, "Failed to delete submission");
  await page.unroute("**/api/admin/contact-submissions/*");
  await dialog.getByRole("button", { name: "Delete submission" }).click();
  await expectToast(page, "Submission deleted successfully");
  await expect(page.getByText(`No sender's address starts with “${email}”.`)).toBeVisible();
});
