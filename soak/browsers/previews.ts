import { writeFile } from "node:fs/promises";
import { openBrowser } from "../../bench/support/browser.ts";
import { pdfFile, pngFile, wavFile, webmFile } from "#test/e2e/support/sample-files.ts";
import { expectSame, shareOnHome, signUp } from "./actions.ts";
import type { Person } from "./person.ts";
import { button, heading, labelled } from "./target.ts";
import type { Scenario, World } from "./world.ts";

const MARKUP = `<b>not bold</b> & <img src="x">`;
export const CANNOT_BE_SHOWN = "This file could not be previewed here. You can still download it.";

export const CANNOT = "cannot, and the page says so";

export const previews: Scenario = {
  name: "previews",
  play: async (world) => {
    const sender = await world.openPerson();
    const receiver = await world.openPerson();
    const open = async (name: string, content: Uint8Array | string) => {
      const address = await share(world, sender, name, content);
      await receiver.goto(address);
      await receiver.see(heading(name));
    };

    await world.step("an image is shown", async () => {
      await signUp(sender, world.folder);
      await open("photo.png", pngFile(300, 200));
      await receiver.until("it is 300 wide", labelled("photo.png"), (element) => {
        return (element as HTMLImageElement | null)?.naturalWidth === 300;
      });
    });
    await world.step("a text is shown after a click, with its markup as text", async () => {
      await open("notes.txt", MARKUP);
      await receiver.click(button("Preview"));
      const shown = await receiver.until("it has text", { kind: "pre" }, (element) => element?.textContent);
      expectSame("the text", shown, MARKUP);
    });
    await world.step("a PDF is shown after a click, page by page", async () => {
      await open("paper.pdf", pdfFile(12));
      await receiver.click(button("Preview"));
      await receiver.until("it is drawn", labelled("Page 1"), isDrawn);
    });
    await world.step("seeking in an audio file uses Range", async () => {
      await open("song.wav", wavFile(170));
      const begin = world.line.seen.length;
      const shown = await receiver.until("it is at 160 s", { kind: "main" }, seekAudio, CANNOT_BE_SHOWN);
      if (shown === "unsupported") return CANNOT;
      const ranges = world.line.seen
        .slice(begin)
        .filter(({ path, status }) => path.endsWith("/preview") && status === 206);
      if (ranges.length === 0) throw new Error("nothing was requested by Range");
      return undefined;
    });
    await world.step("a video is shown", async () => {
      await open("film.webm", await recordVideo(world.folder));
      const shown = await receiver.until("it has frames", { kind: "main" }, findVideoFrame, CANNOT_BE_SHOWN);
      return shown === "unsupported" ? CANNOT : undefined;
    });
  },
};

async function share(world: World, person: Person, name: string, content: Uint8Array | string): Promise<string> {
  const path = `${world.folder}/${name}`;
  await writeFile(path, content);
  await person.goto("/");
  return shareOnHome(person, path);
}

/** Records a video in Chromium. All engines play the same video. */
async function recordVideo(folder: string): Promise<Uint8Array> {
  const browser = await openBrowser(folder);
  try {
    return await webmFile(await browser.newPage());
  } finally {
    await browser.close();
  }
}

/* The functions below run in the page. */

/** Whether the canvas has more than a few dark pixels. */
function isDrawn(element: Element | null): boolean {
  const canvas = element as HTMLCanvasElement | null;
  if (canvas?.getAttribute("aria-busy") !== "false") return false;
  const { data } = canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] };
  let dark = 0;
  for (let index = 0; index < data.length; index += 4) if ((data[index] ?? 255) < 100) dark += 1;
  return dark > 500;
}

/** Seeks in an audio file of 170 s to 160 s. @returns null until the player has got there */
function seekAudio(main: Element | null, cannotBeShown: string): "there" | "unsupported" | null {
  if (main?.textContent.includes(cannotBeShown)) return "unsupported";
  const audio = main?.querySelector("audio");
  if (!audio || Math.round(audio.duration) !== 170) return null;
  if (audio.currentTime < 160) {
    audio.currentTime = 160;
    return null;
  }
  return audio.seeking ? null : "there";
}

/** @returns null until a video 160 pixels wide has its first frame */
function findVideoFrame(main: Element | null, cannotBeShown: string): "there" | "unsupported" | null {
  if (main?.textContent.includes(cannotBeShown)) return "unsupported";
  const video = main?.querySelector("video");
  return video?.videoWidth === 160 && video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA ? "there" : null;
}
