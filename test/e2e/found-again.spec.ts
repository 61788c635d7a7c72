import type { Page } from "@playwright/test";
import { signUp, signUpByApi } from "./support/accounts.ts";
import { expectAccessible } from "./support/axe.ts";
import { query } from "./support/database.ts";
import { chooseFile, randomFile } from "./support/files.ts";
import { expect, test } from "./support/fixtures.ts";
import { openGuards } from "./support/guarded-links.ts";
import { expectToast } from "./support/plans.ts";
import { uploadByApi } from "./support/sharing.ts";
import { uploadTransferByApi } from "./support/transfers.ts";

const fileRow = (page: Page, name: string) => page.getByRole("main").getByRole("listitem").filter({ hasText: name });
const checkbox = (page: Page, name: string) => page.getByRole("checkbox", { name: `Choose ${name}` });

async function send(page: Page, names: string[]): Promise<void> {
  for (const name of names) await uploadByApi(page, { name, type: "text/plain", body: name });
}

test("a transfer is found by a file inside, and a link by its recipient [FIND-1, FIND-2]", async ({ page }) => {
  await signUpByApi(page);
  await uploadTransferByApi(page.request, [
    { path: "Trip/a.txt", body: "first" },
    { path: "Trip/Passport.pdf", body: "second" },
  ]);
  await send(page, ["plan.txt", "other.txt"]);
  await page.goto("/dashboard");
  const search = page.getByLabel("Search your files");
  await search.fill("passport");
  await expect(fileRow(page, "Trip")).toBeVisible();
  await expect(page.getByRole("main").getByRole("listitem")).toHaveCount(1);
  await search.fill("");
  await page.getByRole("button", { name: "More actions for plan.txt" }).click();
  await page.getByRole("menuitem", { name: "Send by email" }).click();
  await page.getByRole("textbox", { name: "To" }).fill("anna@example.com");
  await page.getByRole("button", { name: "Send the link" }).click();
  await expect(page.getByText("Link sent", { exact: true })).toBeVisible();
  await search.fill("Anna@");
  await expect(page.getByRole("main").getByRole("listitem")).toHaveCount(1);
  await expect(fileRow(page, "plan.txt")).toBeVisible();
});

test("labels are given, shown, filtered by and taken away [FIND-4]", async ({ page }) => {
  await signUpByApi(page);
  await send(page, ["one.txt", "two.txt"]);
  await page.goto("/dashboard");
  await expect(page.getByRole("combobox", { name: "Label" })).toHaveCount(0);
  const openLabels = async (name: string) => {
    await page.getByRole("button", { name: `More actions for ${name}` }).click();
    await page.getByRole("menuitem", { name: "Labels" }).click();
  };
  await openLabels("one.txt");
  const field = page.getByLabel("New label");
  await field.fill("Customer A");
  await field.press("Enter");
  // The second label is meant, although it was not added.
  await field.fill("open");
  await expectAccessible(page, "labels");
  await page.getByRole("button", { name: "Save" }).click();
  await expectToast(page, "Labels saved", "one.txt");
  await expect(fileRow(page, "one.txt").getByRole("link", { name: "Customer A" })).toBeVisible();
  await page.getByRole("combobox", { name: "Label" }).selectOption("open");
  await expect(page).toHaveURL("/dashboard?label=open");
  await expect(fileRow(page, "two.txt")).toHaveCount(0);
  await page.reload();
  await expect(fileRow(page, "one.txt").first()).toBeVisible();
  await openLabels("one.txt");
  await page.getByRole("button", { name: "Remove open" }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("No link has the label “open”.")).toBeVisible();
  await page.getByRole("combobox", { name: "Label" }).selectOption("All labels");
  await expect(fileRow(page, "two.txt")).toBeVisible();
});

test("several links are chosen by mouse and keyboard, and deleted; what fails is named and tried again [FIND-7, FIND-8]", async ({
  page,
  expectErrors,
}) => {
  await signUpByApi(page);
  await send(page, ["e.txt", "d.txt", "c.txt", "b.txt", "a.txt"]);
  await page.goto("/dashboard");
  const tools = page.getByRole("toolbar", { name: "Chosen links" });
  await checkbox(page, "a.txt").click();
  await expect(tools).toContainText("1 chosen");
  await checkbox(page, "c.txt").click({ modifiers: ["Shift"] });
  await expect(tools).toContainText("3 chosen");
  await expect(checkbox(page, "b.txt")).toBeChecked();
  await expectAccessible(page, "chosen-links");
  await page.keyboard.press("Escape");
  await expect(tools).toHaveCount(0);
  await checkbox(page, "b.txt").focus();
  await page.keyboard.press("Space");
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("ArrowDown");
  await expect(checkbox(page, "e.txt")).toBeFocused();
  await expect(tools).toContainText("3 chosen");

  await tools.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Keep them" }).click();
  await expect(tools).toContainText("3 chosen");
  const [row] = await query("select id from files where filename = 'c.txt' order by rowid desc limit 1");
  expectErrors(/500/);
  await page.route(`**/api/files/${String(row?.id)}`, (route) =>
    route.fulfill({ status: 500, json: { message: "Out of order" } }),
  );
  await tools.getByRole("button", { name: "Delete" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("Delete 3 links?");
  await dialog.getByRole("button", { name: "Delete" }).click();
  await expect(dialog).toContainText("1 of 3 links could not be deleted");
  await expect(dialog).toContainText("c.txt: Out of order");
  await page.unroute(`**/api/files/${String(row?.id)}`);
  await dialog.getByRole("button", { name: "Retry" }).click();
  await expectToast(page, "1 link deleted");
  for (const name of ["b.txt", "c.txt", "d.txt"]) await expect(fileRow(page, name)).toHaveCount(0);
  for (const name of ["a.txt", "e.txt"]) await expect(fileRow(page, name)).toBeVisible();
});

test("several links get another expiry at once [FIND-8]", async ({ page }) => {
  await signUpByApi(page);
  await send(page, ["a.txt", "b.txt"]);
  await page.goto("/dashboard");
  await checkbox(page, "a.txt").click();
  const tools = page.getByRole("toolbar", { name: "Chosen links" });
  await tools.getByRole("button", { name: "Choose all" }).click();
  await tools.getByRole("button", { name: "Change expiry" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByLabel("7 days")).toBeDisabled();
  await dialog.getByLabel("6 hours").check();
  await dialog.getByRole("button", { name: "Save" }).click();
  await expectToast(page, "Expiry of 2 links changed");
  const lifetimes = await query(
    "select expires_at - uploaded_at as ms from files where filename in ('a.txt', 'b.txt') order by rowid desc limit 2",
  );
  expect(lifetimes.map(({ ms }) => ms)).toEqual([6 * 3_600_000, 6 * 3_600_000]);
});

test("an encrypted link is found by its title in the browser that has its key [FIND-3]", async ({ page }) => {
  await signUp(page);
  await send(page, ["plain.txt"]);
  await page.goto("/");
  await openGuards(page);
  await page.getByRole("switch", { name: "End-to-end encrypted" }).check();
  await chooseFile(page, await randomFile("merger.pdf", 1000));
  await expect(page.getByRole("heading", { name: "Ready to share" })).toBeVisible();
  await page.goto("/dashboard");
  await page.getByLabel("Search your files").fill("MERGER");
  await expect(page.getByRole("heading", { name: "Encrypted links, found in this browser" })).toBeVisible();
  await expect(page.getByText("No other name, file or recipient contains “MERGER”.")).toBeVisible();
  await page.getByRole("link", { name: "merger.pdf" }).click();
  await expect(page.getByRole("heading", { name: "merger.pdf" })).toBeVisible();
});
