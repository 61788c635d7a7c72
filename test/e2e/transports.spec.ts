import type { Page, Request } from "@playwright/test";
import { KIB, MIB } from "#domain/units.ts";
import { chooseFile, downloadHash, randomFile, sha256 } from "./support/files.ts";
import { expect, test } from "./support/fixtures.ts";
import { signUp, signUpByApi } from "./support/accounts.ts";

const PART = 8 * MIB;
const CHUNK = 256 * KIB;
const STORE = "**/cdn-cgi/local/r2/s3/**";
const PARTS = /partNumber=/;

/** Around the limits of parts and chunks. Files up to 16 MiB go straight to storage in one piece. */
const PART_SIZES = [0, 1, PART - 1, PART, PART + 1, 2 * PART, 2 * PART + 1];
const CHUNK_SIZES = [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 10 * CHUNK + 1, PART + 1, 3 * PART + 1];

/** For each transport: its page, how to force an upload onto it, and which requests carry its bytes. */
const TRANSPORTS = {
  direct: {
    address: "/direct-upload",
    sizes: PART_SIZES,
    force: () => Promise.resolve(),
    carriesBytes: (request: Request) => request.method() === "PUT" && request.url().includes("/s3/"),
  },
  proxy: {
    address: "/direct-upload",
    sizes: PART_SIZES,
    force: (page: Page) => page.route(STORE, (route) => route.abort("connectionrefused")),
    carriesBytes: (request: Request) => request.url().includes("/api/direct-upload/parts/"),
  },
  chunks: {
    address: "/chunked-upload",
    sizes: CHUNK_SIZES,
    force: () => Promise.resolve(),
    carriesBytes: (request: Request) => request.url().endsWith("/api/chunked-upload/chunk"),
  },
};

/** By the file's size. */
const REQUEST_COUNTS = {
  direct: (size: number) => (size <= 2 * PART ? 1 : Math.ceil(size / PART)),
  proxy: (size: number) => (size <= 2 * PART ? 1 : Math.ceil(size / PART)),
  chunks: (size: number) => Math.ceil(size / (size <= 2 * PART ? CHUNK : MIB)),
};

for (const transport of ["direct", "proxy", "chunks"] as const) {
  test(`files of every size arrive unchanged: ${transport} [CHK-14, DIR-7, UP-1]`, async ({
    page,
    request,
    expectErrors,
  }) => {
    test.setTimeout(300_000);
    expectErrors(/ERR_CONNECTION_REFUSED/);
    await signUpByApi(page);
    const { address, sizes, force, carriesBytes } = TRANSPORTS[transport];
    await page.goto(address);
    await force(page);
    let requestCount = 0;
    page.on("requestfinished", (sent) => {
      if (carriesBytes(sent)) requestCount += 1;
    });
    for (const size of sizes) {
      await test.step(`${size} bytes`, async () => {
        requestCount = 0;
        const path = await randomFile(`${transport}-${size}.bin`, size);
        await chooseFile(page, path);
        await expect(page.getByRole("heading", { name: "Upload Successful!" })).toBeVisible({ timeout: 120_000 });
        const link = await page.getByLabel("Share Link").inputValue();
        expect(await downloadHash(request, link)).toBe(await sha256(path));
        expect(requestCount).toBe(REQUEST_COUNTS[transport](size));
        await page.getByRole("button", { name: "Upload Another File" }).click();
      });
    }
  });
}

test("parts that storage rejects go through the server one by one after a CORS repair and new URLs have failed [API-17, UP-18, UP-20]", async ({
  page,
  request,
  expectErrors,
}) => {
  expectErrors(/403/);
  await signUpByApi(page);
  await page.goto("/direct-upload");
  const calls = { repairs: 0, signings: 0, proxied: 0, forms: 0 };
  page.on("request", (sent) => {
    if (sent.url().includes("public-fix-cors")) calls.repairs += 1;
    if (sent.url().endsWith("/sign-parts")) calls.signings += 1;
    if (sent.url().includes("/api/direct-upload/parts/")) calls.proxied += 1;
    if (sent.url().endsWith("/api/direct-upload/proxy-upload")) calls.forms += 1;
  });
  await page.route(PARTS, (route) => route.fulfill({ status: 403 }));
  const path = await randomFile("rejected-parts.bin", 2 * PART + 1);
  await chooseFile(page, path);
  await expect(page.getByRole("heading", { name: "Upload Successful!" })).toBeVisible();
  expect(calls).toMatchObject({ repairs: 1, proxied: 3, forms: 0 });
  expect(calls.signings).toBeGreaterThan(0);
  const link = await page.getByLabel("Share Link").inputValue();
  expect(await downloadHash(request, link)).toBe(await sha256(path));
});

test("parts that fail once with 403, 500 or a dropped connection are retried straight to storage, after a 403 with a new URL [UP-18, UP-23]", async ({
  page,
  request,
  expectErrors,
}) => {
  expectErrors(/403|500|ERR_CONNECTION_RESET/);
  await signUp(page);
  const failures = new Map<string | null, number | "dropped">([
    ["2", 500],
    ["3", 403],
    ["4", "dropped"],
  ]);
  const signed: number[] = [];
  const proxied: string[] = [];
  page.on("request", (sent) => {
    if (sent.url().includes("/api/direct-upload/parts/")) proxied.push(sent.url());
    if (sent.url().endsWith("/sign-parts")) signed.push(...(sent.postDataJSON() as { parts: number[] }).parts);
  });
  await page.route(PARTS, async (route) => {
    const part = new URL(route.request().url()).searchParams.get("partNumber");
    const failure = failures.get(part);
    failures.delete(part);
    if (failure === undefined) await route.continue();
    else if (failure === "dropped") await route.abort("connectionreset");
    else await route.fulfill({ status: failure });
  });
  const path = await randomFile("flaky-transport.bin", 3 * PART + 1);
  await chooseFile(page, path);
  await expect(page.getByRole("heading", { name: "Ready to share" })).toBeVisible();
  expect(failures.size).toBe(0);
  expect(signed).toContain(3);
  expect(proxied).toEqual([]);
  const link = await page.getByLabel("Share link").inputValue();
  expect(await downloadHash(request, link)).toBe(await sha256(path));
});
