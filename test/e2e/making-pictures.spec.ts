import type { Page } from "@playwright/test";
import { KIB, MIB } from "#domain/units.ts";
import type { DownloadInfo, ListedEntries } from "#domain/wire.ts";
import { openAbout, openPicture } from "#domain/seal/pictures.ts";
import { exif, join, spread, tiff, u32 } from "#test/support/pictures/camera-files.ts";
import { signUp } from "./support/accounts.ts";
import { expect, test } from "./support/fixtures.ts";
import { openGuards } from "./support/guarded-links.ts";
import { ANIMATED_GIF, cmykJpeg, pngOf16Bits, pngThatClaims } from "./support/image-files.ts";
import { openSealed } from "./support/open-sealed.ts";
import {
  chooseAll,
  chosen,
  drawQuarters,
  lookAt,
  picturesOf,
  recordFilm,
  seePicture,
  withSegments,
  type ChosenFile,
} from "./support/photographs.ts";
import { pathOf, requestByApi, sendListed } from "./support/requests.ts";
import { mp4File, wavFile } from "./support/sample-files.ts";

const PLACE = "48.8584 N, 2.2945 E";
const THREAD = /make-pictures\.worker/;

async function send(page: Page, files: ChosenFile[]): Promise<string> {
  await chooseAll(page, files);
  await expect(page.getByRole("heading", { name: "Ready to share" })).toBeVisible();
  const link = await page.getByLabel("Share link").inputValue();
  return link.split("#")[0]?.split("/").at(-1) ?? "";
}

test("photographs of all kinds have small upright pictures, and files that are broken or too large have none [PIC-33] @everyday", async ({
  page,
}) => {
  test.setTimeout(300_000);
  await signUp(page);
  const jpeg = await drawQuarters(page, { width: 1200, height: 800 });
  const turned = (orientation: number) => withSegments(jpeg, exif(orientation), join([0xff, 0xfe], [0, 21], PLACE));
  const files = [
    ...[1, 2, 3, 4, 5, 6, 7, 8].map((orientation) => chosen(`turned-${orientation}.jpg`, turned(orientation))),
    chosen("drawn.png", await drawQuarters(page, { width: 640, height: 640, type: "image/png" })),
    chosen("small.webp", await drawQuarters(page, { width: 90, height: 60, type: "image/webp" })),
    chosen("noise.jpg", await drawQuarters(page, { width: 1000, height: 1000, grain: 1 })),
    chosen("narrow.jpg", await drawQuarters(page, { width: 2000, height: 10 })),
    chosen("printed.jpg", cmykJpeg(64, 64, [255, 0, 0, 255])),
    chosen("deep.png", pngOf16Bits(64, 64, [0, 0, 65_535])),
    chosen("moving.gif", ANIMATED_GIF),
    chosen("camera.nef", spread(2000, tiff({ 0x0112: 6 }), jpeg)),
    chosen("huge.png", pngThatClaims(30_000, 30_000)),
    chosen("broken.jpg", jpeg.slice(0, 300)),
    chosen("empty.jpg", new Uint8Array()),
    chosen("phone.heic", join(u32(24), "ftypheic", u32(20), "ispe", u32(0), u32(4032), u32(3024), new Uint8Array(90))),
    chosen("drawing.svg", join('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')),
    chosen("notes.txt", join("no picture")),
  ];
  const downloadId = await send(page, files);
  const withPicture = files.slice(0, 16).map(({ name }) => name);
  await expect
    .poll(async () => [...(await picturesOf(page.request, downloadId)).keys()].sort())
    .toEqual(withPicture.sort());

  const pictures = await picturesOf(page.request, downloadId);
  const tiles = new Map<string, string>();
  for (const [name, { n, width, height }] of pictures) {
    const tile = await seePicture(page, page.request, `/api/files/download/${downloadId}/entries/${n}/tile`);
    expect(tile.type).toBe("image/webp");
    expect(tile.sizeBytes).toBeLessThanOrEqual(48 * KIB);
    expect([tile.width, tile.height]).toEqual([width, height]);
    const text = new TextDecoder("latin1").decode(tile.bytes);
    expect([text.includes(PLACE), text.includes("Exif"), text.includes("EXIF")]).toEqual([false, false, false]);
    tiles.set(name, `${width}×${height} ${tile.colours}`);
  }
  expect(Object.fromEntries(tiles)).toEqual({
    "turned-1.jpg": "480×320 red green blue white",
    "turned-2.jpg": "480×320 green red white blue",
    "turned-3.jpg": "480×320 white blue green red",
    "turned-4.jpg": "480×320 blue white red green",
    "turned-5.jpg": "320×480 red blue green white",
    "turned-6.jpg": "320×480 blue red white green",
    "turned-7.jpg": "320×480 white green blue red",
    "turned-8.jpg": "320×480 green white red blue",
    "drawn.png": "480×480 red green blue white",
    "small.webp": "90×60 red green blue white",
    "noise.jpg": expect.stringMatching(/^\d{3}×\d{3} /),
    "narrow.jpg": expect.stringMatching(/^480×2 /),
    "printed.jpg": "64×64 red red red red",
    "deep.png": "64×64 blue blue blue blue",
    "moving.gif": "1×1 red red red red",
    "camera.nef": "320×480 blue red white green",
  });
});

test("a photograph above 1 MiB also has a view, and the card shows its tile [PIC-30]", async ({ page }) => {
  await signUp(page);
  const photograph = await drawQuarters(page, { width: 2400, height: 1600, grain: 0.3 });
  expect(photograph.length).toBeGreaterThan(MIB);
  const downloadId = await send(page, [chosen("harbour.jpg", photograph)]);
  const info = async () => {
    const response = await page.request.get(`/api/files/download/${downloadId}`);
    return ((await response.json()) as DownloadInfo).picture;
  };
  await expect.poll(info).toEqual({ width: 480, height: 320, view: true });
  const view = await seePicture(page, page.request, `/api/files/download/${downloadId}/view`);
  expect([view.width, view.height, view.colours]).toEqual([1600, 1067, "red green blue white"]);
  expect(view.sizeBytes).toBeLessThanOrEqual(400 * KIB);
  await expect(page.locator("img[src^='blob:']")).toHaveCount(1);
});

test("videos have a frame that is not black, and sound and broken ones have none [PIC-35]", async ({ page }) => {
  await signUp(page);
  const film = await recordFilm(page, "video/mp4;codecs=vp9");
  const files = [
    chosen("film.mp4", film),
    chosen("film.webm", await recordFilm(page, "video/webm")),
    chosen("index-last.mp4", await mp4File(page, MIB, "last")),
    chosen("only-sound.mp4", wavFile(1)),
    chosen("broken.mp4", film.slice(0, 500)),
    chosen("other.mov", new Uint8Array(5000)),
    chosen("beside.jpg", await drawQuarters(page, { width: 600, height: 400 })),
  ];
  const downloadId = await send(page, files);
  const names = async () => [...(await picturesOf(page.request, downloadId)).keys()].sort();
  await expect.poll(names).toEqual(["beside.jpg", "film.mp4", "film.webm", "index-last.mp4"]);
  const pictures = await picturesOf(page.request, downloadId);
  for (const name of ["film.mp4", "film.webm"]) {
    const picture = pictures.get(name);
    expect([picture?.width, picture?.height]).toEqual([320, 180]);
    const tile = await seePicture(page, page.request, `/api/files/download/${downloadId}/entries/${picture?.n}/tile`);
    expect(tile.colours).toBe("green green green green");
  }
  const { seconds } = pictures.get("film.mp4") ?? {};
  expect(seconds).toBeGreaterThan(1);
  expect(seconds).toBeLessThan(10);
});

test("pictures of an encrypted link are read by its recipient alone [SEAL-43]", async ({ page, openBrowser }) => {
  await signUp(page);
  await openGuards(page);
  await page.getByRole("switch", { name: "End-to-end encrypted" }).check();
  const jpeg = await drawQuarters(page, { width: 1200, height: 800 });
  const downloadId = await send(page, [
    chosen("a.jpg", withSegments(jpeg, exif(6))),
    chosen("b.txt", join("no picture")),
  ]);

  const { request } = await openBrowser();
  const link = await page.getByLabel("Share link").inputValue();
  const { keys, manifest } = await openSealed(request, link);
  const stream = manifest.files.find(({ name }) => name === "a.jpg")?.stream ?? -1;
  const path = `/api/files/download/${downloadId}/entries`;
  const list = async () => ((await (await request.get(`${path}?from=0`)).json()) as ListedEntries).entries;
  await expect.poll(async () => (await list()).filter(({ picture }) => picture).map(({ n }) => n)).toEqual([stream]);
  const entries = await list();
  const about = entries.find(({ n }) => n === stream)?.picture?.about ?? "";
  expect(await openAbout(keys, stream, about)).toEqual({ width: 320, height: 480 });
  const response = await request.get(`${path}/${stream}/tile`);
  expect(response.headers()["content-type"]).toBe("application/octet-stream");
  const sealed = new Uint8Array(await response.body());
  expect(new TextDecoder("latin1").decode(sealed)).not.toContain("WEBP");
  const { image } = await openPicture(keys, stream, "tile", sealed);
  expect(await lookAt(page, image)).toMatchObject({ width: 320, height: 480, colours: "blue red white green" });
});

test("whoever sends into a request sends pictures, too [PIC-30]", async ({ page, openBrowser }) => {
  await signUp(page);
  const request = await requestByApi(page, "Photographs");
  const stranger = await openBrowser();
  await stranger.goto(pathOf(request));
  const answered = stranger.waitForResponse("**/api/pictures/**");
  await chooseAll(
    stranger,
    [
      chosen("a.jpg", await drawQuarters(stranger, { width: 1200, height: 800 })),
      chosen("b.jpg", await drawQuarters(stranger, { width: 800, height: 1200 })),
    ],
    "Choose files",
  );
  await sendListed(stranger);
  expect(await (await answered).json()).toEqual({ stored: expect.any(Number), refused: [] });
});

test("the card shows pictures in place of icons, and frees them when they are gone [PIC-36]", async ({ page }) => {
  await page.addInitScript(() => {
    const alive = new Set<string>();
    const make = URL.createObjectURL.bind(URL);
    const free = URL.revokeObjectURL.bind(URL);
    URL.createObjectURL = (object) => {
      const url = make(object);
      if (object instanceof Blob && object.type === "image/webp") alive.add(url);
      return url;
    };
    URL.revokeObjectURL = (url) => {
      alive.delete(url);
      free(url);
    };
    Object.assign(globalThis, { countAlive: () => alive.size });
  });
  const alive = () => page.evaluate(() => (globalThis as unknown as { countAlive(): number }).countAlive());
  await signUp(page);
  const jpeg = await drawQuarters(page, { width: 1200, height: 800 });
  // Pictures take a 64th of the upload's bytes at most.
  const filler = chosen("film.bin", new Uint8Array(12 * MIB));
  const stored = Promise.withResolvers<undefined>();
  await page.route("**/cdn-cgi/local/r2/s3/**", async (route) => {
    await stored.promise;
    await route.continue();
  });
  await chooseAll(page, [
    chosen("a.jpg", jpeg),
    chosen("b.jpg", jpeg),
    chosen("c.jpg", jpeg),
    filler,
    chosen("d.txt", join("text")),
  ]);
  const tiles = page.getByRole("row").locator("img[src^='blob:']");
  await expect(tiles).toHaveCount(3);
  expect(await alive()).toBe(3);
  await page.getByRole("button", { name: "Remove b.jpg" }).click();
  await expect(tiles).toHaveCount(2);
  await expect.poll(alive).toBe(2);
  stored.resolve(undefined);
  await expect(page.getByRole("heading", { name: "Ready to share" })).toBeVisible();
  await expect(page.locator("img[src^='blob:']")).toHaveCount(2);
  await page.getByRole("button", { name: "Send something else" }).click();
  await expect.poll(alive).toBe(0);
});

test("an upload whose pictures are refused, or that has none, is sent as ever [PIC-31]", async ({
  page,
  expectErrors,
}) => {
  expectErrors(/api\/pictures/);
  expectErrors(/403 \(Forbidden\)/);
  await signUp(page);
  const threads: string[] = [];
  page.on("request", (request) => {
    if (THREAD.test(request.url())) threads.push(request.url());
  });
  await send(page, [chosen("a.txt", join("a")), chosen("b.pdf", join("%PDF"))]);
  expect(threads).toEqual([]);
  await page.getByRole("button", { name: "Send something else" }).click();
  let refusals = 0;
  await page.route("**/api/pictures/**", async (route) => {
    refusals += 1;
    await route.fulfill({ status: 403, json: { code: "PLAN_LIMIT_EXCEEDED", message: "Full." } });
  });
  const jpeg = await drawQuarters(page, { width: 1200, height: 800 });
  const refused = page.waitForResponse("**/api/pictures/**");
  await send(page, [chosen("a.jpg", jpeg), chosen("b.jpg", jpeg)]);
  await refused;
  expect(threads.length).toBeGreaterThan(0);
  await expect(page.getByText("Full.")).toHaveCount(0);
  expect(refusals).toBe(1);
});
