import type { ElementHandle } from "playwright-core";
import { openBrowser } from "../../bench/support/browser.ts";
import type { Engine, EngineOptions, Handle, Tab } from "./engine.ts";

/** Chromium from npm, driven by Playwright. */
export async function startChromium({ folder }: EngineOptions): Promise<Engine> {
  const browser = await openBrowser(folder);
  return {
    version: `Chromium ${browser.version()}`,
    openTab: async () => {
      const page = await (await browser.newContext()).newPage();
      const errors: string[] = [];
      page.on("console", (message) => {
        if (message.type() === "error") errors.push(`${message.text()} ${message.location().url}`);
      });
      page.on("pageerror", ({ message }) => errors.push(message));
      page.on("dialog", (dialog) => void dialog.accept());
      return {
        goto: async (url) => {
          await page.goto(url);
        },
        reload: async () => {
          await page.reload();
        },
        evaluate: (script) => page.evaluate(script),
        find: async (script) => {
          const handle = await page.evaluateHandle(script);
          const element = handle.asElement() as ElementHandle<HTMLElement> | null;
          return element && handleOf(element);
        },
        download: async (start) => {
          const downloading = page.waitForEvent("download");
          const [download] = await Promise.all([downloading, start()]);
          return { path: await download.path(), name: download.suggestedFilename() };
        },
        takeErrors: () => errors.splice(0),
      } satisfies Tab;
    },
    close: () => browser.close(),
  };
}

function handleOf(element: ElementHandle<HTMLElement>): Handle {
  return {
    click: () => element.click(),
    type: (text) => element.fill(text),
    chooseFiles: (paths) => element.setInputFiles(paths),
  };
}
