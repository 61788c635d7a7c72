import type { Locator, Page } from "@playwright/test";
import { newEmail, signUp, signUpByApi } from "./support/accounts.ts";
import { expectAccessible } from "./support/axe.ts";
import { expect, test } from "./support/fixtures.ts";
import { findMailedLink } from "./support/mailbox.ts";
import { expectToast } from "./support/plans.ts";
import { uploadTransferByApi } from "./support/transfers.ts";

/** "first", "second" and "third" in the folder Trip, which becomes the title. */
const TRIP = [
  { path: "Trip/a.txt", body: "first" },
  { path: "Trip/b.txt", body: "second" },
  { path: "Trip/day 2/c.txt", body: "third" },
];

const listItem = (page: Page, name: string) => page.getByRole("main").getByRole("listitem").filter({ hasText: name });
const fileRow = (tree: Locator, name: string) => tree.getByRole("row").filter({ hasText: name });

async function chooseFromMenu(page: Page, name: string, item: string): Promise<void> {
  await page.getByRole("button", { name: `More actions for ${name}` }).click();
  await page.getByRole("menuitem", { name: item }).click();
}

test("a transfer's row unfolds into its files; they are removed one by one, and the last one takes it along [TRF-22]", async ({
  page,
  expectErrors,
}) => {
  await signUp(page);
  const { downloadId } = await uploadTransferByApi(page.request, TRIP);
  const contentOf = (n: number) => page.request.get(`/api/files/download/${downloadId}/entries/${n}/content`);
  expect(await (await contentOf(1)).text()).toBe("second");

  const trip = listItem(page, "Trip");
  // A download is counted a moment later.
  await expect(async () => {
    await page.goto("/dashboard");
    await expect(trip).toContainText("3 files · 16 Bytes · Today · 1 download", { timeout: 2000 });
  }).toPass();
  await expect(trip.locator("[data-kind=transfer]")).toBeVisible();
  const unfold = trip.getByRole("button", { name: "Show files" });
  await expect(unfold).toHaveAttribute("aria-expanded", "false");
  await unfold.click();
  const tree = page.getByRole("treegrid", { name: "Files of Trip" });
  await expect(fileRow(tree, "b.txt")).toContainText("1 download");
  await expect(fileRow(tree, "a.txt")).toContainText("0 downloads");
  await expect(fileRow(tree, "day 2")).toContainText("1 file");
  await expect(tree.getByRole("link", { name: "a.txt" })).toHaveAttribute(
    "href",
    `/api/files/download/${downloadId}/entries/0/content`,
  );

  const dialog = page.getByRole("dialog");
  const ask = (name: string) => tree.getByRole("button", { name: `Remove ${name}` }).click();
  await ask("a.txt");
  await expect(dialog).toContainText(
    "Trip/a.txt is deleted and can no longer be downloaded. The link and the other files stay. This cannot be undone.",
  );
  await dialog.getByRole("button", { name: "Keep file" }).click();
  await expect(tree.getByRole("button", { name: "Remove a.txt" })).toBeFocused();
  await ask("a.txt");
  expectErrors(/500/);
  await page.route("**/api/files/*/entries/0", (route) => route.fulfill({ status: 500, json: { message: "Later" } }));
  await dialog.getByRole("button", { name: "Remove" }).click();
  await expectToast(page, "Could not remove the file", "Later");
  await page.unroute("**/api/files/*/entries/0");
  await dialog.getByRole("button", { name: "Remove" }).click();
  await expectToast(page, "File removed", "Trip/a.txt can no longer be downloaded.");
  await expect(fileRow(tree, "a.txt")).toContainText("Removed");
  await expect(fileRow(tree, "a.txt")).toBeFocused();
  await expect(tree.getByRole("link", { name: "a.txt" })).toHaveCount(0);
  await expect(trip).toContainText("2 files · 11 Bytes");
  expect((await contentOf(0)).status()).toBe(410);

  // Removed files are still listed after a reload.
  await page.reload();
  await trip.getByRole("button", { name: "Show files" }).click();
  await expect(fileRow(tree, "a.txt")).toContainText("Removed");
  await ask("b.txt");
  await dialog.getByRole("button", { name: "Remove" }).click();
  await expect(trip).toContainText("1 file · 5 Bytes");
  await ask("c.txt");
  await expect(dialog.getByRole("heading", { name: "Remove the last file?" })).toBeVisible();
  await expect(dialog).toContainText("Without it the transfer is deleted, and its link stops working at once");
  await dialog.getByRole("button", { name: "Remove" }).click();
  await expectToast(page, "Transfer deleted", "Trip was deleted, and its link no longer works.");
  await expect(page.getByText("You have no files yet.")).toBeVisible();
  await expect(page.getByRole("main").getByRole("link", { name: "Upload a file" })).toBeFocused();
  expect((await page.request.get(`/api/files/download/${downloadId}`)).status()).toBe(410);
});

test("title and message are edited; expiry, QR code, mail and deletion speak of the transfer [TRF-23]", async ({
  page,
}) => {
  await signUp(page);
  await uploadTransferByApi(page.request, [{ path: "older.txt", body: "1" }], { title: "Older" });
  const { downloadId } = await uploadTransferByApi(page.request, TRIP);
  await page.goto("/dashboard");
  const dialog = page.getByRole("dialog");

  await chooseFromMenu(page, "Trip", "Edit title and message");
  await dialog.getByLabel("Title").fill("");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByLabel("Title")).toHaveAttribute("aria-invalid", "true");
  await dialog.getByLabel("Title").fill("Summer");
  await dialog.getByLabel("Message (optional)").fill("From the lake.\nSee you!");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expectToast(page, "Changes saved", "The download page of Summer shows them now.");
  await expect(listItem(page, "Summer")).toBeVisible();
  const info = (await (await page.request.get(`/api/files/download/${downloadId}`)).json()) as { transfer: unknown };
  expect(info.transfer).toMatchObject({ title: "Summer", message: "From the lake.\nSee you!" });
  await chooseFromMenu(page, "Summer", "Edit title and message");
  await expect(dialog.getByLabel("Message (optional)")).toHaveValue("From the lake.\nSee you!");
  await dialog.getByLabel("Message (optional)").fill("");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toHaveCount(0);
  const without = (await (await page.request.get(`/api/files/download/${downloadId}`)).json()) as { transfer: unknown };
  expect(without.transfer).toMatchObject({ message: null });

  await chooseFromMenu(page, "Summer", "Change expiry");
  await expect(dialog.getByRole("group", { name: "Keep the files for" })).toBeVisible();
  await dialog.getByLabel("6 hours").check();
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText(/^Summer: expires /)).toBeVisible();
  await chooseFromMenu(page, "Summer", "Show QR code");
  await expect(dialog.getByRole("img", { name: "QR code of the link to Summer" })).toBeVisible();
  await page.keyboard.press("Escape");

  const friend = newEmail();
  await chooseFromMenu(page, "Summer", "Send by email");
  await expect(dialog).toContainText("Anyone who receives the email can download Summer.");
  await dialog.getByRole("textbox", { name: "To" }).fill(friend);
  await dialog.getByRole("button", { name: "Send the link" }).click();
  await expectToast(page, "Link sent");
  expect(await findMailedLink(page, friend, /sent you files/)).toMatch(
    new RegExp(`/download/${downloadId}\\?for=[\\w-]{22}$`),
  );

  await page.goto("/dashboard");
  await page.getByRole("button", { name: "Delete Summer" }).click();
  await expect(dialog.getByRole("heading", { name: "Delete this transfer?" })).toBeVisible();
  await expect(dialog).toContainText("Summer (3 files) is deleted and its link stops working at once, for everyone.");
  await expect(dialog.getByRole("button", { name: "Keep files" })).toBeVisible();
  await dialog.getByRole("button", { name: "Delete" }).click();
  await expectToast(page, "Transfer deleted", "Summer was deleted, and its link no longer works.");
  await expect(listItem(page, "Summer")).toHaveCount(0);
  await expect(listItem(page, "Older").getByRole("link", { name: "Older" })).toBeFocused();
});

test("a long list loads as it scrolls, and says so when it cannot [TRF-22]", async ({ page, expectErrors }) => {
  await signUpByApi(page);
  const files = Array.from({ length: 620 }, (_, n) => ({ path: `p${String(n).padStart(3, "0")}.txt`, body: "x" }));
  await uploadTransferByApi(page.request, files, { title: "Pictures" });
  await page.goto("/dashboard");
  expectErrors(/503/);
  const outage = { status: 503, json: { message: "Storage did not respond. Please try again in a moment." } };
  await page.route("**/entries?from=0", (route) => route.fulfill(outage));
  await listItem(page, "Pictures").getByRole("button", { name: "Show files" }).click();
  const alert = listItem(page, "Pictures").getByRole("alert");
  await expect(alert).toContainText("Storage did not respond. Please try again in a moment.");
  await page.unroute("**/entries?from=0");
  await alert.getByRole("button", { name: "Try again" }).click();
  const tree = page.getByRole("treegrid", { name: "Files of Pictures" });
  await expect(fileRow(tree, "p000.txt")).toBeVisible();

  await page.route("**/entries?from=500", (route) => route.fulfill(outage));
  await fileRow(tree, "p000.txt").focus();
  await page.keyboard.press("End");
  await expect(alert).toContainText("Storage did not respond.");
  await expect(fileRow(tree, "p499.txt")).toBeVisible();
  await page.unroute("**/entries?from=500");
  await alert.getByRole("button", { name: "Try again" }).click();
  await expect(alert).toHaveCount(0);
  await fileRow(tree, "p499.txt").focus();
  await page.keyboard.press("End");
  await expect(fileRow(tree, "p619.txt")).toBeFocused();
});

test("the dashboard of transfers can be used with the keyboard alone and passes axe, in both languages [TRF-24]", async ({
  page,
  context,
  baseURL,
}) => {
  await signUpByApi(page);
  await uploadTransferByApi(page.request, [...TRIP, { path: "Trip/empty/", body: "" }], { message: "Hello" });
  await page.goto("/dashboard");
  await expectAccessible(page, "transfer-dashboard-folded");
  await page.getByRole("button", { name: "Show files" }).focus();
  await page.keyboard.press("Enter");
  const tree = page.getByRole("treegrid", { name: "Files of Trip" });
  await expect(fileRow(tree, "c.txt")).toBeVisible();
  await expectAccessible(page, "transfer-dashboard");
  await page.keyboard.press("Tab");
  await expect(tree.getByRole("row").first()).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect(tree.getByRole("button", { name: "Remove a.txt" })).toBeFocused();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog");
  await expect(dialog).toBeVisible();
  await expectAccessible(page, "transfer-remove");
  await dialog.getByRole("button", { name: "Remove" }).press("Enter");
  await expect(fileRow(tree, "a.txt")).toBeFocused();
  await chooseFromMenu(page, "Trip", "Edit title and message");
  await expect(dialog.getByLabel("Title")).toBeVisible();
  await expectAccessible(page, "transfer-edit");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "More actions for Trip" })).toBeFocused();
  await tree.getByRole("button", { name: "Remove empty" }).click();
  await expect(dialog.getByRole("heading", { name: "Remove this empty folder?" })).toBeVisible();
  await dialog.getByRole("button", { name: "Remove" }).click();
  await expectToast(page, "Folder removed", "Trip/empty/ can no longer be downloaded.");

  await context.addCookies([{ name: "locale", value: "de", url: baseURL ?? "" }]);
  await page.goto("/dashboard");
  await expect(listItem(page, "Trip")).toContainText("2 Dateien");
  await page.getByRole("button", { name: "Dateien anzeigen" }).click();
  const german = page.getByRole("treegrid", { name: "Dateien von Trip" });
  await expect(fileRow(german, "a.txt")).toContainText("Entfernt");
  await german.getByRole("button", { name: "b.txt entfernen" }).click();
  await expect(dialog).toContainText(
    "Der Link und die anderen Dateien bleiben. Das lässt sich nicht rückgängig machen.",
  );
  await expectAccessible(page, "transfer-dashboard-german");
});
