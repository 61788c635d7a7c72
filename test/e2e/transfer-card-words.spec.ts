import type { Page } from "@playwright/test";
import { MIB } from "#domain/units.ts";
import { signUp } from "./support/accounts.ts";
import { expectAccessible } from "./support/axe.ts";
import { randomFile } from "./support/files.ts";
import { expect, test } from "./support/fixtures.ts";
import { chooseFiles, chooseFolder, drop, randomFolder, readTransfer } from "./support/many-files.ts";
import { sendAndStall } from "./support/stalled-transfer.ts";

const SMALL = { "a.txt": 1000, "b.txt": 2000 };

/** A busy browser may draw a frame before a dialog has closed. */
async function drawAtOnce(page: Page): Promise<void> {
  await page.evaluate(() => {
    globalThis.requestAnimationFrame = (draw) => {
      draw(performance.now());
      return 0;
    };
  });
}

test("a title that is being typed when the transfer gets ready is kept [TRF-53]", async ({ page, request }) => {
  await signUp(page);
  const { goOn } = await sendAndStall(page, "Quick", SMALL);
  await page.getByRole("button", { name: "Change title and message" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Title").fill("Journey");
  await dialog.getByLabel("Message (optional)").fill("Look");
  goOn();
  await expect(page.getByText("Quick · 3 files, 24 MB")).toBeVisible();
  await dialog.getByLabel("Message (optional)").press("End");
  await page.keyboard.type(" at this.");
  await drawAtOnce(page);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Journey · 3 files, 24 MB")).toBeVisible();
  await expect(page.getByText("Look at this.")).toBeVisible();
  await expect(page.getByRole("main").locator(":focus")).toContainText("Ready to share");
  const { transfer } = await readTransfer(request, await page.getByLabel("Share link").inputValue());
  expect(transfer).toMatchObject({ title: "Journey", message: "Look at this." });
});

test("files that were sent at once get a title and a message afterwards [TRF-53]", async ({ page, request }) => {
  await signUp(page);
  await chooseFiles(page, [await randomFile("one.txt", 10), await randomFile("two.txt", 10)]);
  await expect(page.getByText("one.txt and two.txt · 2 files, 20 Bytes")).toBeVisible();
  await page.getByRole("button", { name: "Change title and message" }).click();
  await page.getByLabel("Title", { exact: true }).fill("Numbers");
  await page.getByLabel("Message (optional)").fill("As agreed.");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Numbers · 2 files, 20 Bytes")).toBeVisible();
  await expect(page.getByText("As agreed.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Change title and message" })).toBeFocused();
  await expectAccessible(page, "transfer-sent-words");
  const { transfer } = await readTransfer(request, await page.getByLabel("Share link").inputValue());
  expect(transfer).toMatchObject({ title: "Numbers", message: "As agreed." });
});

test("a file that is about to be removed when the transfer gets ready is removed from it [TRF-53]", async ({
  page,
  request,
}) => {
  await signUp(page);
  const { goOn } = await sendAndStall(page, "Private", SMALL);
  const tree = page.getByRole("treegrid", { name: "Files of this transfer" });
  await tree.getByRole("button", { name: "Remove b.txt" }).click();
  await expect(page.getByRole("dialog")).toContainText("b.txt has been sent already.");
  goOn();
  await expect(page.getByText("Private · 3 files, 24 MB")).toBeVisible();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await expect(page.getByText("Private · 2 files, 24 MB")).toBeVisible();
  const { paths } = await readTransfer(request, await page.getByLabel("Share link").inputValue());
  expect(paths).toEqual(["Private/a.txt", "Private/large.bin"]);
});

test("a transfer that goes on gets the title that is typed now, and keeps the message [TRF-55]", async ({
  page,
  request,
}) => {
  await signUp(page);
  const folder = await randomFolder("Twice", { ...SMALL, "large.bin": 24 * MIB });
  await page.context().route(/partNumber=[2-9]&/, () => undefined);
  await chooseFolder(page, folder);
  await page.getByLabel("Message (optional)").fill("From the first time.");
  await page.getByRole("button", { name: "Send 3 files (24 MB)" }).click();
  await expect(page.getByText("2 of 3 files")).toBeVisible();
  page.on("dialog", (dialog) => void dialog.accept());
  await page.reload();
  await page.context().unrouteAll();
  await chooseFolder(page, folder);
  await page.getByLabel("Title").fill("Second try");
  await page.getByRole("button", { name: "Send 3 files (24 MB)" }).click();
  await expect(page.getByText("Second try · 3 files, 24 MB")).toBeVisible();
  await expect(page.getByText("From the first time.")).toBeVisible();
  const { transfer } = await readTransfer(request, await page.getByLabel("Share link").inputValue());
  expect(transfer).toMatchObject({ title: "Second try", message: "From the first time." });
});

test("names that were changed and files that were left out are told when the files were sent at once [TRF-51]", async ({
  page,
}) => {
  await signUp(page);
  await chooseFiles(page, [
    await randomFile("a:b.txt", 10),
    await randomFile("c.txt", 10),
    await randomFile(".DS_Store", 10),
  ]);
  await expect(page.getByText("a_b.txt and c.txt · 2 files, 20 Bytes")).toBeVisible();
  await expect(page.getByText("1 name was changed, so that every system can hold it.")).toBeVisible();
  await expect(page.getByText("1 file is left out: only systems need it, such as .DS_Store.")).toBeVisible();
});

test("names that were changed and files that cannot be read are told when files are added [TRF-51]", async ({
  page,
}) => {
  await signUp(page);
  await sendAndStall(page, "Growing", SMALL);
  await drop(page, page.getByRole("heading", { name: "Growing" }), [
    await randomFolder("More", { "d?.txt": 10, "Thumbs.db": 10 }),
  ]);
  await expect(page.getByText("3 of 4 files")).toBeVisible();
  await expect(page.getByText("1 name was changed, so that every system can hold it.")).toBeVisible();
  await expect(page.getByText("1 file is left out: only systems need it, such as .DS_Store.")).toBeVisible();
  // The tests run as a user who may read every file, so the browser's entry is made up.
  await page.getByRole("heading", { name: "Growing" }).evaluate((target) => {
    const locked = {
      isDirectory: false,
      fullPath: "/locked.txt",
      file: (_: unknown, fail: (error: Error) => void) => {
        fail(new DOMException("denied", "NotReadableError"));
      },
    };
    const items = [{ kind: "file", webkitGetAsEntry: () => locked, getAsFile: () => null }];
    const event = new DragEvent("drop", { bubbles: true, cancelable: true });
    Object.defineProperty(event, "dataTransfer", { value: { items, files: [] } });
    target.dispatchEvent(event);
  });
  const alert = page.getByRole("main").getByRole("alert");
  await expect(alert).toContainText("1 file or folder could not be read:");
  await expect(alert).toContainText("locked.txt");
  await expect(alert).toContainText("It is not sent.");
});

test("Escape closes the dialog before a toast that appeared above it [TRF-57]", async ({ page, expectErrors }) => {
  await signUp(page);
  await chooseFiles(page, [await randomFile("one.txt", 10), await randomFile("two.txt", 10)]);
  await page.getByRole("button", { name: "Change title and message" }).click();
  expectErrors(/500/);
  await page.route("**/api/files/*", (route) => route.fulfill({ status: 500, json: { message: "Later" } }));
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Title").fill("Numbers");
  await dialog.getByRole("button", { name: "Save" }).click();
  const toast = page.getByText("Title and message could not be changed", { exact: true });
  await expect(toast).toBeVisible();
  await expect(dialog.getByLabel("Title")).toHaveValue("Numbers");
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(toast).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(toast).toHaveCount(0);
});
