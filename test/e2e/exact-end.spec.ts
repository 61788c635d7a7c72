import type { Page } from "@playwright/test";
import type { ListedFile } from "#domain/wire.ts";
import { signUp } from "./support/accounts.ts";
import { expectAccessible } from "./support/axe.ts";
import { chooseFile, randomFile } from "./support/files.ts";
import { expect, test } from "./support/fixtures.ts";

test.use({ timezoneId: "Asia/Tokyo", locale: "en-GB" });

const DAY_MS = 86_400_000;
/** Tokyo is nine hours ahead, the whole year. */
const OFFSET_MS = 9 * 3_600_000;

/** @returns the moment as the field has it, in Tokyo */
function inTokyo(atMs: number): string {
  return new Date(atMs + OFFSET_MS).toISOString().slice(0, 16);
}

function fromTokyo(field: string): string {
  return new Date(Date.parse(`${field}:00Z`) - OFFSET_MS).toISOString();
}

async function onlyFile({ request }: Page): Promise<ListedFile | undefined> {
  const [file] = (await (await request.get("/api/files")).json()) as ListedFile[];
  return file;
}

test("a link ends on the date that its sender chose, and gets another one later [END-1, END-6] @everyday", async ({
  page,
}) => {
  await signUp(page);
  await page.getByLabel("Link expires after").selectOption("On a date…");
  const field = page.getByLabel("Ends on");
  await expect(field).toHaveAccessibleDescription("In your time zone (Asia/Tokyo)");
  await expectAccessible(page, "exact-end-card");
  const chosen = inTokyo(Date.now() + DAY_MS);
  await field.fill(chosen);
  await chooseFile(page, await randomFile("offer.txt", 10));
  await expect(page.getByRole("heading", { name: "Ready to share" })).toBeVisible();
  const file = await onlyFile(page);
  expect(file?.expiresAt).toBe(fromTokyo(chosen));

  await page.goto(`/dashboard/${file?.id ?? ""}`);
  await page.getByRole("button", { name: "Change: Expires" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("radio", { name: "On a date…" }).check();
  const other = inTokyo(Date.now() + 2 * DAY_MS);
  await dialog.getByLabel("Ends on").fill(inTokyo(Date.now() + 4 * DAY_MS));
  await expect(dialog.getByText("On the Free plan, a link works for at most 3 days.")).toBeVisible();
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByLabel("Ends on").fill(other);
  await expectAccessible(page, "exact-end-dialog");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Expiry changed", { exact: true })).toBeVisible();
  expect((await onlyFile(page))?.expiresAt).toBe(fromTokyo(other));
});

test("a wrong end holds the file back until it is right [END-3]", async ({ page }) => {
  await signUp(page);
  await page.getByLabel("Link expires after").selectOption("On a date…");
  await page.getByLabel("Ends on").fill(inTokyo(Date.now() - DAY_MS));
  await chooseFile(page, await randomFile("held.txt", 10));
  const field = page.getByLabel("Ends on");
  await expect(page.getByText("Choose a time at least a minute from now.")).toBeVisible();
  await page.getByRole("button", { name: "Upload", exact: true }).click();
  await field.fill("");
  await expect(page.getByText("Choose a date and a time.")).toBeVisible();
  await page.getByRole("button", { name: "Upload", exact: true }).click();
  expect(await onlyFile(page)).toBeUndefined();
  await page.getByLabel("Link expires after").selectOption("1 day");
  await page.getByRole("button", { name: "Upload", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Ready to share" })).toBeVisible();
  expect((await onlyFile(page))?.expiration).toBe("1d");
});
