import type { Page } from "@playwright/test";
import { GIB } from "#domain/units.ts";
import { chooseFile, downloadHash, randomFile, sha256 } from "./support/files.ts";
import { expect, test } from "./support/fixtures.ts";
import { logIn, signUp, signUpByApi } from "./support/accounts.ts";
import { expectToast, openWithFakeClock, advanceUntilFailure, tryAgain } from "./support/waiting.ts";

const STORE = "**/cdn-cgi/local/r2/s3/**";
const PROXY = "**/api/direct-upload/parts/**";
const START = "**/api/direct-upload/presigned-url";
const COMPLETE = "**/api/direct-upload/complete";

async function expectReady(page: Page): Promise<void> {
  await expect(page.getByRole("heading", { name: "Ready to share" })).toBeVisible();
}

test("after the session has ended elsewhere, the card asks to sign in and then uploads the file [ERR-19]", async ({
  page,
  request,
  openBrowser,
  expectErrors,
}) => {
  expectErrors(/401/);
  const email = await signUp(page);
  const other = await openBrowser();
  await other.goto("/login");
  await logIn(other, email);
  await expect(other.getByRole("banner").getByRole("link", { name: "Dashboard" })).toBeVisible();
  expect((await other.request.delete("/api/auth/sessions")).ok()).toBe(true);

  const path = await randomFile("signed-out.bin", 3000);
  const startResponse = page.waitForResponse(START);
  await chooseFile(page, path);
  expect(await (await startResponse).json()).toMatchObject({ requiresAuth: true });
  await expect(page.getByRole("dialog")).toContainText("Your file (2.93 KB) will be uploaded right after this.");
  await expect(page.getByRole("tab", { name: "Register" })).toHaveAttribute("aria-selected", "true");
  await page.getByRole("tab", { name: "Log In" }).click();
  await logIn(page, email);
  await expectReady(page);
  const link = await page.getByLabel("Share link").inputValue();
  expect(await downloadHash(request, link)).toBe(await sha256(path));
});

test("a 413 shows 'File too large' with the server's message [ERR-21] @everyday", async ({ page, expectErrors }) => {
  expectErrors(/413/);
  await signUp(page);
  await page.route(START, (route) =>
    route.continue({ postData: { ...(route.request().postDataJSON() as object), fileSize: 51 * GIB } }),
  );
  await chooseFile(page, await randomFile("grown.bin", 10));
  const maximum = "The maximum file size allowed is 50 GB per file for all subscription plans.";
  await expectToast(page, "File too large", maximum);
  await page.unroute(START);
  await page.route(START, (route) => route.fulfill({ status: 413, json: { error: "That is too large for today." } }));
  await tryAgain(page);
  await expectToast(page, "File too large", "That is too large for today.");
  await page.unroute(START);
  await tryAgain(page);
  await expectReady(page);
});

test("a failed start without a message shows 'Failed to get presigned URL' [ERR-25]", async ({
  page,
  expectErrors,
}) => {
  expectErrors(/502|ERR_FAILED|ERR_CONNECTION_RESET/);
  await signUpByApi(page);
  await openWithFakeClock(page, "/");
  const failures = [
    { status: 200, contentType: "text/html", body: "<p>Welcome to our hotel</p>" },
    { status: 200, contentType: "application/json", body: "{}" },
    { status: 200, contentType: "application/json", body: "{broken" },
    { status: 502, contentType: "text/html", body: "<h1>Bad Gateway</h1>" },
    null,
  ];
  const path = await randomFile("unstarted.bin", 10);
  for (const failure of failures) {
    await page.route(START, (route) => (failure ? route.fulfill(failure) : route.abort("connectionreset")));
    await (failure === failures[0] ? chooseFile(page, path) : tryAgain(page));
    await advanceUntilFailure(page);
    await expectToast(page, "Upload failed", "Failed to get presigned URL");
    await page.unroute(START);
  }
  await tryAgain(page);
  await expectReady(page);
});

test("a failed completion without a message shows 'Failed to complete upload' [ERR-26]", async ({
  page,
  request,
  expectErrors,
}) => {
  expectErrors(/4(00|22)|ERR_CONNECTION_RESET/);
  await signUpByApi(page);
  await openWithFakeClock(page, "/");
  const path = await randomFile("uncompleted.bin", 10_000);
  const failures = [{ status: 200, json: {} }, { status: 400, json: { code: 7 } }, null];
  for (const failure of failures) {
    await page.route(COMPLETE, (route) => (failure ? route.fulfill(failure) : route.abort("connectionreset")));
    await (failure === failures[0] ? chooseFile(page, path) : tryAgain(page));
    await advanceUntilFailure(page);
    await expectToast(page, "Upload failed", "Failed to complete upload");
    await page.unroute(COMPLETE);
  }
  await page.route(COMPLETE, (route) => route.fulfill({ status: 422, json: { message: "Not quite." } }));
  await tryAgain(page);
  await expectToast(page, "Upload failed", "Not quite.");
  await page.unroute(COMPLETE);
  await tryAgain(page);
  await expectReady(page);
  const link = await page.getByLabel("Share link").inputValue();
  expect(await downloadHash(request, link)).toBe(await sha256(path));
});

test("the storage error is shown if the server cannot be reached either [API-15, ERR-23, ERR-27]", async ({
  page,
  expectErrors,
}) => {
  expectErrors(/403|ERR_CONNECTION_RESET/);
  await signUpByApi(page);
  await openWithFakeClock(page, "/");
  await page.route(PROXY, (route) => route.abort("connectionreset"));
  await page.route(STORE, (route) => route.abort("connectionreset"));
  await chooseFile(page, await randomFile("unreachable.bin", 10));
  await advanceUntilFailure(page);
  await expectToast(page, "Upload failed", "Network error during S3 upload");

  const STORAGE_ERRORS = {
    InvalidAccessKeyId: "S3 rejected the upload: unknown access key.",
    SignatureDoesNotMatch: "S3 rejected the upload: the signature does not match the request.",
    AccessDenied: "S3 rejected the upload: Access Denied.",
  };
  for (const [code, message] of Object.entries(STORAGE_ERRORS)) {
    await page.unroute(STORE);
    const body = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>No.</Message></Error>`;
    await page.route(STORE, (route) => route.fulfill({ status: 403, contentType: "application/xml", body }));
    await tryAgain(page);
    await advanceUntilFailure(page);
    await expectToast(page, "Upload failed", message);
  }
  await page.unroute(STORE);
  await page.unroute(PROXY);
  await tryAgain(page);
  await expectReady(page);
});

test("a response to a proxied part in the wrong format fails the part [VAL-13]", async ({
  page,
  request,
  expectErrors,
}) => {
  expectErrors(/ERR_CONNECTION_REFUSED/);
  await signUpByApi(page);
  await openWithFakeClock(page, "/");
  await page.route(STORE, (route) => route.abort("connectionrefused"));
  await page.route(PROXY, (route) => route.fulfill({ json: { part: 1, etag: "0123456789abcdef" } }));
  const path = await randomFile("wrong-format.bin", 20_000);
  await chooseFile(page, path);
  await advanceUntilFailure(page);
  await expectToast(page, "Upload failed", "Server returned invalid response format");
  await page.unroute(PROXY);
  const proxyResponse = page.waitForResponse(PROXY);
  await tryAgain(page);
  expect(await (await proxyResponse).json()).toMatchObject({ originalName: "wrong-format.bin" });
  await expectReady(page);
  const link = await page.getByLabel("Share link").inputValue();
  expect(await downloadHash(request, link)).toBe(await sha256(path));
});

test("a proxied part that takes over five minutes fails with a timeout [API-17, ERR-24]", async ({
  page,
  expectErrors,
}) => {
  expectErrors(/ERR_CONNECTION_REFUSED/);
  await signUpByApi(page);
  await openWithFakeClock(page, "/");
  await page.route(STORE, (route) => route.abort("connectionrefused"));
  const network = await page.context().newCDPSession(page);
  await network.send("Network.enable");
  await network.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: 100_000,
  });
  // Bytes may have moved before it, towards storage.
  const proxied = page.waitForRequest("**/api/direct-upload/parts/*/1");
  await chooseFile(page, await randomFile("slow.bin", 6_000_000));
  await proxied;
  const bar = page.getByRole("progressbar", { name: "Upload progress" });
  await expect(bar).not.toHaveAttribute("aria-valuenow", "0");
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000));
  const percent = () => bar.getAttribute("aria-valuenow");
  const nextPercent = async () => {
    await page.clock.runFor(200);
    return percent();
  };
  // Progress prevents the stall timeout; each round passes half a minute. The first change may show progress that was
  // made before the round, so a round waits for two changes.
  for (let halfMinutes = 0; halfMinutes < 9; halfMinutes += 1) {
    await page.clock.fastForward(30_000);
    for (let change = 0; change < 2; change += 1) {
      const before = await percent();
      await expect.poll(nextPercent).not.toBe(before);
    }
  }
  await expect(page.getByRole("alert")).toHaveCount(0);
  await page.clock.fastForward(30_000);
  await expectToast(page, "Upload failed", "Server proxy upload timed out");
  await network.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: -1,
  });
  await page.clock.resume();
  await page.unroute(STORE);
  await tryAgain(page);
  await expectReady(page);
});
