import { join } from "node:path";
import type { Locator } from "@playwright/test";
import { GIB, MIB } from "#domain/units.ts";
import { register, signUp, signUpByApi } from "./support/accounts.ts";
import { expectAccessible } from "./support/axe.ts";
import { randomFile } from "./support/files.ts";
import { expect, test } from "./support/fixtures.ts";
import { chooseFiles, chooseFolder, chooseMadeFiles, drop, randomFolder, readTransfer } from "./support/many-files.ts";

const FOLDER = { "a.txt": 1000, "photos/one.jpg": 2000, "photos/two.jpg": 3000, "photos/old/three.jpg": 4000 };

test("several files are sent at once, behind one link [TRF-50]", async ({ page, request }) => {
  await signUp(page);
  await chooseFiles(page, [await randomFile("first.txt", 1000), await randomFile("second.txt", 1024)]);
  await expect(page.getByRole("heading", { name: "Ready to share" })).toBeVisible();
  await expect(page.getByText("first.txt and second.txt · 2 files, 1.98 KB")).toBeVisible();
  const link = await page.getByLabel("Share link").inputValue();
  const { transfer, paths } = await readTransfer(request, link);
  expect(transfer).toMatchObject({ title: "first.txt and second.txt", entries: 2, bytes: 2024, message: null });
  expect(paths).toEqual(["first.txt", "second.txt"]);
  await page.getByRole("button", { name: "Send something else" }).click();
  await expect(page.getByLabel("Choose a folder")).toBeAttached();
});

test("a folder is shown first, with title, message and expiry, and files can be taken off [TRF-51] @everyday", async ({
  page,
  request,
}) => {
  await signUp(page);
  await chooseFolder(page, await randomFolder("Holiday", { ...FOLDER, ".DS_Store": 10 }));
  await expect(page.getByRole("heading", { name: "4 files, 9.77 KB" })).toBeFocused();
  await expect(page.getByText("1 file is left out: only systems need it, such as .DS_Store.")).toBeVisible();
  const tree = page.getByRole("treegrid", { name: "Files to send" });
  await expect(tree.getByRole("row")).toHaveCount(7);
  await expect(page.getByLabel("Title")).toHaveAttribute("placeholder", "Holiday");
  await tree.getByRole("button", { name: "Remove two.jpg" }).click();
  await expect(page.getByRole("heading", { name: "3 files, 6.84 KB" })).toBeVisible();
  await tree.getByRole("button", { name: "Remove old" }).click();
  await page.getByLabel("Add files").setInputFiles(await randomFile("later.txt", 24));
  await expect(page.getByRole("heading", { name: "3 files, 2.95 KB" })).toBeVisible();
  const other = await randomFolder("Other", { "later.txt": 25 });
  await page.getByLabel("Add files").setInputFiles(join(other, "later.txt"));
  await expect(page.getByRole("heading", { name: "4 files, 2.98 KB" })).toBeVisible();
  await expect(tree.getByText("later (2).txt")).toBeVisible();
  await tree.getByRole("button", { name: "Remove later (2).txt" }).click();
  await page.getByLabel("Title").fill("Norway");
  await page.getByLabel("Message").fill("For all of you.\nEnjoy!");
  await page.getByLabel("Link expires after").selectOption("6h");
  const started = page.waitForRequest("**/api/transfers");
  await page.getByRole("button", { name: "Send 3 files (2.95 KB)" }).click();
  expect((await started).postDataJSON()).toMatchObject({ expiration: "6h", expirationChosen: true });
  await expect(page.getByText("Norway · 3 files, 2.95 KB")).toBeVisible();
  const { transfer, paths } = await readTransfer(request, await page.getByLabel("Share link").inputValue());
  expect(transfer).toMatchObject({ title: "Norway", entries: 3, message: "For all of you.\nEnjoy!" });
  expect(paths).toEqual(["Holiday/a.txt", "Holiday/photos/one.jpg", "later.txt"]);
});

test("a dropped folder keeps its empty folders [TRF-50]", async ({ page, request }) => {
  await signUp(page);
  const folder = await randomFolder("Dropped", { "a.txt": 10, "deep/b.txt": 10, "empty/": 0 });
  await drop(page, page.getByText("Choose a file, or drop it here"), [folder]);
  await page.getByRole("button", { name: "Send 3 files (20 Bytes)" }).click();
  await expect(page.getByText("Dropped · 3 files, 20 Bytes")).toBeVisible();
  const { paths } = await readTransfer(request, await page.getByLabel("Share link").inputValue());
  expect(paths).toEqual(["Dropped/a.txt", "Dropped/deep/b.txt", "Dropped/empty/"]);
});

test("files pasted on the page are sent, and a text pasted into a field is not [TRF-50]", async ({ page }) => {
  await signUp(page);
  const paste = (target: Locator, ...names: string[]) =>
    target.evaluate((element, pasted) => {
      const clipboardData = new DataTransfer();
      for (const name of pasted) clipboardData.items.add(new File(["x"], name));
      element.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
    }, names);
  await chooseFolder(page, await randomFolder("Notes", { "a.txt": 1 }));
  await expect(page.getByRole("heading", { name: "1 file, 1 Bytes" })).toBeVisible();
  await paste(page.getByLabel("Title"), "picture of the text.png");
  await paste(page.locator("body"), "late.txt", "later.txt");
  await expect(page.getByRole("heading", { name: "3 files, 3 Bytes" })).toBeVisible();
  await page.getByRole("button", { name: "Back" }).click();
  await paste(page.locator("body"), "one.txt", "two.txt");
  await expect(page.getByText("one.txt and two.txt · 2 files, 2 Bytes")).toBeVisible();
});

test("names that not every system can hold are changed, and the card says how many [TRF-51]", async ({ page }) => {
  await signUp(page);
  await chooseFolder(page, await randomFolder("Names", { "a:b.txt": 1, "what?.txt": 1, "fine.txt": 1 }));
  await expect(page.getByText("2 names were changed, so that every system can hold them.")).toBeVisible();
  await expect(page.getByText("a_b.txt")).toBeVisible();
});

test("what cannot be read is named before anything is sent, and never left out without a word [TRF-51]", async ({
  page,
}) => {
  await signUp(page);
  // The tests run as a user who may read every file, so the browser's entries are made up.
  await page.getByText("Choose a file, or drop it here").evaluate((target) => {
    const entry = (name: string, read: (done: (file: File) => void, fail: (error: Error) => void) => void) => ({
      isDirectory: false,
      fullPath: `/${name}`,
      file: read,
    });
    const fine = entry("fine.txt", (done) => {
      done(new File(["x"], "fine.txt"));
    });
    const locked = entry("locked.txt", (_, fail) => {
      fail(new DOMException("denied", "NotReadableError"));
    });
    const items = [fine, locked].map((one) => ({ kind: "file", webkitGetAsEntry: () => one, getAsFile: () => null }));
    const event = new DragEvent("drop", { bubbles: true, cancelable: true });
    Object.defineProperty(event, "dataTransfer", { value: { items, files: [] } });
    target.dispatchEvent(event);
  });
  const alert = page.getByRole("main").getByRole("alert");
  await expect(alert).toContainText("1 file or folder could not be read:");
  await expect(alert).toContainText("locked.txt");
  await expect(page.getByRole("button", { name: "Send 1 file (1 Bytes)" })).toBeDisabled();
  await page.getByRole("button", { name: "Leave it out and send the rest" }).click();
  await expect(page.getByText("fine.txt · 1 file, 1 Bytes")).toBeVisible();
});

test("a visitor sees the list, and it is sent after the registration [TRF-52]", async ({ page }) => {
  await page.goto("/");
  await chooseFiles(page, [await randomFile("mine.txt", 10), await randomFile("yours.txt", 10)]);
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("Your 2 files (20 Bytes) will be uploaded right after this.");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("treegrid", { name: "Files to send" })).toBeVisible();
  await page.getByRole("button", { name: "Send 2 files (20 Bytes)" }).click();
  await register(page);
  await expect(page.getByText("mine.txt and yours.txt · 2 files, 20 Bytes")).toBeVisible();
});

test("what the plan does not allow is said before anything is sent, with the way to the plans [TRF-52]", async ({
  page,
}) => {
  await signUp(page);
  let starts = 0;
  page.on("request", (request) => {
    if (request.url().endsWith("/api/transfers")) starts += 1;
  });
  await chooseMadeFiles(page, 1001);
  const alert = page.getByRole("main").getByRole("alert");
  await expect(alert).toContainText("A transfer on your plan holds up to 1,000 files. You chose 1,001.");
  await expect(alert.getByRole("link", { name: "See the plans" })).toHaveAttribute("href", "/pricing");
  await expect(page.getByRole("button", { name: /^Send 1,001 files/ })).toBeDisabled();
  await page.getByRole("button", { name: "Remove made 10.txt" }).click();
  await expect(alert).toHaveCount(0);
  await expect(page.getByRole("button", { name: /^Send 1,000 files/ })).toBeEnabled();
  await page.getByRole("button", { name: "Back" }).click();

  await chooseMadeFiles(page, 2, 600 * MIB);
  await expect(alert).toContainText("One file is larger than the 500 MB that your plan allows for each file:");
  await expect(alert).toContainText("made 2.txt");
  await page.getByRole("button", { name: "Leave it out" }).click();
  await expect(page.getByRole("button", { name: "Send 1 file (1 Bytes)" })).toBeEnabled();
  await page.getByRole("button", { name: "Back" }).click();

  await chooseMadeFiles(page, 2, 60 * GIB);
  await expect(alert.first()).toContainText("One file is larger than the 50 GB that any plan allows for each file:");
  await expect(alert.last()).toContainText("These files are 60 GB together. Your plan sends 2 GB a month.");
  expect(starts).toBe(0);
});

test("the server's refusal is shown above the list, which can be sent again [TRF-52]", async ({
  page,
  expectErrors,
}) => {
  await signUp(page);
  expectErrors(/403/);
  const refusal = "You have used all 20 transfers for this month.";
  await page.route("**/api/transfers", (route) =>
    route.fulfill({ status: 403, json: { code: "PLAN_LIMIT_EXCEEDED", message: refusal } }),
  );
  await chooseFiles(page, [await randomFile("one.txt", 10), await randomFile("two.txt", 10)]);
  const alert = page.getByRole("main").getByRole("alert");
  await expect(alert).toContainText(refusal);
  await expect(alert.getByRole("link", { name: "See the plans" })).toBeVisible();
  await page.unroute("**/api/transfers");
  await page.getByRole("button", { name: "Send 2 files (20 Bytes)" }).click();
  await expect(page.getByRole("heading", { name: "Ready to share" })).toBeVisible();
});

test("a large transfer on the default expiry asks first [TRF-51]", async ({ page }) => {
  await signUp(page);
  await chooseMadeFiles(page, 2, 150 * MIB);
  await expect(page.getByText("Large transfers on the default expiry are kept for 2 hours.")).toBeVisible();
  await expect(page.getByLabel("Link expires after").locator("option:checked")).toHaveText("Automatic (2 hours)");
});

test("a folder can be sent with the keyboard alone [TRF-57]", async ({ page }) => {
  await signUp(page);
  await chooseFolder(page, await randomFolder("Keys", { "a.txt": 1, "b.txt": 2, "c.txt": 3 }));
  await expect(page.getByRole("heading", { name: "3 files, 6 Bytes" })).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("row").filter({ hasText: "a.txt" })).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Remove a.txt" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "2 files, 5 Bytes" })).toBeVisible();
  await page.getByLabel("Title").focus();
  await page.keyboard.type("By hand");
  await page.keyboard.press("Enter");
  await expect(page.getByText("By hand · 2 files, 5 Bytes")).toBeVisible();
});

test.describe("in German", () => {
  test.use({ locale: "de-DE" });

  test("the card speaks German [TRF-57]", async ({ page }) => {
    await signUpByApi(page);
    await page.goto("/");
    await page.getByLabel("Ordner auswählen").setInputFiles(await randomFolder("Urlaub", FOLDER));
    await expect(page.getByRole("heading", { name: "4 Dateien, 9,77 KB" })).toBeVisible();
    await expectAccessible(page, "transfer-list-german");
    await page.getByRole("button", { name: "4 Dateien senden (9,77 KB)" }).click();
    await expect(page.getByText("Urlaub · 4 Dateien, 9,77 KB")).toBeVisible();
  });
});

test("the chunked page says that it sends single files [TRF-57]", async ({ page }) => {
  await signUpByApi(page);
  await page.goto("/chunked-upload");
  await expect(page.getByLabel("Choose a folder")).toHaveCount(0);
  const paths = [await randomFile("one.txt", 10), await randomFile("two.txt", 10)];
  await drop(page, page.getByText("Choose a file, or drop it here"), paths);
  await expect(page.getByText("One file at a time", { exact: true })).toBeVisible();
});

test("the direct page sends a folder, and says how it travels [TRF-57]", async ({ page }) => {
  await signUpByApi(page);
  await page.goto("/direct-upload");
  await chooseFolder(page, await randomFolder("Direct", { "a.txt": 10, "large.bin": 20 * MIB }));
  await page.route(/partNumber=2&/, () => undefined);
  await page.getByRole("button", { name: "Send 2 files (20 MB)" }).click();
  await expect(page.getByText("Method: Direct browser to storage")).toBeVisible();
  await expect(page.getByText("1 of 2 files")).toBeVisible();
  await page.unrouteAll();
  await page.getByRole("button", { name: "Cancel Upload" }).click();
});

test("several files that another app shares are listed on the home page [TRF-58]", async ({ page }) => {
  await signUp(page);
  await page.evaluate(() => navigator.serviceWorker.register("/share-worker.js", { scope: "/share" }));
  await page.waitForFunction(async () => (await navigator.serviceWorker.getRegistration("/share"))?.active);
  await page.evaluate(() => {
    const form = document.createElement("form");
    Object.assign(form, { method: "post", action: "/share", enctype: "multipart/form-data" });
    const input = document.createElement("input");
    Object.assign(input, { type: "file", name: "file", multiple: true });
    const files = new DataTransfer();
    for (const name of ["first.txt", "second.txt", "third.txt"]) files.items.add(new File([name], name));
    input.files = files.files;
    form.appendChild(input);
    document.body.appendChild(form);
    form.submit();
  });
  await expect(page.getByRole("heading", { name: "3 files, 28 Bytes" })).toBeVisible();
  await page.getByRole("button", { name: "Send 3 files (28 Bytes)" }).click();
  await expect(page.getByText("first.txt and 2 more · 3 files, 28 Bytes")).toBeVisible();
});
