import type { Page } from "@playwright/test";
import { expectAccessible } from "./support/axe.ts";
import { expect, test } from "./support/fixtures.ts";
import { signUp } from "./support/accounts.ts";
import { pdfFile, pngFile, wavFile, webmFile } from "./support/sample-files.ts";
import { sealFile } from "./support/sealed-links.ts";
import { downloadCount, downloadsCounted, uploadByApi } from "./support/sharing.ts";

/** The path that the uploaded scripts request if they run. */
const SCRIPT_RAN_PATH = "/ran";

/** Paths of all requests of the page's browser context. */
function watchRequests(page: Page): string[] {
  const requests: string[] = [];
  page.context().on("request", (request) => requests.push(new URL(request.url()).pathname));
  return requests;
}

function previewPath(downloadId: string): string {
  return `/api/files/download/${downloadId}/preview`;
}

test("images and SVGs are shown without running scripts; HTML has no preview [DL-6, DL-7] @everyday", async ({
  page,
  openBrowser,
}) => {
  await signUp(page);
  const script = `fetch("${SCRIPT_RAN_PATH}"); new Image().src = "${SCRIPT_RAN_PATH}"`;
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100" onload='${script}'>` +
    `<style>rect { fill: green }</style><script>${script}</script><rect width="200" height="100"/>` +
    `<foreignObject width="200" height="100"><img xmlns="http://www.w3.org/1999/xhtml" src="x" onerror='${script}'/></foreignObject></svg>`;
  const html = `<!doctype html><script>${script}</script><h1>I am this site</h1>`;
  const png = await uploadByApi(page, { name: "photo.png", type: "image/png", body: pngFile(300, 200) });
  const drawing = await uploadByApi(page, { name: "drawing.svg", type: "image/svg+xml", body: svg });
  const site = await uploadByApi(page, { name: "site.html", type: "text/html", body: html });
  const brokenId = await uploadByApi(page, { name: "broken.png", type: "image/png", body: html });

  const stranger = await openBrowser();
  const requests = watchRequests(stranger);
  const sizeOf = (name: string) =>
    stranger
      .getByRole("img", { name })
      .evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight]);
  await stranger.goto(`/download/${png}`);
  await expect.poll(() => sizeOf("photo.png")).toEqual([300, 200]);
  await stranger.goto(`/download/${drawing}`);
  await expect.poll(() => sizeOf("drawing.svg")).toEqual([200, 100]);

  await stranger.goto(`/download/${site}`);
  await expect(stranger.getByRole("link", { name: "Download", exact: true })).toBeVisible();
  await expect(stranger.getByRole("button", { name: "Preview" })).toHaveCount(0);
  await expect(stranger.getByRole("region", { name: "Preview" })).toHaveCount(0);
  expect((await stranger.request.get(previewPath(site))).status()).toBe(415);

  await stranger.goto(`/download/${brokenId}`);
  await expect(stranger.getByText("This file could not be previewed here. You can still download it.")).toBeVisible();
  await expect(stranger.getByRole("link", { name: "Download", exact: true })).toBeVisible();

  // The preview URL itself is a download.
  const downloading = stranger.waitForEvent("download");
  await stranger.goto(previewPath(drawing)).catch(() => undefined);
  expect((await downloading).suggestedFilename()).toBe("drawing.svg");
  expect(requests).toContain(previewPath(drawing));
  expect(requests).not.toContain(SCRIPT_RAN_PATH);
  await downloadsCounted(page);
  for (const id of [png, drawing, brokenId]) expect(await downloadCount(id)).toBe(0);
});

test("audio and video play, and seeking uses Range requests [DL-6]", async ({ page, openBrowser }) => {
  await signUp(page);
  const sound = await uploadByApi(page, { name: "song.wav", type: "audio/wav", body: wavFile(170) });
  const videoId = await uploadByApi(page, { name: "film.webm", type: "video/webm", body: await webmFile(page) });

  const stranger = await openBrowser();
  await stranger.goto(`/download/${sound}`);
  const audio = stranger.locator("audio");
  await expect.poll(() => audio.evaluate((element: HTMLAudioElement) => element.duration)).toBeCloseTo(170, 0);
  const part = stranger.waitForResponse(
    (response) => response.url().endsWith(previewPath(sound)) && response.request().headers().range !== "bytes=0-",
  );
  await audio.evaluate((element: HTMLAudioElement) => {
    element.currentTime = 160;
  });
  const response = await part;
  expect(response.status()).toBe(206);
  const [, from] = /^bytes (\d+)-/.exec(response.headers()["content-range"] ?? "") ?? [];
  expect(Number(from)).toBeGreaterThan(8 * 1024 * 1024);
  await expect.poll(() => audio.evaluate((element: HTMLAudioElement) => element.seeking)).toBe(false);

  await stranger.goto(`/download/${videoId}`);
  const video = stranger.locator("video");
  await expect.poll(() => video.evaluate((element: HTMLVideoElement) => element.videoWidth)).toBe(160);
  await downloadsCounted(page);
  for (const id of [sound, videoId]) expect(await downloadCount(id)).toBe(0);
});

test("text and PDF previews open on a click; text is escaped, and PDF pages are drawn to canvases [DL-6, DL-7]", async ({
  page,
  openBrowser,
}) => {
  await signUp(page);
  const markup = `<b>not bold</b> & <script>fetch("${SCRIPT_RAN_PATH}")</script><img src=x onerror='fetch("${SCRIPT_RAN_PATH}")'>`;
  const text = await uploadByApi(page, { name: "notes.txt", type: "text/plain", body: markup });
  const longTextId = await uploadByApi(page, {
    name: "long.log",
    type: "text/plain",
    body: `first line\n${"x".repeat(1_500_000)}`,
  });
  const pdf = await uploadByApi(page, { name: "paper.pdf", type: "application/pdf", body: pdfFile(12) });
  const brokenId = await uploadByApi(page, { name: "broken.pdf", type: "application/pdf", body: markup });

  const stranger = await openBrowser();
  const requests = watchRequests(stranger);
  const open = async (downloadId: string) => {
    await stranger.goto(`/download/${downloadId}`);
    const button = stranger.getByRole("button", { name: "Preview" });
    await expect(button).toBeEnabled();
    // Nothing is loaded before the click, not even the viewer.
    expect(requests.filter((path) => path === previewPath(downloadId))).toEqual([]);
    await button.click();
  };
  await open(text);
  expect(await stranger.locator("pre").textContent()).toBe(markup);
  await expect(stranger.locator("pre *")).toHaveCount(0);
  await open(longTextId);
  await expect(stranger.getByText("This is the first 1 MB of 1.43 MB.")).toBeVisible();
  expect(await stranger.locator("pre").textContent()).toHaveLength(1024 * 1024);
  expect(requests.filter((path) => path.includes("pdf"))).toEqual([]);

  await open(pdf);
  const first = stranger.getByRole("img", { name: "Page 1", exact: true });
  await expect(first).toHaveAttribute("aria-busy", "false");
  await expect(stranger.getByText("12 pages")).toBeVisible();
  expect(await first.evaluate(countDarkPixels)).toBeGreaterThan(500);
  // The character map comes from the same origin.
  const map = requests.find((path) => path.endsWith("/cmaps/UniGB-UCS2-H.bcmap")) ?? "no character map was requested";
  expect((await stranger.request.get(map)).headers()["cache-control"]).toContain("immutable");
  const last = stranger.getByRole("img", { name: "Page 12" });
  await expect(last).toHaveAttribute("aria-busy", "true");
  await last.scrollIntoViewIfNeeded();
  await expect(last).toHaveAttribute("aria-busy", "false");
  // A page that scrolled far away frees its canvas.
  await expect(first).toHaveAttribute("aria-busy", "true");
  expect(await first.evaluate((canvas: HTMLCanvasElement) => canvas.width)).toBe(0);
  await open(brokenId);
  await expect(stranger.getByText("This file could not be previewed here. You can still download it.")).toBeVisible();

  expect(requests).not.toContain(SCRIPT_RAN_PATH);
  await downloadsCounted(page);
  for (const id of [text, longTextId, pdf, brokenId]) expect(await downloadCount(id)).toBe(0);
});

/** "Имя: Иван" in KOI8-R; in windows-1251 it is "йНС: йЧБО". */
const KOI8_R = new Uint8Array([0xe9, 0xcd, 0xd1, 0x3a, 0x20, 0xe9, 0xd7, 0xc1, 0xce]);

test("a text is shown in its encoding: the declared one, a guess, or what the reader chooses [DL-15] @everyday", async ({
  page,
  openBrowser,
}) => {
  await signUp(page);
  const guessed = await uploadByApi(page, { name: "guess.txt", type: "text/plain", body: KOI8_R });
  const declared = await uploadByApi(page, {
    name: "declared.txt",
    type: "text/plain; charset=windows-1251",
    body: KOI8_R,
  });
  const { link } = await sealFile(page.request, {
    streams: [[{ name: "sealed.txt", type: "text/plain", body: KOI8_R }]],
  });
  const plain = await uploadByApi(page, { name: "plain.txt", type: "text/plain", body: "Zürich" });

  const stranger = await openBrowser();
  const text = stranger.locator("pre");
  const encoding = stranger.getByLabel("Text encoding");
  const open = async (address: string) => {
    await stranger.goto(address);
    await stranger.getByRole("button", { name: "Preview" }).click();
  };
  for (const address of [`/download/${guessed}`, link]) {
    await open(address);
    await expect(text).toHaveText("Имя: Иван");
    await expect(encoding).toHaveValue("koi8-r");
    await encoding.selectOption("Cyrillic: windows-1251");
    await expect(text).toHaveText("йНС: йЧБО");
  }
  await open(`/download/${declared}`);
  await expect(text).toHaveText("йНС: йЧБО");
  await encoding.selectOption("Cyrillic: koi8-r");
  await expect(text).toHaveText("Имя: Иван");
  await expectAccessible(stranger, "text-encoding");
  await open(`/download/${plain}`);
  await expect(text).toHaveText("Zürich");
  await expect(encoding).toHaveCount(0);
});

/** Counts dark pixels. */
function countDarkPixels(canvas: HTMLCanvasElement): number {
  const { data } = canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] };
  let count = 0;
  for (let index = 0; index < data.length; index += 4) if ((data[index] ?? 255) < 100) count += 1;
  return count;
}
