import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { signUp } from "./support/accounts.ts";
import { expectAccessible } from "./support/axe.ts";
import { randomFile } from "./support/files.ts";
import { expect, test } from "./support/fixtures.ts";
import { chooseFiles, chooseFolder, randomFolder } from "./support/many-files.ts";
import { sendAndStall } from "./support/stalled-transfer.ts";

const SMALL = { "a.txt": 1000, "b.txt": 2000 };

test("another upload cannot go on while one is being sent, which stays [TRF-56]", async ({ page }) => {
  await signUp(page);
  const start = await page.request.post("/api/transfers", {
    data: {
      title: "Earlier",
      expiration: "1d",
      totals: { entries: 1, bytes: 1 },
      entries: { from: 0, list: [["a.txt", 1, 0]] },
      fingerprint: "ab".repeat(32),
    },
  });
  expect(start.status()).toBe(200);
  const { goOn } = await sendAndStall(page, "Running", SMALL);
  await page.getByRole("link", { name: "Dashboard" }).click();
  const row = page.getByRole("main").getByRole("listitem").filter({ hasText: "Earlier" });
  await row.getByRole("button", { name: "Go on: choose the files again" }).click();
  await expect(page.getByText("Another upload is open here", { exact: true })).toBeVisible();
  await row.getByLabel("Choose the files of Earlier again").setInputFiles(await randomFile("a.txt", 1));
  await expect(page.getByText("uploading here")).toBeVisible();
  await page.getByRole("listitem").filter({ hasText: "Finish or cancel it first." }).getByRole("link").click();
  await expect(page.getByRole("heading", { name: "Running" })).toBeVisible();
  goOn();
  await expect(page.getByText("Running · 3 files, 24 MB")).toBeVisible();
});

test("a transfer that this device cannot continue says so [TRF-55]", async ({ page }) => {
  await signUp(page);
  await page.request.post("/api/transfers", {
    data: {
      title: "Of a program",
      expiration: "1d",
      totals: { entries: 1, bytes: 1 },
      entries: { from: 0, list: [["a.txt", 1, 0]] },
    },
  });
  await page.goto("/dashboard");
  const row = page.getByRole("main").getByRole("listitem").filter({ hasText: "Of a program" });
  await expect(row).toContainText("It can only go on where it was started.");
  await expect(row.getByRole("button", { name: /^Go on/ })).toHaveCount(0);
});

test("after a failure nothing is discarded without a question, and one can come back later [TRF-56]", async ({
  page,
  expectErrors,
}) => {
  await signUp(page);
  expectErrors(/409/);
  await page.route("**/finish", (route) =>
    route.fulfill({ status: 409, json: { code: "UPLOAD_CLOSED", message: "Not now." } }),
  );
  await chooseFolder(page, await randomFolder("Failing", SMALL));
  await page.getByRole("button", { name: "Send 2 files (2.93 KB)" }).click();
  await expect(page.getByText("You can go on from the dashboard, too.")).toBeVisible();
  await page.getByRole("button", { name: "Discard" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("What has arrived of “Failing” is deleted, and its link stops working.");
  await expectAccessible(page, "transfer-discard");
  await dialog.getByRole("button", { name: "Keep" }).click();
  await page.getByRole("button", { name: "Back" }).click();
  await expect(page.getByLabel("Choose a folder")).toBeAttached();
  await page.getByRole("link", { name: "Dashboard" }).click();
  const row = page.getByRole("main").getByRole("listitem").filter({ hasText: "Failing" });
  await expect(row.getByRole("button", { name: "Go on: choose the files again" })).toBeVisible();
});

test("a failed transfer that is discarded is gone", async ({ page, expectErrors }) => {
  await signUp(page);
  expectErrors(/409/);
  await page.route("**/finish", (route) =>
    route.fulfill({ status: 409, json: { code: "UPLOAD_CLOSED", message: "Not now." } }),
  );
  await chooseFolder(page, await randomFolder("Unwanted", SMALL));
  await page.getByRole("button", { name: "Send 2 files (2.93 KB)" }).click();
  await page.getByRole("button", { name: "Discard" }).click();
  const cancelled = page.waitForResponse("**/api/direct-upload/cancel");
  await page.getByRole("dialog").getByRole("button", { name: "Discard" }).click();
  expect((await cancelled).status()).toBe(200);
  await expect(page.getByLabel("Choose a folder")).toBeAttached();
});

test("what was removed while the transfer was about to start stays removed when the start is refused [TRF-51]", async ({
  page,
  expectErrors,
}) => {
  await signUp(page);
  expectErrors(/403/);
  const asked = Promise.withResolvers<undefined>();
  const refused = Promise.withResolvers<undefined>();
  await page.route("**/api/transfers", async (route) => {
    asked.resolve(undefined);
    await refused.promise;
    await route.fulfill({ status: 403, json: { code: "PLAN_LIMIT_EXCEEDED", message: "Too many this month." } });
  });
  await chooseFolder(page, await randomFolder("Refused", SMALL));
  await page.getByLabel("Title").fill("Mine");
  await page.getByRole("button", { name: "Send 2 files (2.93 KB)" }).click();
  await asked.promise;
  await page.getByRole("button", { name: "Remove b.txt" }).click();
  refused.resolve(undefined);
  await expect(page.getByRole("main").getByRole("alert")).toContainText("Too many this month.");
  await expect(page.getByRole("heading", { name: "1 file, 1000 Bytes" })).toBeVisible();
  await expect(page.getByLabel("Title")).toHaveValue("Mine");
});

test("a file whose name was changed is known when it is chosen again [TRF-54]", async ({ page }) => {
  await signUp(page);
  const folder = await randomFolder("Odd", { "a:b.txt": 1000, "c.txt": 1000 });
  await chooseFolder(page, folder);
  await expect(page.getByRole("button", { name: "Send 2 files (1.95 KB)" })).toBeVisible();
  await writeFile(join(folder, "a:b.txt"), "changed");
  await page.getByRole("button", { name: "Send 2 files (1.95 KB)" }).click();
  await page.getByLabel("Choose a_b.txt again").setInputFiles(join(folder, "a:b.txt"));
  await expect(page.getByText("Odd · 2 files, 1007 Bytes")).toBeVisible();
});

test("without a connection the card can be left, and nothing is sent later [TRF-56]", async ({
  page,
  context,
  expectErrors,
}) => {
  await signUp(page);
  expectErrors(/ERR_INTERNET_DISCONNECTED/);
  let starts = 0;
  page.on("request", (request) => {
    if (request.url().endsWith("/api/transfers")) starts += 1;
  });
  await context.setOffline(true);
  await chooseFiles(page, [await randomFile("one.txt", 10), await randomFile("two.txt", 10)]);
  await page.getByRole("button", { name: "Back" }).click();
  await expect(page.getByLabel("Choose a folder")).toBeAttached();
  await context.setOffline(false);
  await chooseFolder(page, await randomFolder("Later", SMALL));
  await expect(page.getByRole("button", { name: "Send 2 files (2.93 KB)" })).toBeVisible();
  expect(starts).toBe(0);
});

test("the dashboard's 'Go on' shows that it is tried again [TRF-55]", async ({ page, expectErrors }) => {
  await signUp(page);
  expectErrors(/400/);
  const { folder } = await sendAndStall(page, "Retried", SMALL);
  page.on("dialog", (dialog) => void dialog.accept());
  await page.goto("/dashboard");
  await page.route("**/entries?from=0", (route) => route.fulfill({ status: 400, json: { message: "Not yet." } }));
  const row = page.getByRole("main").getByRole("listitem").filter({ hasText: "Retried" });
  await row.getByLabel("Choose the folder of Retried again").setInputFiles(folder);
  await expect(page.getByText("Not yet.")).toBeVisible();
  const held = Promise.withResolvers<undefined>();
  await page.unroute("**/entries?from=0");
  await page.route("**/entries?from=0", async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByText("Reading the files…")).toBeVisible();
  held.resolve(undefined);
  await expect(page.getByText("Going on where it stopped: 2 of 3 files are there.")).toBeVisible();
});
