import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { openBrowser } from "../../bench/support/browser.ts";
import { MIB } from "#domain/units.ts";
import { mp4File } from "#test/e2e/support/sample-files.ts";
import { expectSame, linkOf, sha256, signUp } from "./actions.ts";
import { LOST } from "./happy-path.ts";
import { TIMEOUT_MS, type Person } from "./person.ts";
import { CANNOT, CANNOT_BE_SHOWN } from "./previews.ts";
import { button, heading, labelled, link, text } from "./target.ts";
import type { Scenario, World } from "./world.ts";

/** Nine parts, each of which can be read as soon as it is stored. */
const SIZE_BYTES = 66 * MIB;
/** Each part is an object of its own: those from the fifth on. */
const LATER_PARTS = /\/0000[4-8]\?/;

/** Somebody downloads and plays what is still being sent. */
export const following: Scenario = {
  name: "following",
  play: async (world) => {
    const { line } = world;
    const sender = await world.openPerson();
    await world.step(
      "a file of 66 MB is downloaded while its sender is held, and is identical by SHA-256",
      async () => {
        await signUp(sender, world.folder);
        const path = `${world.folder}/followed.bin`;
        await writeFile(path, randomBytes(SIZE_BYTES));
        const receiver = await openHeld(world, sender, path);
        const begun = line.seen.length;
        const downloading = receiver.download(link("Download now"), SIZE_BYTES);
        await line.until(
          "the download has begun",
          () => line.seen.slice(begun).filter(isFollowed).length > 1,
          TIMEOUT_MS,
        );
        line.hold(() => false);
        const { path: received } = await downloading;
        expectSame("the SHA-256", await sha256(received), await sha256(path));
        await sender.see(heading("Ready to share"));
      },
      LOST,
    );
    await world.step(
      "a film plays before its upload has ended",
      async () => {
        const path = `${world.folder}/followed.mp4`;
        await writeFile(path, await recordFilm(world.folder));
        const receiver = await openHeld(world, sender, path);
        await receiver.click(button("Preview"));
        const played = await receiver.until("it plays", { kind: "main" }, playFilm, CANNOT_BE_SHOWN);
        await receiver.see(text("On its way"));
        line.hold(() => false);
        await sender.see(heading("Ready to share"));
        return played === "unsupported" ? CANNOT : undefined;
      },
      LOST,
    );
  },
};

/** Sends a file, whose parts from the fifth on are held. @returns somebody who has opened its link */
async function openHeld(world: World, sender: Person, path: string): Promise<Person> {
  world.line.hold(({ method, path: asked }) => method === "PUT" && LATER_PARTS.test(asked));
  await sender.goto("/");
  await sender.choose(labelled("Choose a file"), path);
  const address = await linkOf(sender);
  const receiver = await world.openPerson();
  await receiver.goto(address);
  await receiver.see(link("Download now"));
  return receiver;
}

/** The page asks for the first byte, and then the browser asks for the file. */
function isFollowed({ path, status }: { path: string; status: number }): boolean {
  return path.endsWith("/content?follow=1") && (status === 200 || status === 206);
}

/** Records a film in Chromium, with its index first. All engines play the same film. */
async function recordFilm(folder: string): Promise<Uint8Array> {
  const browser = await openBrowser(folder);
  try {
    return await mp4File(await browser.newPage(), SIZE_BYTES, "first");
  } finally {
    await browser.close();
  }
}

/** Runs in the page. @returns null until a film has played for 0.3 s */
function playFilm(main: Element | null, cannotBeShown: string): "there" | "unsupported" | null {
  if (main?.textContent.includes(cannotBeShown)) return "unsupported";
  const video = main?.querySelector("video");
  if (!video) return null;
  if (video.currentTime > 0.3) return "there";
  video.muted = true;
  if (video.paused) video.play().catch(() => undefined);
  return null;
}
