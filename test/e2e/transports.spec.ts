import type { Page, Request } from "@playwright/test";
import { choose, downloadHash, randomFile, sha256 } from "./support/files.ts";
import { expect, test } from "./support/fixtures.ts";
import { signUp, signUpQuietly } from "./support/accounts.ts";

const KIB = 1024;
const MIB = 1024 * KIB;
const PART = 8 * MIB;
const CHUNK = 256 * KIB;
const STORE = "**/cdn-cgi/local/r2/s3/**";
const PARTS = /partNumber=/;

/** Around the sizes at which a file is cut otherwise; up to 16 MiB it goes straight to storage in one piece. */
const PART_SIZES = [0, 1, PART - 1, PART, PART + 1, 2 * PART, 2 * PART + 1];
const CHUNK_SIZES = [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 10 * CHUNK + 1, PART + 1, 3 * PART + 1];

/** Each road, on the page that takes it: how to keep an upload on it, and whether a request went along it. */
const ROADS = {
  direct: {
    address: "/direct-upload",
    sizes: PART_SIZES,
    enter: () => Promise.resolve(),
    takes: (request: Request) => request.method() === "PUT" && request.url().includes("/s3/"),
  },
  relay: {
    address: "/direct-upload",
    sizes: PART_SIZES,
    enter: (page: Page) => page.route(STORE, (route) => route.abort("connectionrefused")),
    takes: (request: Request) => request.url().includes("/api/direct-upload/parts/"),
  },
  chunks: {
    address: "/chunked-upload",
    sizes: CHUNK_SIZES,
    enter: () => Promise.resolve(),
    takes: (request: Request) => request.url().endsWith("/api/chunked-upload/chunk"),
  },
};

/** How many requests a road needs for a file. */
const REQUESTS = {
  direct: (size: number) => (size <= 2 * PART ? 1 : Math.ceil(size / PART)),
  relay: (size: number) => (size <= 2 * PART ? 1 : Math.ceil(size / PART)),
  chunks: (size: number) => Math.ceil(size / (size <= 2 * PART ? CHUNK : MIB)),
};

for (const transport of ["direct", "relay", "chunks"] as const) {
  test(`files of every size arrive as they were sent: ${transport}`, async ({ page, request, expectErrors }) => {
    test.setTimeout(300_000);
    expectErrors(/ERR_CONNECTION_REFUSED/);
    await signUpQuietly(page);
    const { address, sizes, enter, takes } = ROADS[transport];
    await page.goto(address);
    await enter(page);
    let taken = 0;
    page.on("requestfinished", (finished) => {
      if (takes(finished)) taken += 1;
    });
    for (const size of sizes) {
      await test.step(`${size} bytes`, async () => {
        taken = 0;
        const path = await randomFile(`${transport}-${size}.bin`, size);
        await choose(page, path);
        await expect(page.getByRole("heading", { name: "Upload Successful!" })).toBeVisible({ timeout: 120_000 });
        const link = await page.getByLabel("Share Link").inputValue();
        expect(await downloadHash(request, link)).toBe(await sha256(path));
        expect(taken).toBe(REQUESTS[transport](size));
        await page.getByRole("button", { name: "Upload Another File" }).click();
      });
    }
  });
}

test("parts that storage refuses go through the server, after the rules were repaired and fresh URLs refused too", async ({
  page,
  request,
  expectErrors,
}) => {
  expectErrors(/403/);
  await signUpQuietly(page);
  await page.goto("/direct-upload");
  const calls = { repairs: 0, signings: 0, relayed: 0 };
  page.on("request", (sent) => {
    if (sent.url().includes("public-fix-cors")) calls.repairs += 1;
    if (sent.url().endsWith("/sign-parts")) calls.signings += 1;
    if (sent.url().includes("/api/direct-upload/parts/")) calls.relayed += 1;
  });
  await page.route(PARTS, (route) => route.fulfill({ status: 403 }));
  const path = await randomFile("refused-parts.bin", 2 * PART + 1);
  await choose(page, path);
  await expect(page.getByRole("heading", { name: "Upload Successful!" })).toBeVisible({ timeout: 40_000 });
  expect(calls).toMatchObject({ repairs: 1, relayed: 3 });
  expect(calls.signings).toBeGreaterThan(0);
  const link = await page.getByLabel("Share Link").inputValue();
  expect(await downloadHash(request, link)).toBe(await sha256(path));
});

test("parts that fail once with 403, 500 and a dropped connection all arrive, straight, with a fresh URL where one was refused", async ({
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
  const relayed: string[] = [];
  page.on("request", (sent) => {
    if (sent.url().includes("/api/direct-upload/parts/")) relayed.push(sent.url());
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
  const path = await randomFile("bumpy-road.bin", 3 * PART + 1);
  await choose(page, path);
  await expect(page.getByRole("heading", { name: "Ready to share" })).toBeVisible();
  expect(failures.size).toBe(0);
  expect(signed).toContain(3);
  expect(relayed).toEqual([]);
  const link = await page.getByLabel("Share link").inputValue();
  expect(await downloadHash(request, link)).toBe(await sha256(path));
});
