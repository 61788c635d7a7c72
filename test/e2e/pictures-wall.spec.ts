import type { Locator, Page } from "@playwright/test";
import { signUpByApi } from "./support/accounts.ts";
import { expectAccessible } from "./support/axe.ts";
import { expect, test } from "./support/fixtures.ts";
import { drawPictures, photographs, sendPictures, tileSize, uploadPhotographs } from "./support/pictures.ts";
import { pngFile } from "./support/sample-files.ts";
import { rowOf, selectionOf, takeZip, TRIP } from "./support/transfer-page.ts";
import { startTransferByApi, uploadTransferByApi, type SentFile } from "./support/transfers.ts";

const wallOf = (page: Page) => page.getByRole("grid", { name: "Pictures of the files" });
/** @param name the file's, from its beginning */
const tileOf = (page: Page, name: string) => wallOf(page).getByRole("gridcell", { name: new RegExp(`^${name}`) });
const pictureOf = (page: Page, name: string) => tileOf(page, name).getByRole("img");
const isDrawn = (image: Locator) => image.evaluate((element: HTMLImageElement) => element.naturalWidth > 0);

async function openWall(page: Page, downloadId: string): Promise<void> {
  await page.goto(`/download/${downloadId}`);
  await expect(tileOf(page, "DSC_1000.webp")).toBeVisible();
}

test("photographs are a wall of rows without gaps, below the headings of their folders [WALL-1] @everyday", async ({
  page,
  openBrowser,
}) => {
  await signUpByApi(page);
  const { downloadId } = await uploadPhotographs(page);
  const stranger = await openBrowser();
  await stranger.setViewportSize({ width: 1440, height: 2400 });
  await openWall(stranger, downloadId);
  const wall = wallOf(stranger);
  await expect(wall.getByRole("heading")).toHaveText(["wedding", "wedding / ceremony", "wedding / party"]);
  await expect.poll(() => isDrawn(pictureOf(stranger, "DSC_1000.webp"))).toBe(true);
  // Pictures of 3:2, 2:3 and 1:1.
  const boxes = await Promise.all([1000, 1001, 1002].map((n) => tileOf(stranger, `DSC_${n}.webp`).boundingBox()));
  const ratios = boxes.map((box) => (box?.width ?? 0) / (box?.height ?? 1));
  expect(ratios[0]).toBeCloseTo(480 / 320, 1);
  expect(ratios[1]).toBeCloseTo(320 / 480, 1);
  expect(ratios[2]).toBeCloseTo(1, 1);
  await expect(tileOf(stranger, "first dance.mp4")).toHaveAccessibleName("first dance.mp4, 26 of 26, Video, 1:23");
  await expect(tileOf(stranger, "prices.pdf")).toHaveAccessibleName("prices.pdf, 1 of 26");
  await expect(tileOf(stranger, "prices.pdf").getByRole("img")).toHaveCount(0);
});

test("rows stand before any picture has loaded, and stay where they are [WALL-1]", async ({ page, openBrowser }) => {
  await signUpByApi(page);
  const { downloadId } = await uploadPhotographs(page);
  const stranger = await openBrowser();
  const held = Promise.withResolvers<undefined>();
  await stranger.route("**/tile", async (route) => {
    await held.promise;
    await route.continue();
  });
  await openWall(stranger, downloadId);
  const places = () =>
    wallOf(stranger)
      .getByRole("gridcell")
      .evaluateAll((cells) =>
        cells.map((cell) => {
          const { x, y, width, height } = cell.getBoundingClientRect();
          return [x, y + scrollY, width, height];
        }),
      );
  const before = await places();
  expect(before.length).toBeGreaterThan(10);
  held.resolve(undefined);
  await expect.poll(() => isDrawn(pictureOf(stranger, "DSC_1000.webp"))).toBe(true);
  expect(await places()).toEqual(before);
});

test("a choice of wall or list is kept, and the server's page has the same look [WALL-1]", async ({
  page,
  openBrowser,
}) => {
  await signUpByApi(page);
  const { downloadId } = await uploadPhotographs(page, { views: 0 });
  const stranger = await openBrowser();
  await openWall(stranger, downloadId);
  await stranger.getByRole("radiogroup", { name: "Show files as" }).getByText("List").click();
  await expect(rowOf(stranger, "DSC_1000.webp")).toBeVisible();
  await stranger.reload();
  await expect(stranger.getByRole("radio", { name: "List" })).toBeChecked();
  await expect(rowOf(stranger, "DSC_1000.webp")).toBeVisible();
  await expect(wallOf(stranger)).toHaveCount(0);
  const chosen = stranger.getByRole("radio", { name: "List" });
  await expect(chosen).toBeEnabled();
  await chosen.press("ArrowLeft");
  await expect(tileOf(stranger, "DSC_1000.webp")).toBeVisible();
  await stranger.reload();
  await expect(stranger.getByRole("radio", { name: "Pictures" })).toBeChecked();
});

test("files that are mostly no pictures are a list, which becomes a wall when asked [WALL-1]", async ({
  page,
  openBrowser,
}) => {
  await signUpByApi(page);
  const texts: SentFile[] = ["b.txt", "c.txt", "d.txt"].map((path) => ({ path, body: path }));
  const { downloadId } = await uploadTransferByApi(page.request, [{ path: "a.png", body: pngFile(48, 32) }, ...texts]);
  const [tile = new Uint8Array()] = await drawPictures(page, [[48, 32]]);
  await sendPictures(page.request, downloadId, [{ n: 0, kind: "tile", bytes: tile }]);
  const stranger = await openBrowser();
  await stranger.goto(`/download/${downloadId}`);
  await expect(rowOf(stranger, "a.png")).toBeVisible();
  await stranger.getByText("Pictures", { exact: true }).click();
  await expect(tileOf(stranger, "a.png")).toBeVisible();
  await expect(tileOf(stranger, "b.txt")).toBeVisible();
});

test("without scripts, a transfer with pictures is a list [WALL-2]", async ({ page, browser, baseURL }) => {
  await signUpByApi(page);
  const { downloadId } = await uploadPhotographs(page, { views: 0 });
  const context = await browser.newContext({ javaScriptEnabled: false, ...(baseURL === undefined ? {} : { baseURL }) });
  const stranger = await context.newPage();
  await stranger.goto(`/download/${downloadId}`);
  await expect(stranger.getByRole("link", { name: "DSC_1000.webp" })).toBeVisible();
  await expect(stranger.getByRole("radiogroup")).toHaveCount(0);
  await context.close();
});

test("only rows near the window of 1,000 pictures are in the document [WALL-3]", async ({ page, openBrowser }) => {
  await signUpByApi(page);
  const files = Array.from({ length: 1000 }, (_, n) => ({ path: `DSC_${1000 + n}.webp`, body: `${n}` }));
  const { downloadId } = await uploadTransferByApi(page.request, files);
  const drawn = await drawPictures(
    page,
    Array.from({ length: 20 }, (_, n) => tileSize(n)),
  );
  const tiles = files.map((_, n) => ({ n, kind: "tile" as const, bytes: drawn[n % 20] ?? new Uint8Array() }));
  await sendPictures(page.request, downloadId, tiles);
  const stranger = await openBrowser();
  await stranger.setViewportSize({ width: 1440, height: 900 });
  await openWall(stranger, downloadId);
  let most = 0;
  await expect(async () => {
    await stranger.mouse.wheel(0, 3000);
    most = Math.max(most, await wallOf(stranger).getByRole("gridcell").count());
    await expect(tileOf(stranger, "DSC_1999.webp")).toBeInViewport({ timeout: 100 });
  }).toPass({ intervals: [0] });
  expect(most).toBeGreaterThan(10);
  expect(most).toBeLessThan(150);
  await expect(tileOf(stranger, "DSC_1999.webp")).toHaveAccessibleName("DSC_1999.webp, 1000 of 1000");
});

test("files are selected by a click, as a range and as a folder, and taken as one ZIP [WALL-4]", async ({
  page,
  openBrowser,
}) => {
  await signUpByApi(page);
  const { downloadId } = await uploadPhotographs(page, { views: 0 });
  const stranger = await openBrowser();
  await stranger.setViewportSize({ width: 1440, height: 900 });
  await openWall(stranger, downloadId);
  const box = (name: string) => stranger.getByLabel(`Select ${name}`, { exact: true });
  await box("DSC_1001.webp").check();
  await expect(tileOf(stranger, "DSC_1001.webp")).toHaveAttribute("aria-selected", "true");
  await expect(selectionOf(stranger)).toHaveText("Download 1 file (ZIP)");
  await box("DSC_1004.webp").click({ modifiers: ["Shift"] });
  await expect(selectionOf(stranger)).toHaveText("Download 4 files (ZIP)");
  await box("DSC_1002.webp").uncheck();
  await expect(selectionOf(stranger)).toHaveText("Download 3 files (ZIP)");
  const files = await takeZip(stranger);
  expect(Object.keys(files)).toEqual([1001, 1003, 1004].map((n) => `wedding/ceremony/DSC_${n}.webp`));
  await stranger.getByLabel("Select everything in wedding/ceremony").check();
  await expect(selectionOf(stranger)).toHaveText("Download 12 files (ZIP)");
  await stranger.getByLabel("Select all").check();
  await expect(selectionOf(stranger)).toHaveText("Download 26 files (ZIP)");
  await expect(stranger.getByRole("dialog")).toHaveCount(0);
});

test("the keyboard moves through the wall, selects and opens [WALL-4]", async ({ page, openBrowser }) => {
  await signUpByApi(page);
  const { downloadId } = await uploadPhotographs(page, { views: 0 });
  const stranger = await openBrowser();
  await stranger.setViewportSize({ width: 1440, height: 900 });
  await openWall(stranger, downloadId);
  const press = (key: string) => stranger.keyboard.press(key);
  await stranger.getByRole("radio", { name: "Pictures" }).focus();
  await press("Tab");
  await expect(stranger.getByLabel("Select everything in wedding", { exact: true })).toBeFocused();
  await press("Tab");
  await expect(tileOf(stranger, "prices.pdf")).toBeFocused();
  await press("ArrowDown");
  await expect(tileOf(stranger, "DSC_1000.webp")).toBeFocused();
  await press("ArrowRight");
  await press("Space");
  await press("ArrowRight");
  await press("ArrowRight");
  await press("Shift+Space");
  await expect(selectionOf(stranger)).toHaveText("Download 3 files (ZIP)");
  await press("Control+End");
  await expect(tileOf(stranger, "first dance.mp4")).toBeFocused();
  await expect(tileOf(stranger, "first dance.mp4")).toBeInViewport();
  await press("Control+Home");
  await expect(tileOf(stranger, "prices.pdf")).toBeFocused();
  await press("ArrowRight");
  await press("Enter");
  await expect(stranger.getByRole("dialog", { name: "Viewer" })).toBeVisible();
});

test("while a transfer arrives, pictures come by themselves and say what is on its way [WALL-5]", async ({
  page,
  openBrowser,
}) => {
  await signUpByApi(page);
  const [original = new Uint8Array(), ...tiles] = await drawPictures(page, [[600, 400], tileSize(0), tileSize(1)]);
  const files = photographs(original, 4).slice(0, 4);
  const transfer = await startTransferByApi(page.request, files, { title: "Ada and Bo" });
  const stranger = await openBrowser();
  await stranger.goto(`/download/${transfer.downloadId}`);
  await expect(rowOf(stranger, "DSC_1000.webp")).toContainText("Waiting");
  const tile = (n: number) => ({ n, kind: "tile" as const, bytes: tiles[n] ?? new Uint8Array() });
  await sendPictures(page.request, transfer.downloadId, [tile(0)]);
  await expect(tileOf(stranger, "DSC_1000.webp")).toHaveAccessibleName("DSC_1000.webp, 1 of 4, On its way");
  await expect.poll(() => isDrawn(pictureOf(stranger, "DSC_1000.webp"))).toBe(true);
  await expect(pictureOf(stranger, "DSC_1001.webp")).toHaveCount(0);
  await sendPictures(page.request, transfer.downloadId, [tile(1)]);
  await expect.poll(() => isDrawn(pictureOf(stranger, "DSC_1001.webp"))).toBe(true);
  await expect(stranger.getByLabel("Select DSC_1000.webp")).toHaveCount(0);
  await transfer.send(0, 1, 2, 3);
  await expect(tileOf(stranger, "DSC_1000.webp")).toHaveAccessibleName("DSC_1000.webp, 1 of 4");
  await transfer.finish();
  await expect(stranger.getByRole("link", { name: /^Download all \(ZIP, / })).toBeVisible();
  await expect(tileOf(stranger, "DSC_1000.webp")).toBeVisible();
});

test("a limited link shows pictures only after its reader has asked, which counts [WALL-9]", async ({
  page,
  openBrowser,
}) => {
  await signUpByApi(page);
  const { downloadId } = await uploadPhotographs(page, { views: 0, more: { guards: { maxDownloads: 2 } } });
  const stranger = await openBrowser();
  const asked: string[] = [];
  stranger.on("request", (request) => {
    if (request.url().endsWith("/tile")) asked.push(request.url());
  });
  await stranger.goto(`/download/${downloadId}`);
  await expect(stranger.getByText("Looking at it counts as a download.")).toBeVisible();
  await expect(rowOf(stranger, "DSC_1000.webp")).toBeVisible();
  await expectAccessible(stranger, "wall-limited");
  expect(asked).toEqual([]);
  await stranger.getByRole("button", { name: "Show the pictures" }).click();
  await expect.poll(() => isDrawn(pictureOf(stranger, "DSC_1000.webp"))).toBe(true);
  await expect(stranger.getByText(/^You can go on with this download until /)).toBeVisible();
});

test("a picture of a removed file is an icon, and an expired link shows nothing [WALL-10]", async ({
  page,
  openBrowser,
  expectErrors,
}) => {
  expectErrors(/404|410/);
  await signUpByApi(page);
  const { downloadId, uploadId } = await uploadPhotographs(page, { views: 0 });
  const stranger = await openBrowser();
  const held = Promise.withResolvers<undefined>();
  await stranger.route("**/entries/0/tile", async (route) => {
    await held.promise;
    await route.continue();
  });
  await openWall(stranger, downloadId);
  const removed = await page.request.delete(`/api/files/${uploadId}/entries/0`);
  expect(removed.ok()).toBe(true);
  held.resolve(undefined);
  await expect(pictureOf(stranger, "DSC_1000.webp")).toHaveCount(0);
  await expect(tileOf(stranger, "DSC_1000.webp")).toBeVisible();
  await expect.poll(() => isDrawn(pictureOf(stranger, "DSC_1001.webp"))).toBe(true);
  await page.request.delete(`/api/files/${uploadId}`);
  await stranger.reload();
  await expect(wallOf(stranger)).toHaveCount(0);
  await expect(stranger.getByRole("heading", { name: /expired|not found|ended/i })).toBeVisible();
});

test("the wall is accessible, and has two columns on a phone [WALL-11]", async ({ page, openBrowser }) => {
  await signUpByApi(page);
  const { downloadId } = await uploadPhotographs(page, { views: 0 });
  const stranger = await openBrowser();
  await openWall(stranger, downloadId);
  await stranger.getByLabel("Select DSC_1001.webp").check();
  await expect(wallOf(stranger)).toMatchAriaSnapshot(`
    - grid "Pictures of the files":
      - row:
        - gridcell:
          - checkbox "Select everything in wedding"
          - heading "wedding" [level=2]
      - row:
        - gridcell "prices.pdf, 1 of 26":
          - checkbox "Select prices.pdf"
      - row:
        - gridcell:
          - checkbox "Select everything in wedding/ceremony" [checked=mixed]
          - heading "wedding / ceremony" [level=2]
      - row:
        - gridcell "DSC_1000.webp, 2 of 26":
          - img "DSC_1000.webp"
          - checkbox "Select DSC_1000.webp"
        - gridcell "DSC_1001.webp, 3 of 26" [selected]:
          - img "DSC_1001.webp"
          - checkbox "Select DSC_1001.webp" [checked]
  `);
  await expectAccessible(stranger, "wall");
  await stranger.setViewportSize({ width: 390, height: 844 });
  const row = wallOf(stranger)
    .getByRole("row")
    .filter({ has: stranger.getByLabel("Select DSC_1002.webp") });
  await expect(row.getByRole("gridcell")).toHaveCount(2);
  await expect(wallOf(stranger)).toHaveAttribute("aria-multiselectable", "true");
});

test("a German reader sees the wall in German [WALL-11]", async ({ page, browser, baseURL }) => {
  await signUpByApi(page);
  const { downloadId } = await uploadPhotographs(page, { views: 0 });
  const context = await browser.newContext({ locale: "de-DE", ...(baseURL === undefined ? {} : { baseURL }) });
  const reader = await context.newPage();
  await reader.setViewportSize({ width: 1440, height: 2400 });
  await reader.goto(`/download/${downloadId}`);
  await expect(reader.getByRole("grid", { name: "Bilder der Dateien" })).toBeVisible();
  await expect(reader.getByRole("gridcell", { name: "first dance.mp4, 26 von 26, Video, 1:23" })).toBeAttached();
  await context.close();
});

test("the lists of sent links show the first pictures of a link [WALL-13]", async ({ page }) => {
  await signUpByApi(page);
  await uploadPhotographs(page, { views: 0 });
  await uploadTransferByApi(page.request, TRIP, { title: "No pictures" });
  await page.goto("/dashboard");
  const rowIn = (title: string) => page.getByRole("listitem").filter({ hasText: title });
  const tiles = rowIn("Ada and Bo").locator("img");
  await expect(tiles).toHaveCount(4);
  await expect.poll(() => isDrawn(tiles.first())).toBe(true);
  await expect(rowIn("No pictures").locator("img")).toHaveCount(0);
  await expect(rowIn("No pictures").locator("[data-kind=transfer]")).toBeVisible();
});

test("a link without pictures loads nothing of wall and viewer [WALL-14]", async ({ page, openBrowser }) => {
  await signUpByApi(page);
  const { downloadId } = await uploadTransferByApi(page.request, TRIP);
  const stranger = await openBrowser();
  const loaded: string[] = [];
  stranger.on("request", (request) => loaded.push(new URL(request.url()).pathname));
  await stranger.goto(`/download/${downloadId}`);
  await expect(stranger.getByRole("button", { name: "Report these files" })).toBeEnabled();
  expect(loaded.filter((path) => /wall|viewer|pictur|tile/.test(path))).toEqual([]);
  expect(await stranger.content()).not.toContain("Show the pictures");
});
