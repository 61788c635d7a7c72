import type { Page } from "@playwright/test";
import { signUpByApi } from "./support/accounts.ts";
import { expectAccessible } from "./support/axe.ts";
import { expect, test } from "./support/fixtures.ts";
import { drawPictures, sealedPicture, sendPictures, tileSize, uploadPhotographs } from "./support/pictures.ts";
import { pngFile, wavFile } from "./support/sample-files.ts";
import { sealFile, sealTransfer } from "./support/sealed-links.ts";
import { uploadByApi } from "./support/sharing.ts";
import { uploadTransferByApi } from "./support/transfers.ts";

const viewerOf = (page: Page) => page.getByRole("dialog", { name: "Viewer" });
const tileOf = (page: Page, name: string) => page.getByRole("gridcell", { name: new RegExp(`^${name}`) });
const said = (page: Page) => viewerOf(page).getByRole("status").filter({ hasText: " of " });

/** The topmost picture of the current file. @returns what it shows and its width in pixels */
function shownPicture(page: Page): Promise<{ what: string; width: number } | null> {
  return viewerOf(page)
    .locator(".yarl__slide_current img[alt]:not([alt=''])")
    .evaluateAll((images) => {
      const image = images.at(-1) as HTMLImageElement | undefined;
      return image ? { what: image.src.split("/").at(-1) ?? "", width: image.naturalWidth } : null;
    });
}

async function openViewer(page: Page, downloadId: string, name: string): Promise<void> {
  await page.goto(`/download/${downloadId}`);
  await tileOf(page, name).click();
  await expect(viewerOf(page)).toBeVisible();
}

test("shows one file after another, which the address names [WALL-6] @everyday", async ({ page, openBrowser }) => {
  await signUpByApi(page);
  const { downloadId } = await uploadPhotographs(page);
  const stranger = await openBrowser();
  const loads: string[] = [];
  stranger.on("request", (request) => {
    if (request.url().includes(".data")) loads.push(request.url());
  });
  await openViewer(stranger, downloadId, "DSC_1000.webp");
  await expect(said(stranger)).toHaveText("DSC_1000.webp, 2 of 26");
  await expect(stranger).toHaveURL(/\?show=0$/);
  await stranger.keyboard.press("ArrowRight");
  await expect(said(stranger)).toHaveText("DSC_1001.webp, 3 of 26");
  await expect(stranger).toHaveURL(/\?show=1$/);
  await stranger.getByRole("button", { name: "Next file" }).click();
  await expect(said(stranger)).toHaveText("DSC_1002.webp, 4 of 26");
  await stranger.getByRole("button", { name: "Previous file" }).click();
  await expect(said(stranger)).toHaveText("DSC_1001.webp, 3 of 26");
  await expect(stranger).toHaveURL(/\?show=1$/);

  // A copied address opens the same file, and closing stays on the page.
  const other = await openBrowser();
  await other.goto(stranger.url());
  await expect(said(other)).toHaveText("DSC_1001.webp, 3 of 26");
  await other.keyboard.press("Escape");
  await expect(viewerOf(other)).toHaveCount(0);
  await expect(other).toHaveURL(/\/download\/[^?]+$/);

  await stranger.goBack();
  await expect(viewerOf(stranger)).toHaveCount(0);
  await expect(tileOf(stranger, "DSC_1001.webp")).toBeFocused();
  await stranger.goForward();
  await expect(said(stranger)).toHaveText("DSC_1001.webp, 3 of 26");
  await stranger.getByRole("button", { name: "Close", exact: true }).click();
  await expect(viewerOf(stranger)).toHaveCount(0);
  await expect(stranger).toHaveURL(/\/download\/[^?]+$/);
  expect(loads).toEqual([]);
});

test("shows the view first and the original when enlarged, and says its size [WALL-7]", async ({
  page,
  openBrowser,
}) => {
  await signUpByApi(page);
  const { downloadId } = await uploadPhotographs(page, { views: 8 });
  const stranger = await openBrowser();
  const asked: string[] = [];
  stranger.on("request", (request) => {
    const path = new URL(request.url()).pathname;
    if (/\/entries\/\d+\/(?:view|preview|content)$/.test(path)) asked.push(path.split("/entries/")[1] ?? "");
  });
  await openViewer(stranger, downloadId, "DSC_1003.webp");
  await expect.poll(() => shownPicture(stranger)).toEqual({ what: "view", width: 1440 });
  // Neighbours load ahead, and no originals.
  await expect.poll(() => asked.sort()).toEqual(["1/view", "2/view", "3/view", "4/view", "5/view"]);
  await stranger.mouse.move(640, 360);
  await stranger.mouse.wheel(0, -300);
  await expect.poll(() => shownPicture(stranger)).toEqual({ what: "preview", width: 2400 });
  await expect(viewerOf(stranger).getByText("2400 × 1600")).toBeVisible();
  await stranger.keyboard.press("-");
  await stranger.keyboard.press("-");
  await stranger.keyboard.press("-");
  await stranger.keyboard.press("ArrowRight");
  await expect(said(stranger)).toHaveText("DSC_1004.webp, 6 of 26");
  await expect(viewerOf(stranger).getByText("2400 × 1600")).toHaveCount(0);
});

test("shows the original of a picture without a view, and other files by their previews [WALL-7]", async ({
  page,
  openBrowser,
}) => {
  await signUpByApi(page);
  const files = [
    { path: "a.png", body: pngFile(300, 200) },
    { path: "b.wav", body: wavFile(1) },
    { path: "c.txt", body: "Lisbon, then Porto" },
    { path: "d.bin", body: "unknown" },
    { path: "e.png", body: pngFile(30, 20) },
    { path: "f.png", body: pngFile(31, 20) },
    { path: "g.png", body: pngFile(32, 20) },
  ];
  const { downloadId } = await uploadTransferByApi(page.request, files);
  const [tile = new Uint8Array()] = await drawPictures(page, [[300, 200]]);
  await sendPictures(page.request, downloadId, [{ n: 0, kind: "tile", bytes: tile }]);
  const stranger = await openBrowser();
  await openViewer(stranger, downloadId, "a.png");
  const viewer = viewerOf(stranger);
  await expect.poll(() => shownPicture(stranger)).toEqual({ what: "preview", width: 300 });
  await stranger.keyboard.press("ArrowRight");
  await expect(viewer.locator(".yarl__slide_current audio")).toBeVisible();
  await stranger.keyboard.press("ArrowRight");
  await viewer.getByRole("button", { name: "Preview" }).click();
  await expect(viewer.getByText("Lisbon, then Porto")).toBeVisible();
  await stranger.keyboard.press("ArrowRight");
  await expect(viewer.getByText("This file has no preview.")).toBeVisible();
  // The focus is not lost with the text.
  await stranger.keyboard.press("ArrowRight");
  await expect.poll(() => shownPicture(stranger)).toEqual({ what: "preview", width: 30 });
  const downloading = stranger.waitForEvent("download");
  await viewer.getByRole("link", { name: "Download e.png" }).click();
  expect((await downloading).suggestedFilename()).toBe("e.png");
  await viewer.getByRole("button", { name: "Details of e.png" }).click();
  await expect(stranger.getByRole("dialog", { name: "e.png" })).toBeVisible();
  await expect(viewer).toHaveCount(0);
});

test("fingers swipe to the next file, and pinch a picture larger [WALL-6]", async ({ page, openBrowser }) => {
  await signUpByApi(page);
  const { downloadId } = await uploadPhotographs(page, { views: 8 });
  const stranger = await openBrowser();
  await openViewer(stranger, downloadId, "DSC_1000.webp");
  const client = await stranger.context().newCDPSession(stranger);
  await client.send("Emulation.setTouchEmulationEnabled", { enabled: true, maxTouchPoints: 2 });
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", ...xs: number[]) =>
    client.send("Input.dispatchTouchEvent", { type, touchPoints: xs.map((x, id) => ({ x, y: 360, id })) });
  await touch("touchStart", 900);
  for (const x of [860, 780, 680, 560, 400]) await touch("touchMove", x);
  await touch("touchEnd");
  await expect(said(stranger)).toHaveText("DSC_1001.webp, 3 of 26");
  await expect.poll(() => shownPicture(stranger)).toEqual({ what: "view", width: 960 });
  await touch("touchStart", 600);
  await touch("touchStart", 600, 680);
  for (const wider of [20, 60, 120, 200]) await touch("touchMove", 600 - wider, 680 + wider);
  await touch("touchEnd");
  await expect.poll(() => shownPicture(stranger)).toEqual({ what: "preview", width: 2400 });
  await expect(viewerOf(stranger).getByRole("button", { name: "Zoom out" })).toBeEnabled();
});

test("hands a picture to the system's sheet where there is one [WALL-7]", async ({ page, openBrowser }) => {
  await signUpByApi(page);
  const { downloadId } = await uploadPhotographs(page);
  const stranger = await openBrowser();
  await stranger.addInitScript(() => {
    const shared: { name: string; type: string; size: number }[] = [];
    Object.assign(globalThis, { shared });
    Object.assign(navigator, {
      canShare: () => true,
      share: ({ files: [file] }: { files: File[] }) => {
        if (file) shared.push({ name: file.name, type: file.type, size: file.size });
        return Promise.resolve();
      },
    });
  });
  await openViewer(stranger, downloadId, "DSC_1000.webp");
  await viewerOf(stranger).getByRole("button", { name: "Save or share DSC_1000.webp" }).click();
  const shared = () => stranger.evaluate(() => Reflect.get(globalThis, "shared") as { name: string }[]);
  const original = await stranger.request.get(`/api/files/download/${downloadId}/entries/0/content`);
  const size = (await original.body()).length;
  await expect.poll(shared).toEqual([{ name: "DSC_1000.webp", type: "image/webp", size }]);
});

test("wall and viewer of an encrypted link show decrypted pictures, and revoke those out of view [WALL-8] @everyday", async ({
  page,
  openBrowser,
}) => {
  await signUpByApi(page);
  const count = 60;
  const sizes = Array.from({ length: count }, (_, n) => tileSize(n));
  const [original = new Uint8Array(), view = new Uint8Array(), ...tiles] = await drawPictures(page, [
    [600, 400],
    [1440, 960],
    ...sizes,
  ]);
  const streams = sizes.map((_, n) => [{ name: `DSC_${1000 + n}.webp`, type: "image/webp", body: original }]);
  const transfer = await sealTransfer(page.request, { title: "Ada and Bo", streams });
  const { keys } = transfer.sender;
  await sendPictures(page.request, transfer.downloadId, [
    ...(await Promise.all(tiles.map((tile, n) => sealedPicture(keys, n, "tile", tile, sizes[n] ?? [1, 1])))),
    await sealedPicture(keys, 0, "view", view, [1440, 960]),
  ]);
  const stranger = await openBrowser();
  await stranger.addInitScript(() => {
    const urls = { made: 0, revoked: 0 };
    Object.assign(globalThis, { urls });
    const { createObjectURL, revokeObjectURL } = URL;
    URL.createObjectURL = (object) => {
      urls.made += 1;
      return createObjectURL.call(URL, object);
    };
    URL.revokeObjectURL = (url) => {
      urls.revoked += 1;
      revokeObjectURL.call(URL, url);
    };
  });
  const urls = () => stranger.evaluate(() => Reflect.get(globalThis, "urls") as { made: number; revoked: number });
  await stranger.goto(transfer.link);
  const first = tileOf(stranger, "DSC_1000.webp").getByRole("img", { name: "DSC_1000.webp" });
  await expect.poll(() => first.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(480);
  expect(await first.getAttribute("src")).toMatch(/^blob:/);
  const box = await tileOf(stranger, "DSC_1001.webp").boundingBox();
  expect((box?.width ?? 0) / (box?.height ?? 1)).toBeCloseTo(320 / 480, 1);

  await tileOf(stranger, "DSC_1000.webp").click();
  await expect.poll(() => shownPicture(stranger)).toMatchObject({ width: 1440 });
  await expect(stranger).toHaveURL(/\?show=0#/);
  await stranger.keyboard.press("ArrowRight");
  await expect(said(stranger)).toHaveText("DSC_1001.webp, 2 of 60");
  await expect.poll(() => shownPicture(stranger)).toMatchObject({ width: 600 });
  await stranger.keyboard.press("Escape");
  await expect(viewerOf(stranger)).toHaveCount(0);
  await expect(stranger).toHaveURL(transfer.link);

  await stranger.keyboard.press("Control+End");
  await expect(tileOf(stranger, "DSC_1059.webp")).toBeInViewport();
  await expect(first).toHaveCount(0);
  await expect.poll(async () => (await urls()).revoked).toBeGreaterThan(10);
  const { made, revoked } = await urls();
  const inDocument = await stranger.locator("img[src^='blob:']").count();
  expect(made - revoked).toBe(inDocument);
});

test("a picture that is not the sender's is an icon [WALL-8]", async ({ page, openBrowser }) => {
  await signUpByApi(page);
  const [image = new Uint8Array()] = await drawPictures(page, [[480, 320]]);
  const streams = ["a.webp", "b.webp"].map((name) => [{ name, type: "image/webp", body: image }]);
  const transfer = await sealTransfer(page.request, { title: "Ada and Bo", streams });
  const { keys } = transfer.sender;
  const [good, swapped] = await Promise.all([0, 1].map((n) => sealedPicture(keys, n, "tile", image, [480, 320])));
  if (!good || !swapped) throw new Error("not sealed");
  // The server gives the picture of one file for the other.
  await sendPictures(page.request, transfer.downloadId, [good, { ...swapped, bytes: good.bytes }]);
  const stranger = await openBrowser();
  await stranger.goto(transfer.link);
  await expect(tileOf(stranger, "a.webp").getByRole("img")).toBeVisible();
  await expect(tileOf(stranger, "b.webp").getByRole("img")).toHaveCount(0);
  await expect(tileOf(stranger, "b.webp")).toBeVisible();
});

test("the viewer is accessible, and moves nothing for who wants no motion [WALL-11]", async ({ page, openBrowser }) => {
  await signUpByApi(page);
  const { downloadId } = await uploadPhotographs(page);
  const stranger = await openBrowser();
  await stranger.emulateMedia({ reducedMotion: "reduce" });
  await openViewer(stranger, downloadId, "DSC_1000.webp");
  await expect.poll(() => shownPicture(stranger)).toEqual({ what: "view", width: 1440 });
  await expect(viewerOf(stranger)).toMatchAriaSnapshot(`
    - dialog "Viewer":
      - region "Pictures of the files":
        - group "2 of 26":
          - img "DSC_1000.webp"
      - link "Download DSC_1000.webp"
      - button "Details of DSC_1000.webp"
      - button "Zoom in"
      - button "Zoom out" [disabled]
      - button "Close"
      - button "Previous file"
      - button "Next file"
      - status: DSC_1000.webp, 2 of 26
  `);
  await expectAccessible(stranger, "viewer");
  await stranger.keyboard.press("ArrowRight");
  await expect(said(stranger)).toHaveText("DSC_1001.webp, 3 of 26");
  const running = await stranger.evaluate(
    () => document.getAnimations().filter(({ effect }) => Number(effect?.getComputedTiming().duration) > 1).length,
  );
  expect(running).toBe(0);
  // The page behind the viewer is out of reach.
  await expect(stranger.getByRole("heading", { name: "Ada and Bo" })).toHaveCount(0);
});

test("the page of one file shows its picture where it has no preview [WALL-12]", async ({ page, openBrowser }) => {
  await signUpByApi(page);
  const downloadId = await uploadByApi(page, { name: "DSC_1000.nef", type: "image/x-nikon-nef", body: "raw" });
  const [tile = new Uint8Array(), view = new Uint8Array()] = await drawPictures(page, [
    [480, 320],
    [1600, 1067],
  ]);
  await sendPictures(page.request, downloadId, [
    { n: 0, kind: "tile", bytes: tile },
    { n: 0, kind: "view", bytes: view },
  ]);
  const sealed = await sealFile(page.request, { streams: [[{ name: "DSC_1000.nef", body: "raw" }]] });
  const { keys } = sealed.sender;
  await sendPictures(page.request, sealed.downloadId, [
    await sealedPicture(keys, 0, "tile", tile, [480, 320]),
    await sealedPicture(keys, 0, "view", view, [1600, 1067]),
  ]);
  const stranger = await openBrowser();
  for (const link of [`/download/${downloadId}`, sealed.link]) {
    await stranger.goto(link);
    const picture = stranger.getByRole("img", { name: "DSC_1000.nef" });
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1600);
  }
});
