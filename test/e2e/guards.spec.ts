import type { Page } from "@playwright/test";
import { signUp, signUpWithClipboard, signUpByApi } from "./support/accounts.ts";
import { expectAccessible } from "./support/axe.ts";
import { chooseFile, randomFile } from "./support/files.ts";
import { expect, test } from "./support/fixtures.ts";
import { limitField, openGuards, passwordField, seenByStranger, unlock } from "./support/guarded-links.ts";
import { chooseFiles } from "./support/many-files.ts";
import { sendAndStall } from "./support/stalled-transfer.ts";

const shareId = async (page: Page) => (await page.getByLabel("Share link").inputValue()).split("/").at(-1) ?? "";

test("a file is protected before it is dropped, and the password is shown until the page is left [GRD-1] @everyday", async ({
  page,
  openBrowser,
}) => {
  await signUp(page);
  const { request: stranger } = await openBrowser();
  await openGuards(page);
  await passwordField(page).fill("river stone");
  await limitField(page).fill("2");
  await page.getByRole("button", { name: "One download more" }).click();
  await expect(limitField(page)).toHaveValue("3");
  await expectAccessible(page, "guards-card");
  await openGuards(page);
  await expect(passwordField(page)).toHaveCount(0);
  await expect(page.getByText("Protected with a password · Ends after 3 downloads")).toBeVisible();

  const started = page.waitForRequest("**/api/direct-upload/presigned-url");
  await chooseFile(page, await randomFile("guarded.bin", 1000));
  expect((await started).postDataJSON()).toMatchObject({ guards: { password: "river stone", maxDownloads: 3 } });
  await expect(page.getByRole("heading", { name: "Ready to share" })).toBeVisible();
  await expect(page.getByText("Protected with a password")).toBeVisible();
  await expect(page.getByText("Ends after 3 downloads")).toBeVisible();
  await expect(page.getByText("river stone")).toHaveCount(0);
  await page.getByRole("button", { name: "Show password" }).click();
  await expect(page.getByText("river stone")).toBeVisible();
  await expectAccessible(page, "guards-sent");

  const id = await shareId(page);
  expect(await seenByStranger(stranger, id)).toEqual([401, "LINK_LOCKED"]);
  expect(await unlock(stranger, id, "river bank")).toBe(403);
  expect(await unlock(stranger, id, "river stone")).toBe(200);
  const stored = () =>
    JSON.stringify([Object.values(localStorage), Object.values(sessionStorage), document.cookie, history.state]);
  expect(await page.evaluate(stored)).not.toContain("river");

  await page.getByRole("button", { name: "Upload Another File" }).click();
  await openGuards(page);
  await expect(passwordField(page)).toHaveValue("");
  await expect(limitField(page)).toHaveValue("");
});

test("wrong guards hold back what is dropped until they are right [GRD-2]", async ({ page }) => {
  await signUp(page);
  await openGuards(page);
  await passwordField(page).fill("short");
  await limitField(page).fill("none");
  await chooseFile(page, await randomFile("held.bin", 1000));
  await expect(page.getByRole("heading", { name: "held.bin" })).toBeVisible();
  await expect(passwordField(page)).toBeFocused();
  await expect(passwordField(page)).toHaveAccessibleDescription(/The link's password needs 6 to 128 characters\.$/);
  await expect(limitField(page)).toHaveAccessibleDescription(
    /The number of downloads must be a whole number from 1 to 1,000\.$/,
  );
  await expectAccessible(page, "guards-wrong");
  await passwordField(page).fill("long enough");
  await page.getByRole("button", { name: "Upload", exact: true }).click();
  await expect(limitField(page)).toBeFocused();
  await limitField(page).fill("");
  await page.getByRole("button", { name: "Upload", exact: true }).click();
  await expect(page.getByText("Protected with a password")).toBeVisible();
  await expect(page.getByText(/^Ends after/)).toHaveCount(0);

  await page.getByRole("button", { name: "Upload Another File" }).click();
  await openGuards(page);
  await passwordField(page).fill("abc");
  await chooseFiles(page, [await randomFile("one.txt", 10), await randomFile("two.txt", 10)]);
  await expect(page.getByRole("heading", { name: "2 files, 20 Bytes" })).toBeVisible();
  await expect(passwordField(page)).toHaveAttribute("aria-invalid", "true");
  await page.getByRole("button", { name: "Send 2 files (20 Bytes)" }).click();
  await expect(passwordField(page)).toBeFocused();
  await passwordField(page).fill("abcdef");
  await passwordField(page).press("Enter");
  await expect(page.getByText("one.txt and two.txt · 2 files, 20 Bytes")).toBeVisible();
  await expect(page.getByText("Protected with a password")).toBeVisible();
});

test("the browser makes a password up, and copies it [GRD-3]", async ({ page }) => {
  await signUpWithClipboard(page);
  await openGuards(page);
  await expect(page.getByRole("button", { name: "Copy password" })).toHaveCount(0);
  await page.getByRole("button", { name: "Make one up" }).click();
  await expect(passwordField(page)).toHaveAttribute("type", "text");
  const made = await passwordField(page).inputValue();
  expect(made).toMatch(/^[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4}$/);
  await page.getByRole("button", { name: "Copy password" }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(made);
  const show = page.getByRole("button", { name: "Show password" });
  await expect(show).toHaveAttribute("aria-pressed", "true");
  await show.click();
  await expect(passwordField(page)).toHaveAttribute("type", "password");
});

test("a transfer is protected from its list, and its guards change while it is sent [GRD-1]", async ({
  page,
  openBrowser,
}) => {
  await signUp(page);
  const { request: stranger } = await openBrowser();
  await openGuards(page);
  await passwordField(page).fill("the first one");
  const stalled = await sendAndStall(page, "Guarded", { "a.txt": 100 });
  await expect(page.getByText("Protected with a password")).toBeVisible();
  const id = await shareId(page);
  expect(await seenByStranger(stranger, id)).toEqual([401, "LINK_LOCKED"]);
  await expectAccessible(page, "guards-sending");

  await page.getByRole("button", { name: "Change protection" }).click();
  const dialog = page.getByRole("dialog", { name: "Protect the link" });
  await expect(dialog).toContainText("Who may open the link to Guarded, and how often.");
  await dialog.getByRole("button", { name: "Change", exact: true }).click();
  await dialog.getByLabel("New password").fill("the second one");
  await limitField(dialog).fill("5");
  stalled.goOn();
  // The transfer gets ready behind the dialog, and what was typed stays.
  await expect(page.getByText("Ready to share", { exact: true })).toBeVisible();
  await expect(dialog.getByLabel("New password")).toHaveValue("the second one");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toContainText("Whoever has unlocked the link has to enter the new password.");
  await dialog.getByRole("button", { name: "Change it" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText("Ends after 5 downloads")).toBeVisible();
  await page.getByRole("button", { name: "Show password" }).click();
  await expect(page.getByText("the second one")).toBeVisible();
  expect(await unlock(stranger, id, "the first one")).toBe(403);
  expect(await unlock(stranger, id, "the second one")).toBe(200);
});

test("a link without guards gets some while its file is sent, and a retry keeps them [GRD-4]", async ({
  page,
  expectErrors,
}) => {
  await signUp(page);
  expectErrors(/400/);
  await page.route("**/api/direct-upload/complete", (route) => route.fulfill({ status: 400, json: { message: "No" } }));
  const held = Promise.withResolvers<undefined>();
  const isStored = (url: URL) => url.searchParams.has("X-Amz-Signature");
  await page.route(isStored, async (route) => {
    await held.promise;
    await route.continue();
  });
  await chooseFile(page, await randomFile("late.bin", 1000));
  await page.getByRole("button", { name: "Protect the link" }).click();
  const dialog = page.getByRole("dialog");
  await passwordField(dialog).fill("added later");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText("Protected with a password")).toBeVisible();
  held.resolve(undefined);
  const alert = page.getByRole("main").getByRole("alert");
  await expect(alert).toContainText("late.bin was not uploaded.");
  await page.unroute("**/api/direct-upload/complete");
  const restarted = page.waitForRequest("**/api/direct-upload/presigned-url");
  await alert.getByRole("button", { name: "Try again" }).click();
  expect((await restarted).postDataJSON()).toMatchObject({ guards: { password: "added later" } });
  await expect(page.getByRole("heading", { name: "Ready to share" })).toBeVisible();
  await expect(page.getByText("Protected with a password")).toBeVisible();
});

test.describe("in German", () => {
  test.use({ locale: "de-DE" });

  test("the card and its link speak of the guards", async ({ page }) => {
    await signUpByApi(page);
    await page.goto("/");
    await page.getByRole("button", { name: "Link schützen" }).click();
    await page.getByLabel("Passwort", { exact: true }).fill("kurz");
    await page.getByLabel("Endet nach … Downloads").fill("1");
    await expect(page.getByText("Das Passwort des Links braucht 6 bis 128 Zeichen.")).toBeVisible();
    await expectAccessible(page, "guards-card-german");
    await page.getByLabel("Passwort", { exact: true }).fill("norwegen");
    await page.getByLabel("Datei auswählen").setInputFiles(await randomFile("urlaub.bin", 10));
    await expect(page.getByText("Mit einem Passwort geschützt")).toBeVisible();
    await expect(page.getByText("Endet nach 1 Download", { exact: true })).toBeVisible();
    await page.getByRole("button", { name: "Schutz ändern" }).click();
    const dialog = page.getByRole("dialog", { name: "Link schützen" });
    await expect(dialog).toContainText("0 von 1 Download ist verbraucht.");
    await expectAccessible(page, "guards-dialog-german");
  });
});
