import { mkdir } from "node:fs/promises";
import { launch, type ElementHandle, type Page } from "puppeteer-core";
import { downloadInto } from "./downloads.ts";
import type { Engine, EngineOptions, Handle, Tab } from "./engine.ts";
import { installed } from "./installed.ts";
import { eventually, TIMEOUT_MS, within } from "./processes.ts";

/** Firefox, driven by Puppeteer over WebDriver BiDi. @throws MissingEngineError */
export async function startFirefox({ folder }: EngineOptions): Promise<Engine> {
  const executablePath = await installed("Firefox", ["firefox-esr", "firefox"], "firefox-esr");
  const downloads = `${folder}/downloads`;
  await mkdir(downloads);
  const browser = await launch({
    browser: "firefox",
    executablePath,
    userDataDir: `${folder}/profile`,
    // The caller closes the browser, also on Ctrl-C.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    extraPrefsFirefox: {
      "browser.download.folderList": 2,
      "browser.download.dir": downloads,
      "browser.helperApps.neverAsk.saveToDisk": "application/octet-stream,application/zip",
    },
  });
  return {
    version: (await browser.version()).replace("firefox/", "Firefox "),
    openTab: async () => {
      const page = await (await browser.createBrowserContext()).newPage();
      const errors: string[] = [];
      page.on("console", (message) => {
        if (message.type() === "error") errors.push(`${message.text()} ${message.location().url ?? ""}`);
      });
      page.on("pageerror", (error) => errors.push(error instanceof Error ? error.message : String(error)));
      page.on("dialog", (dialog) => void dialog.accept());
      return {
        goto: (url) => leave(page, `location.assign(${JSON.stringify(url)})`),
        reload: () => leave(page, "location.reload()"),
        evaluate: (script) => page.evaluate(script),
        find: async (script) => {
          const element = (await page.evaluateHandle(script)).asElement();
          return element && handleOf(element as ElementHandle<HTMLInputElement>);
        },
        download: (start, sizeBytes) => downloadInto(downloads, start, sizeBytes),
        takeErrors: () => errors.splice(0),
      } satisfies Tab;
    },
    close: async () => {
      await within(TIMEOUT_MS, "Firefox ends", browser.close()).catch(() => browser.process()?.kill("SIGKILL"));
    },
  };
}

/**
 * Runs a script that leaves the page and waits for the next page. After a click has started a download, Puppeteer 25
 * never sees the end of a navigation, so this function asks the page.
 */
async function leave(page: Page, script: string): Promise<void> {
  await page.evaluate(`window.isLeft = true; ${script}`);
  await eventually("the next page is loaded", async () => {
    const isLoaded = await page.evaluate("window.isLeft === undefined && document.readyState === 'complete'");
    if (isLoaded !== true) throw new Error("it is still loading");
  });
}

function handleOf(element: ElementHandle<HTMLInputElement>): Handle {
  return {
    click: () => element.click(),
    type: (text) => element.type(text),
    chooseFiles: (paths) => element.uploadFile(...paths),
  };
}
