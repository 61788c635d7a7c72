import { mkdir, readdir } from "node:fs/promises";
import { chromium, type Browser, type BrowserContextOptions, type Page, type Request } from "playwright-core";
import { automaticHours, DEFAULT_EXPIRATION } from "#domain/expiry.ts";
import type { StartUploadAnswer } from "#domain/wire.ts";
import type { Account } from "./account.ts";
import type { RandomFile } from "./random-file.ts";
import type { LocalServer } from "../../scripts/local-server.ts";
import { PARTS_IN_FLIGHT, type PartUrl } from "./store.ts";

/** A large upload takes minutes on a slow machine. */
const PATIENCE_MS = 600_000;

/**
 * A real Chromium.
 * @param folder absolute; the browser, which comes out of an npm package, unpacks itself below it
 * @param more arguments of its command line
 */
export async function openBrowser(folder: string, more: string[] = []): Promise<Browser> {
  process.env.TMPDIR = `${folder}/browser`;
  await mkdir(process.env.TMPDIR, { recursive: true });
  const { default: packed } = await import("@sparticuz/chromium");
  return chromium.launch({
    executablePath: await packed.executablePath(),
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", ...more],
    // Whoever opened it closes it, an interrupted run included.
    handleSIGINT: false,
  });
}

/** The home page in a browser profile of its own, signed in and ready to take a file. */
export async function openHome(browser: Browser, { origin }: LocalServer, { cookie }: Account): Promise<Page> {
  const page = await openPage(browser);
  await page.context().addCookies([{ ...cookie, url: origin }]);
  await page.goto(origin);
  // Before React has taken the page over, a chosen file goes unheard.
  const input = await page.getByLabel("Choose a file").elementHandle();
  await page.waitForFunction((element) => Object.keys(element).some((key) => key.startsWith("__react")), input);
  return page;
}

/**
 * Puts a file into the page, up to the last thing that a person does: choosing it, or saying yes to how long it is kept.
 * What drives the browser takes its time for the rest.
 * @returns does that, and answers what the server answered to the start, once the link is ready
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

/** Uploads a file as a person would. @returns what the server answered to its start, once the link is ready */
export async function uploadAsPerson(page: Page, file: RandomFile): Promise<StartUploadAnswer> {
  const upload = await prepareUpload(page, file);
  return upload();
}

/** Comes to the card, as a person's pointer or keyboard does: what sends a file is fetched then, all at once. */
async function approach(page: Page): Promise<void> {
  const fetched: Promise<unknown>[] = [];
  const note = (request: Request) => fetched.push(request.response().then((response) => response?.finished()));
  page.on("request", note);
  await Promise.all([page.waitForRequest("**/assets/live-socket-*.js"), page.getByLabel("Choose a file").focus()]);
  await Promise.all(fetched);
  page.off("request", note);
}

/** Chooses a file that the page asks about. @returns says yes */
async function chosen(page: Page, path: string): Promise<() => Promise<void>> {
  await page.getByLabel("Choose a file").setInputFiles(path);
  const yes = page.getByRole("button", { name: "Upload", exact: true });
  await yes.waitFor();
  return () =>
    yes.evaluate((button: HTMLElement) => {
      button.click();
    });
}

/** Has the page hold a file in an input that it does not know. @returns chooses that file */
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
 * Runs in the page. An observer tells at once, where Playwright's own waiting looks every half second. Scripts are
 * text as well, and hold every message that the page may yet say.
 */
function readyToShare(): Promise<void> {
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

/** An empty page of the server's origin with nothing but a file input, which holds the file. */
export async function openBarePage(browser: Browser, { origin }: LocalServer, { path }: RandomFile): Promise<Page> {
  // The answer that the page is made of allows nothing.
  const page = await openPage(browser, { bypassCSP: true });
  await page.goto(`${origin}/api/auth/me`);
  await page.setContent(`<input type="file">`);
  await page.locator("input").setInputFiles(path);
  return page;
}

/** Has the bare page's file hashed by the very thread that the product hashes with. @returns SHA-256 in hex */
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

/** PUTs the bare page's file to presigned URLs: what the browser costs by itself. @returns the parts' ETags */
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

async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await (await browser.newContext(options)).newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  return page;
}
