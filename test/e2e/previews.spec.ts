import type { Page } from "@playwright/test";
import { expect, test } from "./support/fixtures.ts";
import { signUp } from "./support/accounts.ts";
import { pdfFile, pngFile, wavFile, webmFile } from "./support/sample-files.ts";
import { countOf, share } from "./support/sharing.ts";

/** What an uploaded script would do if it ran anywhere: ask for this address. */
const RAN = "/ran";

/** Everything that pages of this browser ask for. */
function watchRequests(page: Page): string[] {
  const asked: string[] = [];
  page.context().on("request", (request) => asked.push(new URL(request.url()).pathname));
  return asked;
}

function previewPath(downloadId: string): string {
  return `/api/files/download/${downloadId}/preview`;
}

test("a picture is shown, an SVG with it, whose script never runs; a page is not shown at all", async ({
  page,
  openBrowser,
}) => {
  await signUp(page);
  const script = `fetch("${RAN}"); new Image().src = "${RAN}"`;
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100" onload='${script}'>` +
    `<style>rect { fill: green }</style><script>${script}</script><rect width="200" height="100"/>` +
    `<foreignObject width="200" height="100"><img xmlns="http://www.w3.org/1999/xhtml" src="x" onerror='${script}'/></foreignObject></svg>`;
  const html = `<!doctype html><script>${script}</script><h1>I am this site</h1>`;
  const png = await share(page, { name: "photo.png", type: "image/png", body: pngFile(300, 200) });
  const drawing = await share(page, { name: "drawing.svg", type: "image/svg+xml", body: svg });
  const site = await share(page, { name: "site.html", type: "text/html", body: html });
  const broken = await share(page, { name: "broken.png", type: "image/png", body: html });

  const stranger = await openBrowser();
  const asked = watchRequests(stranger);
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

  await stranger.goto(`/download/${broken}`);
  await expect(stranger.getByText("This file could not be previewed here. You can still download it.")).toBeVisible();
  await expect(stranger.getByRole("link", { name: "Download", exact: true })).toBeVisible();

  // Opened by its own address it is a download, not a page.
  const downloading = stranger.waitForEvent("download");
  await stranger.goto(previewPath(drawing)).catch(() => undefined);
  expect((await downloading).suggestedFilename()).toBe("drawing.svg");
  expect(asked).toContain(previewPath(drawing));
  expect(asked).not.toContain(RAN);
  for (const id of [png, drawing, broken]) expect(await countOf(id)).toBe(0);
});

test("sound and video play, and a seek fetches what it needs by Range", async ({ page, openBrowser }) => {
  await signUp(page);
  const sound = await share(page, { name: "song.wav", type: "audio/wav", body: wavFile(170) });
  const film = await share(page, { name: "film.webm", type: "video/webm", body: await webmFile(page) });

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

  await stranger.goto(`/download/${film}`);
  const video = stranger.locator("video");
  await expect.poll(() => video.evaluate((element: HTMLVideoElement) => element.videoWidth)).toBe(160);
  for (const id of [sound, film]) expect(await countOf(id)).toBe(0);
});

test("a text and a PDF are opened by a click; a text is text, a PDF's pages are pictures", async ({
  page,
  openBrowser,
}) => {
  await signUp(page);
  const markup = `<b>not bold</b> & <script>fetch("${RAN}")</script><img src=x onerror='fetch("${RAN}")'>`;
  const text = await share(page, { name: "notes.txt", type: "text/plain", body: markup });
  const long = await share(page, {
    name: "long.log",
    type: "text/plain",
    body: `first line\n${"x".repeat(1_500_000)}`,
  });
  const pdf = await share(page, { name: "paper.pdf", type: "application/pdf", body: pdfFile(12) });
  const broken = await share(page, { name: "broken.pdf", type: "application/pdf", body: markup });

  const stranger = await openBrowser();
  const asked = watchRequests(stranger);
  const open = async (downloadId: string) => {
    await stranger.goto(`/download/${downloadId}`);
    const button = stranger.getByRole("button", { name: "Preview" });
    await expect(button).toBeEnabled();
    // Until somebody asks, nothing of it is fetched, the viewer's code included.
    expect(asked.filter((path) => path === previewPath(downloadId))).toEqual([]);
    await button.click();
  };
  await open(text);
  expect(await stranger.locator("pre").textContent()).toBe(markup);
  await expect(stranger.locator("pre *")).toHaveCount(0);
  await open(long);
  await expect(stranger.getByText("This is the first 1 MB of 1.43 MB.")).toBeVisible();
  expect(await stranger.locator("pre").textContent()).toHaveLength(1024 * 1024);
  expect(asked.filter((path) => path.includes("pdf"))).toEqual([]);

  await open(pdf);
  const first = stranger.getByRole("img", { name: "Page 1", exact: true });
  await expect(first).toHaveAttribute("aria-busy", "false");
  await expect(stranger.getByText("12 pages")).toBeVisible();
  expect(await first.evaluate(inkOf)).toBeGreaterThan(500);
  // What it lacks to read the Chinese comes from this very origin.
  const map = asked.find((path) => path.endsWith("/cmaps/UniGB-UCS2-H.bcmap")) ?? "none was asked for";
  expect((await stranger.request.get(map)).headers()["cache-control"]).toContain("immutable");
  const last = stranger.getByRole("img", { name: "Page 12" });
  await expect(last).toHaveAttribute("aria-busy", "true");
  await last.scrollIntoViewIfNeeded();
  await expect(last).toHaveAttribute("aria-busy", "false");
  // A page that is far away gives its pixels back.
  await expect(first).toHaveAttribute("aria-busy", "true");
  expect(await first.evaluate((canvas: HTMLCanvasElement) => canvas.width)).toBe(0);
  await open(broken);
  await expect(stranger.getByText("This file could not be previewed here. You can still download it.")).toBeVisible();

  expect(asked).not.toContain(RAN);
  for (const id of [text, long, pdf, broken]) expect(await countOf(id)).toBe(0);
});

/** How many dark pixels a drawing has. */
function inkOf(canvas: HTMLCanvasElement): number {
  const { data } = canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] };
  let dark = 0;
  for (let index = 0; index < data.length; index += 4) if ((data[index] ?? 255) < 100) dark += 1;
  return dark;
}
