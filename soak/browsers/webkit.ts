import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import type { Readable } from "node:stream";
import { Builder, Capabilities, type WebDriver, type WebElement } from "selenium-webdriver";
import { freePort } from "../../scripts/free-port.ts";
import { downloadInto } from "./downloads.ts";
import type { Engine, EngineOptions, Handle, Tab } from "./engine.ts";
import { installed } from "./installed.ts";
import { eventually, TIMEOUT_MS, Processes, within } from "./processes.ts";
import { automationPort, watchConsole } from "./webkit-inspector.ts";

const APT_PACKAGES = "webkit2gtk-driver xvfb";

/** Paths of WebKitGTK's MiniBrowser on Debian and Fedora. */
const MINI_BROWSERS = [
  "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser",
  "/usr/lib/aarch64-linux-gnu/webkit2gtk-4.1/MiniBrowser",
  "/usr/libexec/webkit2gtk-4.1/MiniBrowser",
];

/**
 * WebKitGTK is built without web app manifests, and reports the directive for manifests on each page (WebKit,
 * ContentSecurityPolicy.cpp: `#if ENABLE(APPLICATION_MANIFEST)`). Safari supports manifests.
 */
const NO_MANIFESTS = "Unrecognized Content-Security-Policy directive 'manifest-src'";

interface Programs {
  driver: string;
  miniBrowser: string;
  env: NodeJS.ProcessEnv;
}

/**
 * WebKitGTK, driven by Selenium over WebDriver on a virtual screen. A driver has one browser, and an automated browser
 * one set of cookies, so each tab is a browser of its own.
 * @throws MissingEngineError
 */
export async function startWebKit({ folder }: EngineOptions): Promise<Engine> {
  const [driver, miniBrowser, screen] = await Promise.all([
    installed("WebKit's driver", ["WebKitWebDriver"], APT_PACKAGES),
    installed("WebKit's browser", MINI_BROWSERS, APT_PACKAGES),
    installed("The screen that WebKit needs", ["Xvfb"], APT_PACKAGES),
  ]);
  const processes = new Processes();
  const opened: (() => Promise<void>)[] = [];
  const close = async () => {
    await Promise.all(opened.splice(0).map((end) => end()));
    await processes.stop();
  };
  try {
    const env = { DISPLAY: await openScreen(processes, screen), WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1" };
    const open = async () => {
      const { tab, end, version } = await openBrowser(`${folder}/${opened.length}`, { driver, miniBrowser, env });
      opened.push(end);
      return { tab, version };
    };
    const first = await open();
    let unused: Tab | null = first.tab;
    return {
      version: `WebKitGTK ${first.version}`,
      openTab: async () => {
        const tab = unused ?? (await open()).tab;
        unused = null;
        return tab;
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** @returns the display's name, once the display is ready */
async function openScreen(processes: Processes, program: string): Promise<string> {
  const args = ["-displayfd", "3", "-screen", "0", "1280x1024x24", "-nolisten", "tcp"];
  const screen = processes.start(program, args, {}, ["ignore", "ignore", "ignore", "pipe"]);
  const displayNumber = once(screen.stdio[3] as Readable, "data") as Promise<[Buffer]>;
  const [number] = await within(TIMEOUT_MS, "the screen comes up", displayNumber);
  return `:${number.toString().trim()}`;
}

async function openBrowser(folder: string, { driver: program, miniBrowser, env }: Programs) {
  const downloads = `${folder}/downloads`;
  await mkdir(downloads, { recursive: true });
  // WebKitGTK's download folder (freedesktop.org, xdg-user-dirs).
  await writeFile(`${folder}/user-dirs.dirs`, `XDG_DOWNLOAD_DIR="${downloads}"\n`);
  const processes = new Processes();
  try {
    const [inspectorPort, driverPort] = [await freePort(), await freePort()];
    const own = { ...env, HOME: folder, XDG_CONFIG_HOME: folder };
    const inspector = { WEBKIT_INSPECTOR_HTTP_SERVER: `127.0.0.1:${inspectorPort}` };
    const browser = processes.start(miniBrowser, ["--automation"], { ...own, ...inspector });
    const port = await automationPort(browser.pid ?? 0, inspectorPort);
    processes.start(program, [`--port=${driverPort}`, `--target=127.0.0.1:${port}`], own);
    const server = `http://127.0.0.1:${driverPort}`;
    await eventually("WebKitWebDriver answers", () => fetch(`${server}/status`));
    const capabilities = new Capabilities({ browserName: "MiniBrowser" });
    const building = Promise.resolve(new Builder().usingServer(server).withCapabilities(capabilities).build());
    const driver = await within(TIMEOUT_MS, "WebKitWebDriver begins a session", building);
    const { errors, stop } = await watchConsole(inspectorPort);
    const version = (await driver.getCapabilities()).getBrowserVersion() ?? "";
    const end = async () => {
      stop();
      await processes.stop();
    };
    return { tab: tabOf(driver, downloads, errors), end, version };
  } catch (error) {
    await processes.stop();
    throw error;
  }
}

function tabOf(driver: WebDriver, downloads: string, errors: string[]): Tab {
  return {
    goto: (url) => driver.get(url),
    // WebDriver leaves a page without a prompt (W3C WebDriver, 13.2).
    reload: () => driver.navigate().refresh(),
    evaluate: (script) => driver.executeScript(`return ${script}`),
    find: async (script) => {
      const element = await driver.executeScript<WebElement | null>(`return ${script}`);
      return element && handleOf(element);
    },
    download: (start, sizeBytes) => downloadInto(downloads, start, sizeBytes),
    takeErrors: () => errors.splice(0).filter((error) => !error.startsWith(NO_MANIFESTS)),
  };
}

function handleOf(element: WebElement): Handle {
  return {
    click: () => element.click(),
    type: (text) => element.sendKeys(text),
    // WebDriver takes a line for each file (W3C WebDriver, 12.5.3).
    chooseFiles: (paths) => element.sendKeys(paths.join("\n")),
  };
}
