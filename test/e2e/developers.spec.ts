import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { DESCRIBED_METHODS, type ApiDescription } from "#domain/v1/description.ts";
import { signUpByApi } from "./support/accounts.ts";
import { expectAccessible } from "./support/axe.ts";
import { expect, test } from "./support/fixtures.ts";

const run = promisify(execFile);

test("the account page leads to the page for developers, whose example of the API sends a file [DEV-1] @everyday", async ({
  page,
  baseURL,
}) => {
  await signUpByApi(page);
  await page.goto("/account");
  await page.getByRole("link", { name: "How programs use them" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("For developers");
  await expect(page.getByRole("heading", { level: 2 })).toHaveText([
    "A key",
    "curl",
    "The command line",
    "The API",
    "tus",
    "Webhooks",
  ]);
  const code = (await page.getByRole("group", { name: "Send a file with the API" }).textContent()) ?? "";
  const made = await page.request.post("/api/keys", { data: { name: "Example", scopes: ["upload"] } });
  const { key } = (await made.json()) as { key: string };
  const env = { ...process.env, MAYFLY_URL: baseURL, MAYFLY_KEY: key };
  const { stdout } = await run(process.execPath, ["--input-type=module", "-e", code], { env });
  expect(stdout).toMatch(/^http:\/\/localhost:\d+\/download\/[\w-]{22}\n$/);
  const sent = await page.request.get(`/api/files/download/${stdout.trim().split("/").at(-1) ?? ""}/content`);
  expect(await sent.text()).toBe("hello");
});

test("the page for developers is accessible, and copies its examples [DEV-1]", async ({ page, context, baseURL }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto("/developers");
  await expectAccessible(page, "developers");
  await page.getByRole("button", { name: "Copy: The key in the environment" }).click();
  await expect(page.getByRole("button", { name: "Copied: The key in the environment" })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    `export MAYFLY_URL=${baseURL}\nexport MAYFLY_KEY=mayfly_…`,
  );
});

test("the reference has every call and every event, is searched, and shows its examples in three languages [DEV-2]", async ({
  page,
  baseURL,
}) => {
  const description = (await (await page.request.get("/api/v1/openapi.json")).json()) as ApiDescription;
  const names = Object.values(description.paths).flatMap((path) =>
    DESCRIBED_METHODS.flatMap((method) => path[method]?.operationId ?? []),
  );
  const events = Object.keys(description.webhooks);
  await page.goto("/developers/reference");
  await expect(page.getByRole("heading", { level: 3 })).toHaveCount(names.length + events.length);
  await expect(page.getByRole("main").getByRole("status")).toHaveText(`${names.length} calls`);
  await expectAccessible(page, "reference");
  const anchors = [...names, ...events];
  expect(await page.evaluate((ids) => ids.filter((id) => !document.getElementById(id)), anchors)).toEqual([]);

  const example = page.getByRole("group", { name: /^Start an upload, with/ });
  await expect(example).toContainText(`curl "${baseURL}/api/v1/uploads"`);
  await page.getByText("JavaScript", { exact: true }).click();
  await expect(example).toContainText(`await fetch("${baseURL}/api/v1/uploads"`);
  await page.getByText("CLI", { exact: true }).click();
  await expect(example).toHaveText("mayfly send report.pdf --expires 1d");

  await page.getByLabel("Search the calls").fill("idempotency");
  await expect(page.getByRole("main").getByRole("status")).toHaveText("2 calls");
  await expect(page).toHaveURL(/\?q=idempotency$/);
  await expect(page.getByRole("heading", { level: 3 })).toHaveText([
    "Start an upload",
    "Start a transfer of many files",
  ]);
  await page.getByLabel("Search the calls").fill("webhook-signature ping");
  await expect(page.getByRole("heading", { level: 3 })).toHaveText(["Its owner asked for it"]);
  await page.getByLabel("Search the calls").fill("no such words");
  await expect(page.getByRole("main").getByRole("status")).toHaveText("0 calls");
});

test("a link to a call leads to it [DEV-3]", async ({ page }) => {
  await page.goto("/developers/reference#takeDownload");
  const call = page.getByRole("heading", { name: "Take one of a limited link's downloads" });
  await expect(call).toBeInViewport();
  await expect(call.getByRole("link")).toHaveAttribute("href", "#takeDownload");
  await page
    .getByRole("region", { name: "Take one of a limited link's downloads" })
    .getByText("When it is refused")
    .click();
  await expect(page.getByText("409 DOWNLOADS_BUSY")).toBeVisible();
});

test("without scripts the reference is there, and an address with a search shows what it finds [DEV-2]", async ({
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: baseURL ?? "" });
  const page = await context.newPage();
  await page.goto("/developers/reference?q=idempotency");
  await expect(page.getByRole("heading", { level: 3 })).toHaveText([
    "Start an upload",
    "Start a transfer of many files",
  ]);
  await context.close();
});
