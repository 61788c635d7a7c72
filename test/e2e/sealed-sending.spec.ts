import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { MIB } from "#domain/units.ts";
import { logIn, signUp } from "./support/accounts.ts";
import { expectAccessible } from "./support/axe.ts";
import { chooseFile, randomFile } from "./support/files.ts";
import { expect, test } from "./support/fixtures.ts";
import { openGuards, passwordField, seenByStranger } from "./support/guarded-links.ts";
import { chooseFolder, randomFolder } from "./support/many-files.ts";
import { collectSent, openSealed } from "./support/open-sealed.ts";
import { acknowledgedParts, LATER_PARTS, watchParts } from "./support/stalled-parts.ts";
import { sendAndStall } from "./support/stalled-transfer.ts";

const EMPTY = new Uint8Array();

/** Turns encryption on, in the upload card. */
async function encrypt(page: Page, password = ""): Promise<void> {
  await openGuards(page);
  await page.getByRole("switch", { name: "End-to-end encrypted" }).check();
  if (password !== "") await passwordField(page).fill(password);
}

async function shareUrl(page: Page): Promise<string> {
  await expect(page.getByRole("heading", { name: "Ready to share" })).toBeVisible();
  return page.getByLabel("Share link").inputValue();
}

test("a file is encrypted with a password, and nothing that opens or names it is sent [SEAL-20] @everyday", async ({
  page,
  openBrowser,
}) => {
  await signUp(page);
  const { request: stranger } = await openBrowser();
  const sent = collectSent(page);
  await encrypt(page, "river st");
  await expect(page.getByText("We cannot read names or contents.")).toBeVisible();
  await expectAccessible(page, "sealing-card");
  const path = await randomFile("Kündigung Meier.pdf", 700_001);
  await chooseFile(page, path);
  const link = await shareUrl(page);
  expect(link).toMatch(/\/download\/[\w-]{22}#2[\w-]{43}$/);
  await expect(page.getByText("This link is the key. Keep it: we cannot show it on another device.")).toBeVisible();
  await expect(page.getByText(/^Kündigung Meier\.pdf · 68\d/)).toBeVisible();
  await expectAccessible(page, "sealing-sent");
  expect(await seenByStranger(stranger, link.split("#")[0]?.split("/").at(-1) ?? "")).toEqual([401, "LINK_LOCKED"]);
  await expect(openSealed(stranger, link, "river bank")).rejects.toThrow("the unlock answered 403");

  const { manifest, files, secrets } = await openSealed(stranger, link, "river st");
  expect(manifest).toMatchObject({ final: true, files: [{ type: "application/pdf", size: 700_001 }] });
  expect((await readFile(path)).equals(files.get("Kündigung Meier.pdf") ?? EMPTY)).toBe(true);
  const mail = await page.getByRole("link", { name: "Email" }).getAttribute("href");
  expect(mail).toContain("%232");
  const traces = [...secrets, "river", "ndigung", "Meier", "application/pdf"];
  expect(traces.filter((trace) => sent.texts.some((text) => text.includes(trace)))).toEqual([]);
  expect(sent.texts.length).toBeGreaterThan(10);
});

test("the choice is remembered, and a short password holds the file back [SEAL-23]", async ({ page }) => {
  await signUp(page);
  await encrypt(page);
  await page.reload();
  await expect(page.getByText("End-to-end encrypted", { exact: true })).toBeVisible();
  await openGuards(page);
  await passwordField(page).fill("seven77");
  await chooseFile(page, await randomFile("held.bin", 1000));
  await expect(passwordField(page)).toHaveAccessibleDescription(
    /The password of an encrypted link needs 8 to 128 characters\.$/,
  );
  await passwordField(page).fill("");
  await page.getByRole("button", { name: "Upload", exact: true }).click();
  expect(await shareUrl(page)).toMatch(/#1[\w-]{43}$/);
});

test("a folder is encrypted file by file, and its names, title and message are in its manifest alone [SEAL-20]", async ({
  page,
  openBrowser,
}) => {
  await signUp(page);
  const { request: stranger } = await openBrowser();
  const sent = collectSent(page);
  await encrypt(page);
  const sizes = { "plan.txt": 0, "photos/beach.jpg": 300_000, "photos/dunes.jpg": 17, "large.bin": 18 * MIB };
  const folder = await randomFolder("Holiday", sizes);
  await chooseFolder(page, folder);
  await page.getByLabel("Title").fill("By the sea");
  await page.getByLabel("Message").fill("For grandmother");
  await page.getByRole("button", { name: /^Send 4 files/ }).click();
  const link = await shareUrl(page);
  await expect(page.getByText(/^By the sea · 4 files, 18\.\d+ MB/)).toBeVisible();

  await page.getByRole("button", { name: "Change title and message" }).click();
  await page.getByRole("dialog").getByLabel("Title").fill("In the dunes");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await expect(page.getByText(/^In the dunes · 4 files/)).toBeVisible();

  const { manifest, files, secrets } = await openSealed(stranger, link);
  expect(manifest).toMatchObject({ final: true, title: "In the dunes", message: "For grandmother" });
  expect([...files.keys()].sort()).toEqual(
    Object.keys(sizes)
      .map((name) => `Holiday/${name}`)
      .sort(),
  );
  for (const name of Object.keys(sizes)) {
    expect((await readFile(join(folder, name))).equals(files.get(`Holiday/${name}`) ?? EMPTY)).toBe(true);
  }
  const traces = [...secrets, "Holiday", "beach", "dunes", "By the sea", "grandmother", "image/jpeg"];
  expect(traces.filter((trace) => sent.texts.some((text) => text.includes(trace)))).toEqual([]);
});

test("after a reload the same file goes on, under the same link, with equal bytes [SEAL-21]", async ({
  page,
  openBrowser,
}) => {
  await signUp(page);
  await encrypt(page, "long enough");
  const path = await randomFile("reloaded.bin", 24 * MIB + 1);
  await page.context().route(LATER_PARTS, () => undefined);
  const acknowledged = acknowledgedParts(page, [1, 2]);
  await chooseFile(page, path);
  await acknowledged;
  await expect(page.getByLabel("Share link")).toHaveValue(/#2/);
  const link = await page.getByLabel("Share link").inputValue();
  page.on("dialog", (dialog) => void dialog.accept());
  await page.reload();
  await page.context().unroute(LATER_PARTS);
  const parts = watchParts(page);
  await chooseFile(page, path);
  expect(await shareUrl(page)).toBe(link);
  expect([...parts].sort()).toEqual([3, 4]);
  const { request: stranger } = await openBrowser();
  const { files } = await openSealed(stranger, link, "long enough");
  expect((await readFile(path)).equals(files.get("reloaded.bin") ?? EMPTY)).toBe(true);
});

test("another device goes on once it has the link, and shows names from then on [SEAL-21]", async ({
  page,
  openBrowser,
  expectErrors,
}) => {
  // The wrong password.
  expectErrors(/403 \(Forbidden\) .*\/unlock$/);
  const email = await signUp(page);
  await encrypt(page, "long enough");
  const { folder } = await sendAndStall(page, "Moved", { "a.txt": 100, "b.txt": 0 });
  const link = await page.getByLabel("Share link").inputValue();

  const other = await openBrowser();
  const sent = collectSent(other);
  await other.goto("/login?returnTo=/dashboard");
  await logIn(other, email);
  await expect(other.getByText("Encrypted transfer")).toBeVisible();
  await expect(other.getByText("Moved")).toHaveCount(0);
  await page.close({ runBeforeUnload: false });
  await other.getByRole("button", { name: "Paste its link to go on here" }).click();
  const dialog = other.getByRole("dialog");
  await dialog.getByLabel("Link", { exact: true }).fill(link.slice(0, -3));
  await dialog.getByRole("button", { name: "Open" }).click();
  await expect(dialog.getByText("3 characters are missing at the end of the link.")).toBeVisible();
  await dialog.getByLabel("Link", { exact: true }).fill(link);
  await dialog.getByLabel("Password of the link").fill("wrong enough");
  await dialog.getByRole("button", { name: "Open" }).click();
  await expect(dialog.getByText("This is not the password.")).toBeVisible();
  await dialog.getByLabel("Password of the link").fill("long enough");
  await dialog.getByRole("button", { name: "Open" }).click();
  await other.getByLabel("Choose the folder of Moved again").setInputFiles(folder);
  expect(await shareUrl(other)).toBe(link);
  const { files, secrets } = await openSealed((await openBrowser()).request, link, "long enough");
  for (const name of ["a.txt", "b.txt", "large.bin"]) {
    expect((await readFile(join(folder, name))).equals(files.get(`Moved/${name}`) ?? EMPTY)).toBe(true);
  }
  const traces = [...secrets, "long enough", "a.txt", "large.bin", "Moved"];
  expect(traces.filter((trace) => sent.texts.some((text) => text.includes(trace)))).toEqual([]);
});

test("the dashboard names, renames and shows sealed links only where their keys are [SEAL-24]", async ({
  page,
  openBrowser,
}) => {
  const email = await signUp(page);
  await encrypt(page);
  const path = await randomFile("secret plan.bin", 1000);
  await chooseFile(page, path);
  const link = await shareUrl(page);
  await page.goto("/dashboard");
  const row = page.getByRole("main").getByRole("listitem");
  await expect(row).toContainText("secret plan.bin");
  await expect(row).toContainText("1000 Bytes");
  await row.getByRole("button", { name: "More actions for secret plan.bin" }).click();
  await page.getByRole("menuitem", { name: "Rename" }).click();
  await page.getByLabel("File name").fill("open plan.bin");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(row).toContainText("open plan.bin");

  await row.getByRole("button", { name: "More actions for open plan.bin" }).click();
  await page.getByRole("menuitem", { name: "Protect the link" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Password", { exact: true }).fill("added later");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Protection changed", { exact: true })).toBeVisible();
  const { request: stranger } = await openBrowser();
  await expect(openSealed(stranger, link, "not this one")).rejects.toThrow("the unlock answered 403");
  const renamed = await openSealed(stranger, link, "added later");
  expect([...renamed.files.keys()]).toEqual(["open plan.bin"]);

  const other = await openBrowser();
  await other.goto("/login?returnTo=/dashboard");
  await logIn(other, email);
  await expect(other.getByRole("heading", { name: "Your Files" })).toBeVisible();
  const otherRow = other.getByRole("main").getByRole("listitem").filter({ hasText: "Encrypted transfer" });
  await expect(otherRow).toContainText("Encrypted transfer");
  await expect(otherRow).toContainText("Key not on this device");
  await expect(otherRow.getByRole("button", { name: "Copy link" })).toBeDisabled();
  await expectAccessible(other, "sealed-row");

  await page.goto("/");
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("button", { name: "Menu" }).click();
  await page.getByRole("button", { name: "Log Out" }).click();
  await expect(page.getByRole("dialog")).toContainText("open plan.bin");
  await page.getByRole("dialog").getByRole("button", { name: "Log Out" }).click();
  await page.getByRole("button", { name: "Menu" }).click();
  await expect(page.getByRole("button", { name: "Log In" })).toBeVisible();
  const databases = () =>
    page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          const opening = indexedDB.open("sealed-links", 1);
          opening.onsuccess = () => {
            const counting = opening.result.transaction("links").objectStore("links").count();
            counting.onsuccess = () => {
              resolve(counting.result);
            };
          };
        }),
    );
  await expect.poll(databases).toBe(0);
});

test("a file is encrypted in chunks too [SEAL-22]", async ({ page, openBrowser }) => {
  await signUp(page);
  await page.goto("/chunked-upload");
  await encrypt(page);
  const path = await randomFile("chunked.bin", 600_000);
  await chooseFile(page, path);
  await expect(page.getByLabel("Share link")).toHaveValue(/#1/);
  await expect(page.getByText("This link is the key.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Upload Another File" })).toBeVisible();
  const link = await page.getByLabel("Share link").inputValue();
  const { request: stranger } = await openBrowser();
  const { files } = await openSealed(stranger, link);
  expect((await readFile(path)).equals(files.get("chunked.bin") ?? EMPTY)).toBe(true);
});

/** Collects the numbers of the parts that a page sends from now on. */
