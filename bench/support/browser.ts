import { mkdir, readdir } from "node:fs/promises";
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type LaunchOptions,
  type Page,
} from "playwright-core";
import { automaticHours, DEFAULT_EXPIRATION } from "#domain/expiry.ts";
import type { StartUploadAnswer } from "#domain/wire.ts";
import type { Account } from "./account.ts";
import type { RandomFile } from "./random-file.ts";
import type { LocalServer } from "../../scripts/local-server.ts";
import { PARTS_IN_FLIGHT, type PartUrl } from "./store.ts";

/** Large uploads take minutes on a slow machine. */
const PATIENCE_MS = 600_000;

/**
 * Starts Chromium from npm.
 * @param folder absolute; the browser is unpacked there
 * @param more command line arguments
 */
export async function openBrowser(folder: string, more: string[] = []): Promise<Browser> {
  return chromium.launch(await launchOptions(folder, more));
}

/**
 * Starts Chromium with a profile on disk, as people have it. `openBrowser` gives private windows, which may store
 * little.
 * @param folder absolute; the browser is unpacked there, and the profile is new
 */
export async function openProfile(folder: string): Promise<BrowserContext> {
  return chromium.launchPersistentContext(`${folder}/profile`, await launchOptions(folder));
}

async function launchOptions(folder: string, more: string[] = []): Promise<LaunchOptions> {
  process.env.TMPDIR = `${folder}/browser`;
  await mkdir(process.env.TMPDIR, { recursive: true });
  const { default: packed } = await import("@sparticuz/chromium");
  return {
    executablePath: await packed.executablePath(),
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", ...more],
    // The caller closes the browser, also on Ctrl-C.
    handleSIGINT: false,
  };
}

/** Opens windows with settings of their own. */
export type Windows = Pick<Browser, "newContext">;

/**
 * Starts a Chromium with a new profile for each context.
 * @param folder absolute; for the profiles @param program an installed Chromium; null for the one from npm, which opens no
 *   connections ahead @param more command line arguments
 */
export async function profiles(folder: string, program: string | null, more: string[] = []): Promise<Windows> {
  const options = await launchOptions(folder, more);
  if (program !== null) options.executablePath = program;
  return {
    newContext: (settings) =>
      chromium.launchPersistentContext(`${folder}/profile-${crypto.randomUUID()}`, { ...options, ...settings }),
  };
}

/**
 * Opens the home page in a new profile, signed in and ready for a file.
 * @param script runs before the page's own scripts
 */
export async function openHome(
  browser: Windows,
  { origin }: Pick<LocalServer, "origin">,
  { cookie }: Account,
  script = "",
): Promise<Page> {
  const page = await openPage(browser);
  await page.addInitScript(script);
  await page.context().addCookies([{ ...cookie, url: origin }]);
  await page.goto(origin);
  // React ignores files chosen before hydration.
  const input = await page.getByLabel("Choose a file").elementHandle();
  await page.waitForFunction((element) => Object.keys(element).some((key) => key.startsWith("__react")), input);
  return page;
}

/**
 * Prepares an upload up to the person's last action (choosing the file, or confirming its expiry), so that driver
 * overhead is not measured.
 * @returns a function that runs the upload, and returns the answer to its start once the link is ready
 */
export async function prepareUpload(
  page: Page,
  { path, sizeBytes }: RandomFile,
): Promise<() => Promise<StartUploadAnswer>> {
  await approach(page);
  const started = page.waitForResponse("**/api/direct-upload/presigned-url");
  const ready = page.evaluate(readyToShare);
  const isAsked = automaticHours({ expiration: DEFAULT_EXPIRATION, expirationChosen: false, sizeBytes }) !== null;
  const last = isAsked ? await chosen(page, path) : await held(page, path);
  return async () => {
    await last();
    const answer = started.then((response) => response.json() as Promise<StartUploadAnswer>);
    await ready;
    return answer;
  };
}

/** Uploads a file through the page. @returns the server's answer to its start */
export async function uploadAsPerson(page: Page, file: RandomFile): Promise<StartUploadAnswer> {
  const upload = await prepareUpload(page, file);
  return upload();
}

/** Moves the pointer to the card, and waits as long as a person needs to choose: until the upload engine is loaded. */
async function approach(page: Page): Promise<void> {
  await page.getByLabel("Choose a file").focus();
  await page.waitForFunction(hasLoadedEngine);
}

/** Runs in the page. An engine imports its last script once more after fetching it: then the script has run. */
function hasLoadedEngine(): boolean {
  const scripts = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
  return scripts.some(
    ({ name, initiatorType }) => initiatorType === "script" && name.includes("/assets/direct-upload-"),
  );
}

/** Chooses a file that the page asks to confirm. @returns a function that confirms the file */
async function chosen(page: Page, path: string): Promise<() => Promise<void>> {
  await page.getByLabel("Choose a file").setInputFiles(path);
  const yes = page.getByRole("button", { name: "Upload", exact: true });
  await yes.waitFor();
  return () =>
    yes.evaluate((button: HTMLElement) => {
      button.click();
    });
}

/** Puts a file into an input of its own. @returns a function that chooses that file in the page's input */
async function held(page: Page, path: string): Promise<() => Promise<void>> {
  const own = page.getByLabel("Choose a file");
  const other = await page.evaluateHandle(() => Object.assign(document.createElement("input"), { type: "file" }));
  await other.setInputFiles(path);
  return () =>
    own.evaluate((input: HTMLInputElement, { files }) => {
      input.files = files;
      input.dispatchEvent(new Event("change", { bubbles: true }));
    }, other);
}

/**
 * Runs in the page. A MutationObserver reacts at once; Playwright polls every half second. Ignores scripts, whose text
 * contains every message.
 */
export function readyToShare(): Promise<void> {
  return new Promise((resolve, reject) => {
    const observer = new MutationObserver(() => {
      const shown = [...document.body.children].filter(({ tagName }) => tagName !== "SCRIPT");
      const text = shown.map(({ textContent }) => textContent).join(" ");
      if (text.includes("Ready to share")) resolve();
      if (text.includes("Upload failed")) reject(new Error("the page says that the upload failed"));
    });
    observer.observe(document.body, { childList: true, subtree: true });
  });
}

/** An empty page of the server's origin with a file input that holds the file. */
export async function openBarePage(browser: Browser, { origin }: LocalServer, { path }: RandomFile): Promise<Page> {
  // The answer's content security policy forbids everything.
  const page = await openPage(browser, { bypassCSP: true });
  await page.goto(`${origin}/api/auth/me`);
  await page.setContent(`<input type="file">`);
  await page.locator("input").setInputFiles(path);
  return page;
}

/** Hashes the bare page's file with the product's web worker. @returns SHA-256 in hex */
export async function hashInBarePage(page: Page): Promise<string> {
  const assets = "build/client/assets";
  const script = (await readdir(assets)).find((name) => name.startsWith("hash.worker-"));
  if (script === undefined) throw new Error(`there is no hash.worker in ${assets}`);
  return page.evaluate(
    (path) =>
      new Promise<string>((resolve) => {
        const worker = new Worker(path, { type: "module" });
        worker.onmessage = ({ data }: MessageEvent<string>) => {
          resolve(data);
        };
        worker.postMessage(document.querySelector("input")?.files?.[0]);
      }),
    `/assets/${script}`,
  );
}

/** PUTs the bare page's file to presigned URLs, to measure the browser's own cost. @returns the parts' ETags */
export function putFromBarePage(page: Page, urls: PartUrl[]): Promise<string[]> {
  return page.evaluate(
    async ([parts, inFlight]) => {
      const file = document.querySelector("input")?.files?.[0];
      if (!file) throw new Error("the page holds no file");
      const etags: string[] = [];
      let next = 0;
      const put = (index: number, { url, start, end }: PartUrl) =>
        new Promise<void>((resolve, reject) => {
          const xhr = new XMLHttpRequest();
          xhr.open("PUT", url);
          xhr.onload = () => {
            etags[index] = xhr.getResponseHeader("etag") ?? "";
            if (xhr.status === 200) resolve();
            else reject(new Error(`the store answered ${xhr.status}`));
          };
          xhr.onerror = () => {
            reject(new Error("the store did not answer"));
          };
          xhr.send(file.slice(start, end));
        });
      const worker = async () => {
        for (let part = parts[next]; part; part = parts[next]) {
          next += 1;
          await put(next - 1, part);
        }
      };
      await Promise.all(Array.from({ length: inFlight }, worker));
      return etags;
    },
    [urls, PARTS_IN_FLIGHT] as const,
  );
}

export async function openPage(browser: Windows, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await (await browser.newContext(options)).newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  return page;
}
