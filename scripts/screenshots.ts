import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { openBrowser } from "../bench/support/browser.ts";
import { fillDemo } from "./demo/fill.ts";
import { ensureDevVars } from "./dev-vars.ts";
import { prepareServer } from "./local-server.ts";
import {
  PICTURE_FOLDER,
  pictureName,
  pictureNames,
  PICTURES,
  SIZES,
  THEMES,
  type Size,
  type Theme,
} from "./screenshots/pictures.ts";
import { SCENES, sendHalf, type Stage } from "./screenshots/scenes.ts";
import { steady } from "./screenshots/steady.ts";
import { whyPage } from "./screenshots/why-page.ts";

/** How long a step may take on a machine that is busy otherwise. */
const PATIENCE_MS = 240_000;

/** `npm run screenshots [PICTURE…]`: fills a local system with the demo, and takes the pictures of README and docs. */
const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !(name in PICTURES));
if (unknown.length > 0) {
  console.error(`No such picture: ${unknown.join(", ")}. There are ${Object.keys(PICTURES).join(", ")}.`);
  process.exit(1);
}
const admin = ensureDevVars();
const server = await prepareServer();
try {
  await server.start();
  const { origin } = server;
  const links = await fillDemo({ origin, folder: server.folder, admin });
  const browser = await openBrowser(server.folder);
  try {
    await mkdir(PICTURE_FOLDER, { recursive: true });
    await takeAll(browser, { origin, links, admin });
    await removeOthers();
  } finally {
    await browser.close();
  }
} finally {
  await server.stop();
}

async function takeAll(browser: Browser, stage: Stage): Promise<void> {
  for (const theme of THEMES) {
    if (isChosen("why")) await save("why", "desktop", theme, await takeWhy(browser, stage, theme));
    for (const [picture, scene] of Object.entries(SCENES)) {
      if (!isChosen(picture)) continue;
      for (const size of PICTURES[picture as keyof typeof SCENES]) {
        const page = await openPage(browser, stage, size, theme);
        await scene(page, stage);
        await save(picture, size, theme, await take(page));
        await page.context().close();
      }
    }
  }
}

/** Takes the sender's page, with a recipient's phone in front of it. */
async function takeWhy(browser: Browser, stage: Stage, theme: Theme): Promise<Buffer> {
  const sender = await openPage(browser, stage, "desktop", theme);
  const link = await sendHalf(sender);
  const recipient = await openPage(browser, stage, "phone", theme);
  await recipient.goto(link);
  await recipient.getByRole("progressbar").waitFor();
  const phone = await take(recipient);
  const desktop = await take(sender);
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 722 } })).newPage();
  await page.setContent(whyPage(desktop, phone, theme));
  const picture = await page.screenshot();
  for (const each of [sender, recipient, page]) await each.context().close();
  return picture;
}

async function openPage(browser: Browser, { origin }: Stage, size: Size, theme: Theme): Promise<Page> {
  const context = await browser.newContext({
    baseURL: origin,
    viewport: SIZES[size],
    colorScheme: theme,
    reducedMotion: "reduce",
    locale: "en-US",
    timezoneId: "UTC",
  });
  context.setDefaultTimeout(PATIENCE_MS);
  return context.newPage();
}

async function take(page: Page): Promise<Buffer> {
  await page.waitForLoadState("networkidle");
  await page.evaluate(async () => {
    await document.fonts.ready;
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  });
  await page.evaluate(steady);
  return page.screenshot({ animations: "disabled", caret: "hide" });
}

async function save(picture: string, size: Size, theme: Theme, png: Buffer): Promise<void> {
  const name = pictureName(picture, size, theme);
  await writeFile(join(PICTURE_FOLDER, name), png);
  console.log(`${name}  ${Math.round(png.length / 1024)} KB`);
}

/** Deletes the files of pictures that are no longer taken. */
async function removeOthers(): Promise<void> {
  const names = new Set(pictureNames());
  for (const name of await readdir(PICTURE_FOLDER)) if (!names.has(name)) await rm(join(PICTURE_FOLDER, name));
}

function isChosen(picture: string): boolean {
  return chosen.length === 0 || chosen.includes(picture);
}
