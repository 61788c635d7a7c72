import { GIB, MIB } from "#domain/units.ts";
import { chooseFile, downloadHash, randomFile, sha256, sparseFile } from "./support/files.ts";
import { expect, test } from "./support/fixtures.ts";
import { logIn, register, signUp, signUpByApi } from "./support/accounts.ts";
import { updateUserRow } from "./support/plans.ts";
import { expectToast, openWithFakeClock } from "./support/waiting.ts";

test("the chunked page uploads a file and shows its progress in chunks [CHK-1, CHK-2, CHK-4, CHK-5, CHK-8, CHK-10, CHK-11, CHK-14, CHK-15, CHK-16, CHK-18, NAV-20]", async ({
  page,
  context,
  request,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await signUpByApi(page);
  await page.goto("/chunked-upload");
  await expect(page.getByRole("heading", { name: "Large File Upload" })).toBeVisible();
  await expect(page.getByText("Files up to 500 MB for free, in chunks of 256KB or more.")).toBeVisible();
  await expect(page.getByText("Free account limit")).toBeVisible();
  await page.getByRole("tab", { name: "How It Works" }).click();
  await expect(
    page.getByText(
      "Your file is split into chunks of 256KB. A file above 16 MB is split into chunks of 1 MB, one above 256 MB into chunks of 8 MB.",
    ),
  ).toBeVisible();
  await page.getByRole("tab", { name: "Chunked Upload" }).click();
  await expect(page.getByLabel("Link Expiration")).toHaveValue("3d");
  await page.getByLabel("Link Expiration").selectOption("1d");

  const path = await randomFile("chunked.bin", 3 * MIB + 1);
  const finalized = page.waitForRequest("**/api/chunked-upload/finalize");
  await page.route("**/api/chunked-upload/finalize", async (route) => {
    await expect(page.getByText("Chunk 13/13")).toBeVisible();
    await expect(page.getByText("Processing...")).toBeVisible();
    const percent = await page.getByRole("progressbar", { name: "Upload progress" }).getAttribute("aria-valuenow");
    expect(Number(percent)).toBeLessThanOrEqual(99);
    await route.continue();
  });
  await chooseFile(page, path);
  await finalized;
  await expect(page.getByRole("heading", { name: "Upload Successful!" })).toBeVisible();
  await expect(page.getByText(/^Expires /)).toBeVisible();
  const field = page.getByLabel("Share Link");
  await expect(field).toHaveAttribute("readonly");
  const link = await field.inputValue();
  await page.getByRole("button", { name: "Copy", exact: true }).click();
  await expect(page.getByText("Link copied", { exact: true })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link);
  expect(await downloadHash(request, link)).toBe(await sha256(path));
  await page.getByRole("button", { name: "Upload Another File" }).click();
  await expect(page.getByLabel("Choose a file")).toBeAttached();
});

test("a file is chosen on the chunked page by a click or a drop [CHK-3]", async ({ page }) => {
  await signUpByApi(page);
  await page.goto("/chunked-upload");
  const field = page.getByText("Choose a file, or drop it here");
  const choosing = page.waitForEvent("filechooser");
  await field.click();
  await (await choosing).setFiles(await randomFile("clicked.txt", 7));
  await expect(page.getByText("clicked.txt · 7 Bytes")).toBeVisible();
  await page.getByRole("button", { name: "Upload Another File" }).click();
  const dataTransfer = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(["dropped"], "dropped.txt", { type: "text/plain" }));
    return transfer;
  });
  await field.dispatchEvent("drop", { dataTransfer });
  await expect(page.getByText("dropped.txt · 7 Bytes")).toBeVisible();
});

test("a running chunked upload shows name, size, percentage, speed, chunk and time left, in minutes above a minute [CHK-7, CHK-23]", async ({
  page,
}) => {
  await signUpByApi(page);
  await openWithFakeClock(page, "/chunked-upload");
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 10_000));
  const expectShown = async (chunk: string, timeLeft: RegExp) => {
    await expect(page.getByRole("heading", { name: "minutes.bin", exact: true })).toBeVisible();
    for (const text of ["3 MB", chunk, timeLeft, /^\d+ %$/, /^[\d.]+ KB\/s$/]) {
      await expect(page.getByText(text, { exact: true })).toBeVisible();
    }
    await expect(page.getByRole("button", { name: "Cancel Upload" })).toBeVisible();
  };
  // Each chunk takes 10 s of the page's clock.
  let chunk = 0;
  await page.route("**/api/chunked-upload/chunk", async (route) => {
    chunk += 1;
    if (chunk === 4) await expectShown("Chunk 4/12", /^[23] min left$/);
    if (chunk === 11) await expectShown("Chunk 11/12", /^\d\d s left$/);
    await page.clock.runFor(10_000);
    await route.continue();
  });
  await chooseFile(page, await randomFile("minutes.bin", 3 * MIB));
  await expect(page.getByRole("heading", { name: "Upload Successful!" })).toBeVisible();
  expect(chunk).toBe(12);
});

test("a failed chunk is retried; after a 413, the next upload uses smaller chunks [CHK-9, CHK-11, CHK-21, CHK-22, ERR-72]", async ({
  page,
  expectErrors,
}) => {
  await updateUserRow(await signUpByApi(page), "plan_type = 'ultimate'");
  await page.goto("/chunked-upload");
  await page.getByLabel("Link Expiration").selectOption("never");
  expectErrors(/500|413/);
  // 256 KB each, in their order. The last answer is of the second chunk, after its retry.
  const wrong = [
    { status: 500, body: "the wrong format" },
    { status: 200, body: "<p>Welcome</p>" },
    { status: 200, json: { stored: true } },
  ];
  const sent: string[] = [];
  await page.route("**/api/chunked-upload/chunk", async (route) => {
    const [, index = ""] = /name="chunkIndex"\r\n\r\n(\d+)/.exec(route.request().postData() ?? "") ?? [];
    sent.push(index);
    const answer = wrong.shift();
    await (answer ? route.fulfill(answer) : route.continue());
  });
  await chooseFile(page, await randomFile("flaky-chunks.bin", 600_000));
  await expect(page.getByRole("heading", { name: "Upload Successful!" })).toBeVisible();
  expect(sent).toEqual(["0", "0", "0", "0", "1", "2"]);
  await expect(page.getByText("Never expires", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Upload Another File" }).click();

  await page.unroute("**/api/chunked-upload/chunk");
  let refused = 0;
  await page.route("**/api/chunked-upload/chunk", (route) => {
    refused += 1;
    return route.fulfill({
      status: 413,
      json: { code: "CHUNK_TOO_LARGE", message: "The chunk is larger than this upload allows." },
    });
  });
  await chooseFile(page, await randomFile("too-large-chunks.bin", 20 * MIB));
  await expectToast(
    page,
    "Chunk size too large",
    "The server rejected the upload due to chunk size limits. We're reducing the chunk size automatically for you. Please try again.",
  );
  // Not retried.
  expect(refused).toBe(1);
  await page.unroute("**/api/chunked-upload/chunk");
  const again = page.waitForRequest("**/api/chunked-upload/init");
  await page.getByRole("alert").getByRole("button", { name: "Try again" }).click();
  expect((await again).postDataJSON()).toMatchObject({ maxChunkSize: 256 * 1024 });
  await expect(page.getByRole("heading", { name: "Upload Successful!" })).toBeVisible();
});

test("after a 413, a small file is sent again in chunks of 64 KB, and no smaller [CHK-21]", async ({
  page,
  expectErrors,
}) => {
  await signUpByApi(page);
  await page.goto("/chunked-upload");
  expectErrors(/413/);
  let refused = 0;
  await page.route("**/api/chunked-upload/chunk", async (route) => {
    if (refused === 2) return route.continue();
    refused += 1;
    await route.fulfill({ status: 413, json: { code: "CHUNK_TOO_LARGE", message: "The chunk is too large." } });
  });
  const waitForInit = () => page.waitForRequest("**/api/chunked-upload/init");
  const again = page.getByRole("alert").getByRole("button", { name: "Try again" });
  const first = waitForInit();
  await chooseFile(page, await randomFile("small-chunks.bin", 300_000));
  const sizes = { totalSize: "300000", totalChunks: "2" };
  expect((await first).postDataJSON()).toMatchObject(sizes);
  expect((await first).postDataJSON()).not.toHaveProperty("maxChunkSize");
  // 64 KB fail too, but there is no smaller chunk.
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    await expect.poll(() => refused).toBe(attempt);
    await expect(page.getByText("Chunk size too large", { exact: true })).toBeVisible();
    const next = waitForInit();
    await again.click();
    expect((await next).postDataJSON()).toMatchObject({ maxChunkSize: 65_536, totalChunks: "5" });
    const init = await (await next).response();
    expect(await init?.json()).toMatchObject({ chunkSize: 65_536 });
  }
  await expect(page.getByRole("heading", { name: "Upload Successful!" })).toBeVisible();
});

test("a visitor on the chunked page signs in, returns, and is reminded to choose the file again [CHK-12, CHK-13, NAV-26]", async ({
  page,
  openBrowser,
}) => {
  const email = await signUp(await openBrowser());
  const visitor = await openBrowser();
  for (const [there, button, address, signIn] of [
    [page, "Login", "/login", () => logIn(page, email)],
    [visitor, "Sign Up", "/register", () => register(visitor)],
  ] as const) {
    await there.goto("/chunked-upload");
    await chooseFile(there, await randomFile("waiting-chunks.bin", 2048));
    const dialog = there.getByRole("dialog", { name: "Login Required" });
    await expect(dialog.getByRole("button", { name: "Cancel" })).toBeVisible();
    // It leads on to the home page, where the dialog is.
    const leaving = there.waitForRequest((request) => new URL(request.url()).pathname === `${address}.data`);
    await dialog.getByRole("button", { name: button }).click();
    await leaving;
    await expect(there.getByRole("dialog")).toContainText("Your file (2 KB) will be uploaded right after this.");
    const kept = await there.evaluate(() => Object.values(sessionStorage).map((text) => String(text)));
    expect(kept.find((text) => text.includes("/chunked-upload"))).toContain("2048");
    await signIn();
    await expect(there).toHaveURL("/chunked-upload");
    await expect(there.getByText("Choose your file (2 KB) again to upload it.")).toBeVisible();
  }
});

test("the direct page shows its title and tabs, defaults to 3 days, and sends visitors to register [DIR-1, DIR-5, DIR-6, DIR-8, NAV-21]", async ({
  page,
}) => {
  await page.goto("/direct-upload");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Direct-to-S3 Upload");
  await expect(page.getByRole("tab")).toHaveText(["Direct Upload", "How It Works"]);
  await page.getByRole("tab", { name: "How It Works" }).click();
  await expect(page.getByRole("tabpanel")).toContainText("Your browser sends the file straight to S3 object storage");
  await page.getByRole("tab", { name: "Direct Upload" }).click();
  await expect(page.getByLabel("Link Expiration")).toHaveValue("3d");
  const file = await randomFile("direct-visitor.bin", 10);
  await chooseFile(page, file);
  const dialog = page.getByRole("dialog", { name: "Account Required" });
  await expect(dialog.getByRole("button", { name: "Cancel" })).toBeVisible();
  await dialog.getByRole("button", { name: "Create Account" }).click();
  await expect(page).toHaveURL("/");
  const register = page.getByRole("dialog").getByRole("tab", { name: "Register" });
  await expect(register).toHaveAttribute("aria-selected", "true");

  await page.goto("/direct-upload");
  await chooseFile(page, file);
  await dialog.getByRole("button", { name: "Login" }).click();
  await expect(page).toHaveURL("/");
  await expect(page.getByRole("dialog").getByRole("tab", { name: "Log In" })).toHaveAttribute("aria-selected", "true");
});

test("files larger than every plan or the free plan allows are rejected before anything is sent [CHK-6, CONST-9, VAL-9, VAL-10, VAL-11]", async ({
  page,
}) => {
  await signUp(page);
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("upload/")) sent.push(request.url());
  });
  const overMaximum = await sparseFile("over-50-gb.bin", 50 * GIB + 1);
  const overFree = await sparseFile("over-500-mb.bin", 500 * MIB + 1);
  /** The input is empty and nothing is pending, so the same file can be chosen again. */
  const expectCleared = async () => {
    await expect(page.getByLabel("Choose a file")).toHaveValue("");
    await expect(page.getByRole("progressbar")).toHaveCount(0);
    await expect(page.getByRole("main")).not.toContainText(/over-50/);
  };
  for (const path of ["/", "/chunked-upload", "/direct-upload"]) {
    await page.goto(path);
    await chooseFile(page, overMaximum);
    await expectToast(
      page,
      "File too large",
      "The maximum file size allowed is 50 GB per file for all subscription plans.",
    );
    await expectCleared();
    await chooseFile(page, overFree);
    if (path === "/") {
      const toast = page.getByRole("region", { name: "Notifications" }).getByRole("listitem");
      await expect(toast).toContainText("Could not upload file.");
      await expect(toast).toContainText("Free accounts can only upload files up to 500 MB.");
      await expect(toast.getByRole("link")).toHaveAttribute("href", "/pricing");
    } else {
      const alert = page.getByRole("alert");
      await expect(alert.getByText("File size limit exceeded", { exact: true })).toBeVisible();
      await expect(alert).toContainText(
        "Free accounts can only upload files up to 500 MB. Please upgrade your subscription to upload larger files.",
      );
      await expect(alert.getByRole("link", { name: "View Plans" })).toHaveAttribute("href", "/plans");
    }
    await expectCleared();
  }
  expect(sent).toEqual([]);
});
