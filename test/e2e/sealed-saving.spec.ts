import { createHash } from "node:crypto";
import type { Page } from "@playwright/test";
import { MIB } from "#domain/units.ts";
import { plainBytes } from "#test/support/seal/sealed-files.ts";
import { signUpByApi } from "./support/accounts.ts";
import { expect, test } from "./support/fixtures.ts";
import { pdfFile, wavFile } from "./support/sample-files.ts";
import { sealFile, sealTransfer } from "./support/sealed-links.ts";
import { downloadOf, saved } from "./support/sealed-page.ts";

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** Four windows of the reader. */
const LONG = { name: "film.bin", body: plainBytes(104 * MIB) };

test("a large file is staged, and goes on after its tab was closed [SEAL-31]", async ({ page, openBrowser }) => {
  await signUpByApi(page);
  const { link } = await sealFile(page.request, { streams: [[LONG]] });
  const stranger = await openBrowser();
  const context = stranger.context();
  const asked: string[] = [];
  // What comes after 95 MiB waits until the test goes on.
  let isHeld = true;
  await context.route("**/content", async (route) => {
    const { range = "" } = await route.request().allHeaders();
    asked.push(range);
    if (!isHeld || Number(/=(\d+)-/.exec(range)?.[1]) < 100_000_000) await route.continue();
  });
  await stranger.goto(link);
  await downloadOf(stranger).click();
  await expect(
    stranger.getByText("Decrypting on this device, 92 %. You may close this page and go on later."),
  ).toBeVisible();
  await stranger.close();

  const again = await context.newPage();
  await again.goto(link);
  asked.length = 0;
  await downloadOf(again).click();
  await expect(again.getByText(/^Decrypting on this device, 93 %\./)).toBeVisible();
  // Noted after 64 MiB: 260 whole records.
  expect(asked[0]).toBe("bytes=68157440-101711871");
  await again.getByRole("button", { name: "Stop" }).click();
  await expect(again.getByText("Stopped.")).toBeVisible();

  isHeld = false;
  asked.length = 0;
  const file = await saved(again, () => again.getByRole("button", { name: "Go on" }).click());
  expect([file.name, sha256(file.bytes)]).toEqual(["film.bin", sha256(LONG.body)]);
  expect(asked).toEqual(["bytes=101711872-109063579"]);
  await expect(again.getByText(/^Decrypted\. Your browser saves it now/)).toBeVisible();
  await again.getByRole("button", { name: "Saved, free the space" }).click();
  await expect(again.getByText(/^Decrypted\./)).toHaveCount(0);
  const staged = () =>
    again.evaluate(async () => {
      const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle("mayfly-opened");
      const names: string[] = [];
      for await (const name of (folder as unknown as { keys(): AsyncIterable<string> }).keys()) names.push(name);
      return names;
    });
  // The page says so before the file is deleted.
  await expect.poll(staged).toEqual([]);
});

const FILM = { name: "film.bin", body: LONG.body.subarray(0, 40 * MIB + 12_345) };

/** Takes the file system of this site away, as private windows of Firefox do. */
async function withoutStage(page: Page): Promise<void> {
  await page.addInitScript(() => {
    Object.defineProperty(StorageManager.prototype, "getDirectory", {
      value: () => Promise.reject(new DOMException("not here", "SecurityError")),
    });
  });
}

async function withoutPicker(page: Page): Promise<void> {
  await page.addInitScript(() => {
    Reflect.deleteProperty(window, "showSaveFilePicker");
  });
}

test("/dev/sinks says where this browser saves, with and without a stage [SEAL-31]", async ({ page, openBrowser }) => {
  await page.goto("/dev/sinks");
  await expect(page.getByText("Files of this site", { exact: true }).locator("+ dd")).toHaveText("Yes");
  await expect(page.getByText("20 MB", { exact: true }).locator("+ dd")).toHaveText(
    "Memory, then the browser's downloads",
  );
  await expect(page.getByText("200 MB", { exact: true }).locator("+ dd")).toHaveText(
    "A file of this site, then the browser's downloads",
  );
  const other = await openBrowser();
  await withoutStage(other);
  await withoutPicker(other);
  await other.goto("/dev/sinks");
  await expect(other.getByText("Files of this site", { exact: true }).locator("+ dd")).toHaveText("No");
  await expect(other.getByText("200 MB", { exact: true }).locator("+ dd")).toHaveText(
    "The browser's downloads, through the service worker",
  );
});

test("without a stage the service worker hands the file to the browser's downloads [SEAL-31]", async ({
  page,
  openBrowser,
}) => {
  await signUpByApi(page);
  const { link } = await sealFile(page.request, { streams: [[FILM]] });
  const stranger = await openBrowser();
  await withoutStage(stranger);
  await withoutPicker(stranger);
  await stranger.goto(link);
  const file = await saved(stranger);
  expect([file.name, sha256(file.bytes)]).toEqual(["film.bin", sha256(FILM.body)]);
  await expect(stranger.getByText("Decrypted and saved.")).toBeVisible();
  await expect(stranger).toHaveURL(link);
});

test("a damaged file breaks the browser's download, which keeps nothing [SEAL-32]", async ({ page, openBrowser }) => {
  await signUpByApi(page);
  const { link } = await sealFile(page.request, {
    streams: [[FILM]],
    damage: (sealed) => sealed.fill(1, 36 * MIB + 100, 36 * MIB + 101),
  });
  const stranger = await openBrowser();
  await withoutStage(stranger);
  await withoutPicker(stranger);
  await stranger.goto(link);
  const downloading = stranger.waitForEvent("download");
  await downloadOf(stranger).click();
  expect(await (await downloading).failure()).not.toBeNull();
  await expect(stranger.getByRole("alert")).toHaveText(/^Part of this file is not what the sender encrypted\./);
});

test("without room for a stage the file goes straight into the place that the reader picks [SEAL-31]", async ({
  page,
  openBrowser,
}) => {
  await signUpByApi(page);
  const { link } = await sealFile(page.request, { streams: [[FILM]] });
  const stranger = await openBrowser();
  await stranger.addInitScript(() => {
    Object.defineProperty(StorageManager.prototype, "estimate", {
      value: () => Promise.resolve({ quota: 1, usage: 0 }),
    });
    // No test can choose in the browser's own dialog.
    Object.assign(window, {
      showSaveFilePicker: async ({ suggestedName }: { suggestedName: string }) => {
        const root = await navigator.storage.getDirectory();
        return root.getFileHandle(`picked ${suggestedName}`, { create: true });
      },
    });
  });
  await stranger.goto(link);
  await downloadOf(stranger).click();
  await expect(stranger.getByText("Decrypted and saved.")).toBeVisible();
  const digest = await stranger.evaluate(async () => {
    const root = await navigator.storage.getDirectory();
    const file = await (await root.getFileHandle("picked film.bin")).getFile();
    const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", await file.arrayBuffer()));
    return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
  });
  expect(digest).toBe(sha256(FILM.body));
});

test("sound and video play through the service worker, and a PDF is read in ranges [SEAL-34]", async ({
  page,
  openBrowser,
}) => {
  await signUpByApi(page);
  const { link } = await sealTransfer(page.request, {
    title: "Media",
    streams: [
      [{ name: "song.wav", type: "audio/wav", body: wavFile(60) }],
      [{ name: "paper.pdf", type: "application/pdf", body: pdfFile(2) }],
      [{ name: "page.html", type: "text/html", body: "<script>alert(1)</script>" }],
    ],
  });
  const stranger = await openBrowser();
  await stranger.goto(link);
  const open = (name: string) => stranger.getByRole("button", { name: `Preview and details of ${name}` }).click();
  await open("song.wav");
  const song = stranger.getByRole("dialog").locator("audio");
  await expect(song).toHaveJSProperty("duration", 60);
  expect(await song.evaluate((element: HTMLAudioElement) => new URL(element.src).pathname)).toMatch(
    /^\/download\/[^/]+\/open\/[\w-]{22}$/,
  );
  const answer = await song.evaluate(async (element: HTMLAudioElement) => {
    const response = await fetch(element.src, { headers: { range: "bytes=100-199" } });
    const names = ["content-type", "content-range", "content-security-policy", "x-content-type-options"];
    return [response.status, ...names.map((name) => response.headers.get(name))];
  });
  const size = wavFile(60).length;
  expect(answer).toEqual([206, "audio/wav", `bytes 100-199/${size}`, "default-src 'none'; sandbox", "nosniff"]);
  await stranger.keyboard.press("Escape");
  await open("paper.pdf");
  await expect(stranger.getByRole("dialog").getByText("2 pages")).toBeVisible();
  await expect(stranger.getByRole("img", { name: "Page 1" })).toHaveAttribute("aria-busy", "false");
  await stranger.keyboard.press("Escape");
  await open("page.html");
  await expect(stranger.getByRole("dialog").getByRole("button", { name: "Download" })).toBeVisible();
  await expect(stranger.getByRole("region", { name: "Preview" })).toHaveCount(0);
});

/** Marks the document, and tells whether it may act as this site. */
const SCRIPT = `document.documentElement.setAttribute("data-ran", self.origin); localStorage.setItem("ran", "yes")`;
const DRAWING = {
  name: "drawing.svg",
  type: "image/svg+xml",
  body: `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100" onload='${SCRIPT}'><script>${SCRIPT}</script></svg>`,
};
/** Each is a type that a browser would run as a page. */
const SCRIPTABLE = [
  DRAWING,
  { name: "page.html", type: "text/html", body: `<!doctype html><script>${SCRIPT}</script>` },
  {
    name: "page.xhtml",
    type: "application/xhtml+xml",
    body: `<html xmlns="http://www.w3.org/1999/xhtml"><script>${SCRIPT}</script></html>`,
  },
  { name: "feed.xml", type: "text/xml", body: `<x:script xmlns:x="http://www.w3.org/1999/xhtml">${SCRIPT}</x:script>` },
];

test("a drawing with scripts runs none of them, also in a tab of its own [SEAL-34] @everyday", async ({
  page,
  openBrowser,
  expectErrors,
}) => {
  expectErrors(/Blocked script execution/);
  await signUpByApi(page);
  const { link } = await sealFile(page.request, { streams: [[DRAWING]] });
  const stranger = await openBrowser();
  await stranger.goto(link);
  const drawing = stranger.getByRole("img", { name: "drawing.svg" });
  await expect(drawing).toHaveJSProperty("naturalWidth", 200);
  const address = await drawing.evaluate((element: HTMLImageElement) => element.currentSrc);
  expect(new URL(address).pathname).toMatch(/^\/download\/[^/]+\/open\/[\w-]{22}$/);

  const tab = await stranger.context().newPage();
  const response = await tab.goto(address);
  expect(response?.headers()).toMatchObject({
    "content-type": "image/svg+xml",
    "content-security-policy": "default-src 'none'; sandbox",
  });
  await expect(tab.locator("svg")).toBeVisible();
  expect(await tab.evaluate(() => [self.origin, document.documentElement.getAttribute("data-ran")])).toEqual([
    "null",
    null,
  ]);
  expect(await stranger.evaluate(() => localStorage.getItem("ran"))).toBeNull();
});

test("no decrypted file becomes an address that a browser runs as a page of this site [SEAL-34]", async ({
  page,
  openBrowser,
}) => {
  await signUpByApi(page);
  const { link } = await sealTransfer(page.request, { title: "Pages", streams: SCRIPTABLE.map((file) => [file]) });
  const stranger = await openBrowser();
  await stranger.addInitScript(() => {
    const create = URL.createObjectURL.bind(URL);
    const types: string[] = [];
    Object.assign(globalThis, { types });
    URL.createObjectURL = (object: Blob) => {
      types.push(object.type);
      return create(object);
    };
  });
  await stranger.goto(link);
  for (const { name } of SCRIPTABLE) {
    await stranger.getByRole("button", { name: `Preview and details of ${name}` }).click();
    const dialog = stranger.getByRole("dialog");
    const download = dialog.getByRole("button", { name: "Download", exact: true });
    const file = await saved(stranger, () => download.click());
    expect(file.name).toBe(name);
    await stranger.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
  }
  const types = await stranger.evaluate((): unknown => Reflect.get(globalThis, "types"));
  expect(types).toEqual(SCRIPTABLE.map(() => "application/octet-stream"));
});

test("without a service worker a drawing with scripts is only saved", async ({ page, openBrowser }) => {
  await signUpByApi(page);
  const { link } = await sealFile(page.request, { streams: [[DRAWING]] });
  const stranger = await openBrowser();
  await stranger.addInitScript(() => {
    Reflect.deleteProperty(Navigator.prototype, "serviceWorker");
  });
  await stranger.goto(link);
  await expect(stranger.getByText("Download the file to see it: this browser cannot show it safely.")).toBeVisible();
  await expect(stranger.getByRole("img", { name: "drawing.svg" })).toHaveCount(0);
  expect((await saved(stranger)).bytes.toString()).toBe(DRAWING.body);
});

test("without a service worker the player gets a sound from memory [SEAL-34]", async ({ page, openBrowser }) => {
  await signUpByApi(page);
  const song = { name: "song.wav", type: "audio/wav", body: wavFile(60) };
  const { link } = await sealFile(page.request, { streams: [[song]] });
  const stranger = await openBrowser();
  await stranger.addInitScript(() => {
    Reflect.deleteProperty(Navigator.prototype, "serviceWorker");
  });
  await stranger.goto(link);
  const player = stranger.getByLabel("song.wav");
  await expect(player).toHaveJSProperty("duration", 60);
  expect(await player.evaluate((element: HTMLAudioElement) => new URL(element.src).protocol)).toBe("blob:");
});
