import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { KIB, MIB } from "#domain/units.ts";
import type { TransferBatch } from "#domain/wire.ts";
import { logIn, signUp } from "./support/accounts.ts";
import { archiveHashes, folderHashes } from "./support/archive.ts";
import { expect, test } from "./support/fixtures.ts";
import { chooseFolder, drop, randomFolder } from "./support/many-files.ts";
import { updateUserRow } from "./support/plans.ts";

const STORE = "**/cdn-cgi/local/r2/s3/**";
/** Only a large file has later parts. */
const LATER_PARTS = /partNumber=[2-9]&/;

/** Small files, and a large one in three parts. */
const MIXED = { "a.txt": 1000, "deep/b.bin": 300 * KIB, "deep/empty.txt": 0, "large.bin": 17 * MIB };

function objectOf(url: string): number {
  return Number(/\/(\d{5})\?/.exec(url)?.[1]);
}

/** Collects the objects of which a page sends bytes straight to storage from now on. */
function watchObjects(page: Page): Set<number> {
  const sent = new Set<number>();
  page.on("request", (request) => {
    if (request.method() === "PUT" && request.url().includes("/s3/")) sent.add(objectOf(request.url()));
  });
  return sent;
}

async function send(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Send [\d,]+ files/ }).click();
}

async function expectFinished(page: Page): Promise<string> {
  await expect(page.getByRole("heading", { name: "Ready to share" })).toBeVisible({ timeout: 90_000 });
  return page.getByLabel("Share link").inputValue();
}

test("1,200 files that stopped at half are dropped again in another browser, and arrive unchanged [TRF-46]", async ({
  page,
  request,
  openBrowser,
}) => {
  test.setTimeout(300_000);
  const files = Object.fromEntries(
    Array.from({ length: 1200 }, (_, n) => [`${n % 7}/${n % 3}/${n}.bin`, (n * 37) % (40 * KIB)]),
  );
  const folder = await randomFolder("Many", { ...files, "large.bin": 17 * MIB });
  const email = await signUp(page);
  await updateUserRow(email, "plan_type = 'professional'");
  await page.reload();
  await page.context().route(/\/files\/[^/]+\/0000[2-9]\?/, () => undefined);
  await chooseFolder(page, folder);
  await send(page);
  await expect(page.getByText(/ [5-9]\d\d of 1,201 files/)).toBeVisible();
  const link = await page.getByLabel("Share link").inputValue();
  page.on("dialog", (dialog) => void dialog.accept());
  await page.reload();
  await page.close();

  const other = await openBrowser();
  await other.goto("/login?returnTo=/dashboard");
  await logIn(other, email);
  await expect(other.getByRole("banner").getByRole("link", { name: "Dashboard" })).toBeVisible();
  // A page that is not ready would open the folder.
  await other.goto("/");
  const sent = watchObjects(other);
  await drop(other, other.getByText("Choose a file, or drop it here"), [folder]);
  await send(other);
  expect(await expectFinished(other)).toBe(link);
  expect([...sent].filter((object) => object < 2)).toEqual([]);
  expect(sent.size).toBeGreaterThan(0);
  expect(await archiveHashes(request, link)).toEqual(
    await folderHashes(folder, [...Object.keys(files), "large.bin"].sort()),
  );
});

test("where storage cannot be reached, packs and parts go through the server [TRF-48]", async ({
  page,
  request,
  expectErrors,
}) => {
  expectErrors(/ERR_CONNECTION_REFUSED/);
  await signUp(page);
  await page.route(STORE, (route) => route.abort("connectionrefused"));
  const proxied: string[] = [];
  page.on("request", (sent) => {
    if (sent.url().includes("/objects/")) proxied.push(new URL(sent.url()).pathname.split("/objects/")[1] ?? "");
  });
  const folder = await randomFolder("Blocked", MIXED);
  await chooseFolder(page, folder);
  await send(page);
  const link = await expectFinished(page);
  expect(new Set(proxied)).toEqual(new Set(["0/1", "1/1", "1/2", "1/3"]));
  expect(await archiveHashes(request, link)).toEqual(await folderHashes(folder, Object.keys(MIXED)));
});

test("a transfer pauses offline and goes on by itself [TRF-48]", async ({ page, context, request, expectErrors }) => {
  expectErrors(/ERR_INTERNET_DISCONNECTED|WebSocket/);
  await signUp(page);
  const folder = await randomFolder("Offline", MIXED);
  await context.route(LATER_PARTS, () => undefined);
  await chooseFolder(page, folder);
  await send(page);
  await expect(page.getByText("3 of 4 files")).toBeVisible();
  await context.setOffline(true);
  await expect(
    page.getByText("You are offline. The upload resumes automatically when you are back online."),
  ).toBeVisible();
  await context.unroute(LATER_PARTS);
  await context.setOffline(false);
  const link = await expectFinished(page);
  expect(await archiveHashes(request, link)).toEqual(await folderHashes(folder, Object.keys(MIXED)));
});

test("expired URLs are signed anew, and a batch without an answer is repeated as it is [TRF-48]", async ({
  page,
  request,
  expectErrors,
}) => {
  expectErrors(/403|ERR_CONNECTION_RESET/);
  await signUp(page);
  const expired = new Set([1, 2, 3]);
  await page.route(/partNumber=\d+&/, async (route) => {
    const part = Number(new URL(route.request().url()).searchParams.get("partNumber"));
    // The first part of the pack goes through: a transfer whose first PUT is refused has another reason.
    if (objectOf(route.request().url()) === 1 && expired.delete(part)) await route.fulfill({ status: 403 });
    else await route.continue();
  });
  const batches: TransferBatch[] = [];
  await page.route("**/batch", async (route) => {
    batches.push(route.request().postDataJSON() as TransferBatch);
    const response = await route.fetch();
    if (batches.length === 1) await route.abort("connectionreset");
    else await route.fulfill({ response });
  });
  const folder = await randomFolder("Expired", MIXED);
  await chooseFolder(page, folder);
  await send(page);
  const link = await expectFinished(page);
  expect(expired.size).toBe(0);
  expect(batches[1]).toEqual(batches[0]);
  const signed = batches.flatMap(({ sign }) => sign).filter(({ object }) => object === 1);
  expect(new Set(signed.flatMap(({ parts }) => parts))).toEqual(new Set([1, 2, 3]));
  expect(await archiveHashes(request, link)).toEqual(await folderHashes(folder, Object.keys(MIXED)));
});

test("a pack whose bytes did not arrive as they were read is sent again [TRF-48]", async ({
  page,
  request,
  expectErrors,
}) => {
  // The finish may be refused first.
  expectErrors(/422/);
  await signUp(page);
  const files = { "a.bin": 4000, "b.bin": 5000 };
  const folder = await randomFolder("Garbled", files);
  await page.route(/\/00000\?/, (route) => route.continue({ postData: "x".repeat(9000) }));
  const sent = watchObjects(page);
  await chooseFolder(page, folder);
  await send(page);
  const link = await expectFinished(page);
  expect([...sent]).toEqual([0, 1]);
  expect(await archiveHashes(request, link)).toEqual(await folderHashes(folder, Object.keys(files)));
});

test("a large file that changes while it is sent is named, and sent again when it is chosen again [TRF-47]", async ({
  page,
  context,
  request,
  expectErrors,
}) => {
  // A part that is on its way when its object is dropped.
  expectErrors(/404/);
  await signUp(page);
  // The large one has more parts than are read ahead.
  const folder = await randomFolder("Growing", { "a.txt": 1000, "film.bin": 72 * MIB });
  const gate = Promise.withResolvers<undefined>();
  await context.route(LATER_PARTS, async (route) => {
    await gate.promise;
    await route.continue();
  });
  await chooseFolder(page, folder);
  await send(page);
  await expect(page.getByText("1 of 2 files")).toBeVisible();
  const film = join(folder, "film.bin");
  await writeFile(film, "another film");
  gate.resolve(undefined);
  await expect(page.getByRole("heading", { name: "1 file needs your attention." })).toBeVisible();
  await expect(page.getByText("It changed while it was being sent.")).toBeVisible();
  await page.getByLabel("Choose film.bin again").setInputFiles(film);
  const link = await expectFinished(page);
  expect(await archiveHashes(request, link)).toEqual(await folderHashes(folder, ["a.txt", "film.bin"]));
});
