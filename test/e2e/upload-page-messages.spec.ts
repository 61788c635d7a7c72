import type { Page } from "@playwright/test";
import { KIB, MIB } from "#domain/units.ts";
import { query } from "./support/database.ts";
import { chooseFileOfSize, chooseFile, downloadHash, randomFile, sha256 } from "./support/files.ts";
import { expect, test } from "./support/fixtures.ts";
import { signUp, signUpByApi } from "./support/accounts.ts";
import { expectToast, openWithFakeClock, advanceUntilFailure, tryAgain } from "./support/waiting.ts";

const CHUNK = 256 * KIB;
const STORE = "**/cdn-cgi/local/r2/s3/**";
const PROXY = "**/api/direct-upload/parts/**";
const SENDING_CHUNK = "**/api/chunked-upload/chunk";

const NETWORK_ERROR = "There was a problem with your network connection. Please check your internet and try again.";

async function expectSuccess(page: Page): Promise<void> {
  await expect(page.getByRole("heading", { name: "Upload Successful!" })).toBeVisible();
}

interface Chunks {
  sent: number;
  /** Answered or failed. */
  ended: number;
}

/** Counts the page's chunks. Call before opening the page. */
async function countChunks(page: Page): Promise<() => Promise<Chunks>> {
  await page.addInitScript(() => {
    const chunks = { sent: 0, ended: 0 };
    Object.assign(globalThis, { chunks });
    const send = Reflect.get(XMLHttpRequest.prototype, "send") as (body: unknown) => void;
    XMLHttpRequest.prototype.send = function (body) {
      if (body instanceof FormData) {
        chunks.sent += 1;
        this.addEventListener("loadend", () => (chunks.ended += 1));
      }
      send.call(this, body);
    };
  });
  return () => page.evaluate(() => Reflect.get(globalThis, "chunks") as Chunks);
}

/** Before each retry of a chunk (decision 024). */
const RETRY_WAITS_MS = [2000, 4000, 8000];

test("a failed chunk is retried after 2, 4 and 8 seconds, and then the error names it [CHK-19, CHK-22, ERR-78]", async ({
  page,
  request,
  expectErrors,
}) => {
  expectErrors(/500/);
  const chunks = await countChunks(page);
  await signUpByApi(page);
  await openWithFakeClock(page, "/chunked-upload");
  await page.route(SENDING_CHUNK, async (route) => {
    const isSecond = route.request().postDataBuffer()?.includes('name="chunkIndex"\r\n\r\n1');
    await (isSecond ? route.fulfill({ status: 500, body: "oops" }) : route.continue());
  });
  const path = await randomFile("third-retry.bin", 3 * CHUNK);
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 10_000));
  await chooseFile(page, path);
  let sent = 2;
  for (const waitMs of RETRY_WAITS_MS) {
    await expect.poll(chunks).toEqual({ sent, ended: sent });
    await page.clock.runFor(waitMs - 1);
    expect(await chunks()).toEqual({ sent, ended: sent });
    await page.clock.runFor(1);
    sent += 1;
  }
  await expectToast(page, "Upload failed", "Failed to upload chunk 2 after 3 retries.");
  expect(await chunks()).toEqual({ sent: 5, ended: 5 });

  await page.unroute(SENDING_CHUNK);
  await page.clock.resume();
  await tryAgain(page);
  await expectSuccess(page);
  const link = await page.getByLabel("Share Link").inputValue();
  expect(await downloadHash(request, link)).toBe(await sha256(path));
});

test("a chunk without a response for 30 seconds is retried, and in the end the upload times out [CHK-20, ERR-74]", async ({
  page,
}) => {
  const chunks = await countChunks(page);
  await signUpByApi(page);
  await openWithFakeClock(page, "/chunked-upload");
  await page.route(SENDING_CHUNK, () => undefined);
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 10_000));
  await chooseFile(page, await randomFile("unanswered.bin", CHUNK));
  for (const [ended, waitMs] of [...RETRY_WAITS_MS, 0].entries()) {
    await expect.poll(chunks).toEqual({ sent: ended + 1, ended });
    await page.clock.runFor(29_999);
    expect(await chunks()).toEqual({ sent: ended + 1, ended });
    await page.clock.runFor(1);
    await expect.poll(chunks).toEqual({ sent: ended + 1, ended: ended + 1 });
    await page.clock.runFor(waitMs);
  }
  await expectToast(
    page,
    "Upload timeout",
    "The upload timed out. Try using a smaller file or check your internet connection.",
  );
  await page.unroute(SENDING_CHUNK);
  await page.clock.resume();
  await tryAgain(page);
  await expectSuccess(page);
});

test("a failed chunked upload shows its cause: the start, the end, the network or the server [ERR-73, ERR-75, ERR-76, ERR-77]", async ({
  page,
  expectErrors,
}) => {
  expectErrors(/4(00|04)|ERR_CONNECTION_RESET/);
  await signUpByApi(page);
  await openWithFakeClock(page, "/chunked-upload");
  const cases: [call: string, answer: object | null, title: string, description: string][] = [
    ["init", { status: 200, body: "<p>Welcome</p>" }, "Upload failed", "Failed to initialize upload."],
    ["init", { status: 400, json: { message: "Not today." } }, "Upload failed", "Not today."],
    ["init", null, "Network error", NETWORK_ERROR],
    ["chunk", null, "Network error", NETWORK_ERROR],
    [
      "chunk",
      { status: 404, json: { error: "There is no such upload." } },
      "Upload failed",
      "There is no such upload.",
    ],
    ["chunk", { status: 404, body: "" }, "Upload failed", "There was an error uploading your file."],
    ["finalize", { status: 400, json: {} }, "Upload failed", "Failed to finalize upload."],
    ["finalize", { status: 200, json: { done: true } }, "Upload failed", "Failed to finalize upload."],
    ["finalize", null, "Network error", NETWORK_ERROR],
  ];
  const path = await randomFile("many-errors.bin", 1000);
  for (const [index, [call, answer, title, description]] of cases.entries()) {
    const address = `**/api/chunked-upload/${call}`;
    await page.route(address, (route) => (answer ? route.fulfill(answer) : route.abort("connectionreset")));
    await (index === 0 ? chooseFile(page, path) : tryAgain(page));
    await advanceUntilFailure(page);
    await expectToast(page, title, description);
    await page.unroute(address);
  }
  await tryAgain(page);
  await expectSuccess(page);
});

test("a failed direct upload shows its cause: the network, storage or the server [ERR-73, ERR-75, ERR-79]", async ({
  page,
  expectErrors,
}) => {
  expectErrors(/4(00|03)|50[03]|ERR_CONNECTION_RE/);
  await signUpByApi(page);
  await openWithFakeClock(page, "/direct-upload");
  const START = "**/api/direct-upload/presigned-url";
  const S3_ERROR = "There was a problem with the S3 storage service. Please try again later.";
  const denied = { status: 403, body: "<Error><Code>AccessDenied</Code></Error>" };
  const cases: [broken: Record<string, object | null>, title: string, description: string][] = [
    [{ [START]: null }, "Network error", NETWORK_ERROR],
    [{ [START]: { status: 400, json: { message: "Not today." } } }, "Upload failed", "Not today."],
    [{ [STORE]: null, [PROXY]: null }, "Network error", NETWORK_ERROR],
    [{ [STORE]: denied, [PROXY]: null }, "S3 upload error", S3_ERROR],
    [{ [STORE]: { status: 500 } }, "S3 upload error", S3_ERROR],
    [{ [STORE]: denied, [PROXY]: { status: 503, json: { message: "Full up." } } }, "Upload failed", "Full up."],
  ];
  const path = await randomFile("many-direct-errors.bin", 1000);
  for (const [index, [broken, title, description]] of cases.entries()) {
    for (const [address, answer] of Object.entries(broken)) {
      await page.route(address, (route) => (answer ? route.fulfill(answer) : route.abort("connectionreset")));
    }
    await (index === 0 ? chooseFile(page, path) : tryAgain(page));
    await advanceUntilFailure(page);
    await expectToast(page, title, description);
    for (const address of Object.keys(broken)) await page.unroute(address);
  }
  await tryAgain(page);
  await expectSuccess(page);
});

test("a failed upload shows one toast, also after navigating to another card [ERR-18]", async ({
  page,
  expectErrors,
}) => {
  expectErrors(/400/);
  await signUpByApi(page);
  await page.goto("/direct-upload");
  const START = "**/api/direct-upload/presigned-url";
  await page.route(START, (route) => route.fulfill({ status: 400, json: { message: "Not today." } }));
  await chooseFile(page, await randomFile("one-toast.bin", 10));
  await expectToast(page, "Upload failed", "Not today.");
  await page.getByRole("region", { name: "Notifications" }).getByRole("button", { name: "Close" }).click();
  await page.getByRole("banner").getByRole("link", { name: "Mayfly" }).click();
  await expect(page.getByRole("alert")).toContainText("one-toast.bin was not uploaded.");
  // A toast would appear with the next frame.
  await page.evaluate(
    () =>
      new Promise((resolve) =>
        requestAnimationFrame(() =>
          requestAnimationFrame(() => {
            resolve(null);
          }),
        ),
      ),
  );
  await expect(page.getByText("Not today.")).toHaveCount(0);
  await page.unroute(START);
  await tryAgain(page);
  await expect(page.getByRole("heading", { name: "Ready to share" })).toBeVisible();
});

test("the upload pages ask to sign in after the session has ended, and keep the file [ERR-19]", async ({
  page,
  context,
  expectErrors,
}) => {
  expectErrors(/401/);
  await signUp(page);
  for (const [address, name] of [
    ["/direct-upload", "Account Required"],
    ["/chunked-upload", "Login Required"],
  ] as const) {
    await page.goto(address);
    const cookies = await context.cookies();
    await context.clearCookies();
    await chooseFile(page, await randomFile("ended.bin", 10));
    await page.getByRole("dialog", { name }).getByRole("button", { name: "Cancel" }).click();
    await context.addCookies(cookies);
    await tryAgain(page);
    await expectSuccess(page);
  }
});

test("the direct page counts the stored parts [DIR-3, ENT-23, ERR-22]", async ({ page, context }) => {
  await signUpByApi(page);
  await page.goto("/direct-upload");
  await context.route(/partNumber=[3-5]&/, () => undefined);
  const shownMeanwhile = Promise.all([
    page.getByText(/^[\d.]+ [KM]?B(ytes)?\/s$/).waitFor(),
    page.getByText(/^\d+ (s|min) left$/).waitFor(),
  ]);
  await chooseFile(page, await randomFile("counted.bin", 5 * 8 * MIB));
  await shownMeanwhile;
  await expect(page.getByText(/^2 of 5 parts stored · current part \d+ %$/)).toBeVisible();
  await expect(page.getByText("Method: Direct browser to storage")).toBeVisible();
  await expect(page.getByRole("progressbar", { name: "Upload progress" })).toHaveAttribute("aria-valuenow", "40");
  await page.getByRole("button", { name: "Cancel Upload" }).click();
  await expectToast(page, "Upload aborted", "counted.bin was not uploaded. The uploaded part was deleted.");
});

test("the notice about the free plan's limit disappears when the plan changes and does not return [CHK-17]", async ({
  page,
}) => {
  const email = await signUp(page);
  const changePlan = async (plan: string) => {
    await query(`update users set plan_type = '${plan}' where email = '${email}'`);
    const sessionResponse = page.waitForResponse("**/api/auth/me");
    await page.evaluate(() => {
      document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
    });
    await sessionResponse;
  };
  await page.goto("/chunked-upload");
  await chooseFileOfSize(page, 1024 * MIB);
  await expect(page.getByRole("alert")).toContainText("File size limit exceeded");
  await changePlan("professional");
  await expect(page.getByRole("alert")).toHaveCount(0);
  await changePlan("free");
  await expect(page.getByText("Free account limit")).toBeVisible();
  await expect(page.getByRole("alert")).toHaveCount(0);
});

test("a failed copy of the link shows an error [ERR-83]", async ({ page, context }) => {
  await signUpByApi(page);
  await page.goto("/direct-upload");
  await chooseFile(page, await randomFile("uncopied.txt", 10));
  await expectSuccess(page);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "Copy" }).click();
  await expect(page.getByText("Link copied", { exact: true })).toBeVisible();
  const browser = await context.newCDPSession(page);
  const { targetInfo } = await browser.send("Target.getTargetInfo");
  await browser.send("Browser.setPermission", {
    permission: { name: "clipboard-write" },
    setting: "denied",
    origin: new URL(page.url()).origin,
    ...(targetInfo.browserContextId ? { browserContextId: targetInfo.browserContextId } : {}),
  });
  // The fallback fails too.
  await page.evaluate(() => {
    Object.defineProperty(document, "execCommand", { value: () => false });
  });
  await page.getByRole("button", { name: "Copied" }).click();
  await expectToast(page, "Copy failed", "Failed to copy the link to clipboard");
});

test("a refused CORS repair shows the server's message, or else a sentence of its own [ERR-81]", async ({
  page,
  expectErrors,
}) => {
  expectErrors(/429|503/);
  await page.goto("/direct-upload");
  for (const [answer, text] of [
    [{ status: 429, json: { message: "Not so often, please." } }, "Not so often, please."],
    [{ status: 503, json: {} }, "Failed to update S3 CORS settings. Please try again later."],
    [{ status: 503, body: "<p>Bad gateway</p>" }, "Failed to update S3 CORS settings. Please try again later."],
  ] as const) {
    await page.route("**/public-fix-cors", (route) => route.fulfill(answer));
    await page.getByRole("button", { name: "Manually Fix S3 CORS" }).click();
    await expectToast(page, "CORS update failed", text);
    await page.unroute("**/public-fix-cors");
  }
});

test("a CORS repair that was refused within a 200 shows an error", async ({ page }) => {
  await page.goto("/direct-upload");
  let message = "The store takes no rules.";
  await page.route("**/public-fix-cors", (route) => route.fulfill({ json: { success: false, message } }));
  await page.getByRole("button", { name: "Manually Fix S3 CORS" }).click();
  await expectToast(page, "CORS update failed", "The store takes no rules.");
  message = "";
  await page.getByRole("button", { name: "Manually Fix S3 CORS" }).click();
  await expectToast(page, "CORS update failed", "Failed to update S3 CORS settings. Please try again later.");
});

test("a CORS repair without a response shows an error [ERR-82]", async ({ page, expectErrors }) => {
  expectErrors(/ERR_CONNECTION_RESET/);
  await page.goto("/direct-upload");
  await page.route("**/public-fix-cors", (route) => route.abort("connectionreset"));
  await page.getByRole("button", { name: "Manually Fix S3 CORS" }).click();
  await expectToast(page, "CORS update error", "Failed to update S3 CORS settings. Please try again later.");
  await page.unroute("**/public-fix-cors");
  await page.getByRole("button", { name: "Manually Fix S3 CORS" }).click();
  await expect(page.getByText("CORS settings updated", { exact: true })).toBeVisible();
});
