import { expect, test } from "./support/fixtures.ts";
import { expectToast, openAdmin, tab, tableRow } from "./support/admin.ts";

const sumOf = (text: string) => text.repeat(64).slice(0, 64);

test("an administrator adds sums, reads which lines are none, finds one, and takes them off [BLK-4]", async ({
  page,
}) => {
  await openAdmin(page);
  await tab(page, "Block List").click();
  const label = `police ${crypto.randomUUID()}`;
  const digits = crypto.randomUUID().replaceAll("-", "");
  const [one, two] = [sumOf(`${digits}1`), sumOf(`${digits}2`)];
  await page.getByRole("button", { name: "Add sums" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await expect(dialog.getByLabel("Label")).toHaveAccessibleDescription(/Please say where the sums come from\.$/);
  await dialog.getByLabel("Label").fill(label);
  await dialog.getByLabel("SHA-256").fill(`${one}\nnonsense\n${two}\n`);
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await expectToast(page, "2 sums added", "None was on the list before.");
  await expect(page.getByText("1 line is no SHA-256")).toBeVisible();
  await expect(page.getByText("Lines: 2. The other lines were added.")).toBeVisible();
  await expect(tableRow(page, label)).toContainText("2");

  await page.getByRole("searchbox", { name: "Find a sum" }).fill(one.slice(0, 10));
  await expect(page.getByText("Enter all 64 hexadecimal digits of a sum.")).toBeVisible();
  await page.getByRole("searchbox", { name: "Find a sum" }).fill(one);
  await expect(page.getByText(`This sum is on the list: ${label}`)).toBeVisible();
  await page.getByRole("status").getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText("This sum is not on the list.")).toBeVisible();

  await tableRow(page, label).getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expect(tableRow(page, label)).toHaveCount(0);
});
