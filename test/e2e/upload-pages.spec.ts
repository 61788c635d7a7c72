import { announce, choose, downloadHash, randomFile, sha256 } from "./files.ts";
import { expect, test } from "./fixtures.ts";
import { logIn, signUp, signUpQuietly } from "./people.ts";

const MIB = 1024 * 1024;

test("the chunked page: select, progress by chunks, success", async ({ page, request }) => {
  await signUpQuietly(page);
  await page.goto("/chunked-upload");
  await expect(page.getByRole("heading", { name: "Large File Upload" })).toBeVisible();
  await expect(page.getByText("Files up to 500 MB for free, in chunks of 256KB.")).toBeVisible();
  await expect(page.getByText("Free account limit")).toBeVisible();
  await page.getByRole("tab", { name: "How It Works" }).click();
  await expect(page.getByText("Your file is cut into chunks of 256KB")).toBeVisible();
  await page.getByRole("tab", { name: "Chunked Upload" }).click();
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
  await choose(page, path);
  await finalized;
  await expect(page.getByRole("heading", { name: "Upload Successful!" })).toBeVisible();
  await expect(page.getByText(/^Expires /)).toBeVisible();
  const link = await page.getByLabel("Share Link").inputValue();
  expect(await downloadHash(request, link)).toBe(await sha256(path));
  await page.getByRole("button", { name: "Upload Another File" }).click();
  await expect(page.getByLabel("Choose a file")).toBeAttached();
});

test("a chunk that fails goes again; one that is refused for its size says so and the next try takes smaller ones", async ({
  page,
  expectErrors,
}) => {
  test.setTimeout(120_000);
  await signUpQuietly(page);
  await page.goto("/chunked-upload");
  expectErrors(/500|413/);
  let failures = 1;
  await page.route("**/api/chunked-upload/chunk", async (route) => {
    failures -= 1;
    if (failures === 0) await route.fulfill({ status: 500, body: "not what was agreed" });
    else await route.continue();
  });
  await choose(page, await randomFile("bumpy-chunks.bin", 600_000));
  await expect(page.getByRole("heading", { name: "Upload Successful!" })).toBeVisible();
  await page.getByRole("button", { name: "Upload Another File" }).click();

  await page.unroute("**/api/chunked-upload/chunk");
  await page.route("**/api/chunked-upload/chunk", (route) =>
    route.fulfill({
      status: 413,
      json: { code: "CHUNK_TOO_LARGE", message: "The chunk is larger than this upload takes." },
    }),
  );
  await choose(page, await randomFile("too-large-chunks.bin", 20 * MIB));
  await expect(page.getByText("Chunk size too large", { exact: true })).toBeVisible();
  await page.unroute("**/api/chunked-upload/chunk");
  const again = page.waitForRequest("**/api/chunked-upload/init");
  await page.getByRole("alert").getByRole("button", { name: "Try again" }).click();
  expect((await again).postDataJSON()).toMatchObject({ maxChunkSize: 256 * 1024 });
  await expect(page.getByRole("heading", { name: "Upload Successful!" })).toBeVisible({ timeout: 60_000 });
});

test("a visitor on the chunked page is sent to sign in, comes back, and is reminded of the file", async ({
  page,
  openBrowser,
}) => {
  const email = await signUp(await openBrowser());
  await page.goto("/chunked-upload");
  await choose(page, await randomFile("waiting-chunks.bin", 2048));
  const dialog = page.getByRole("dialog", { name: "Login Required" });
  await expect(dialog.getByRole("button", { name: "Sign Up" })).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Cancel" })).toBeVisible();
  await dialog.getByRole("button", { name: "Login" }).click();
  await expect(page.getByRole("dialog")).toContainText("Your file (2 KB) goes up right after this.");
  await logIn(page, email);
  await expect(page).toHaveURL("/chunked-upload");
  await expect(page.getByText("Choose your file (2 KB) once more to upload it.")).toBeVisible();
});

test("the direct page: method line, account dialog that leads home", async ({ page }) => {
  await page.goto("/direct-upload");
  await expect(page.getByRole("heading", { name: "Direct-to-S3 Upload" })).toBeVisible();
  await choose(page, await randomFile("direct-visitor.bin", 10));
  const dialog = page.getByRole("dialog", { name: "Account Required" });
  await expect(dialog.getByRole("button", { name: "Cancel" })).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Login" })).toBeVisible();
  await dialog.getByRole("button", { name: "Create Account" }).click();
  await expect(page).toHaveURL("/");
  await expect(page.getByRole("dialog").getByRole("tab", { name: "Register" })).toHaveAttribute(
    "aria-selected",
    "true",
  );
});

test("files that no plan, or not the free one, takes are refused before anything is sent", async ({ page }) => {
  await signUp(page);
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("upload/")) sent.push(request.url());
  });
  const GIB = 1024 ** 3;
  await announce(page, 51 * GIB);
  await expect(page.getByText("File too large", { exact: true })).toBeVisible();
  const most = "The maximum file size allowed is 50 GB per file for all subscription plans.";
  await expect(page.getByText(most, { exact: true })).toBeVisible();
  await announce(page, GIB);
  await expect(page.getByText("Could not upload file.", { exact: true })).toBeVisible();
  await expect(page.getByText("Free accounts can only upload files up to 500 MB.").first()).toBeVisible();
  await page.goto("/direct-upload");
  await announce(page, GIB);
  await expect(page.getByRole("alert")).toContainText("File size limit exceeded");
  await expect(page.getByRole("alert").getByRole("link", { name: "View Plans" })).toHaveAttribute("href", "/plans");
  expect(sent).toEqual([]);
});
