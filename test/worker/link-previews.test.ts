import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { readHead } from "../support/documents.ts";
import { PICTURES } from "../support/pictures.ts";
import { storePictures } from "../support/sent-pictures.ts";
import { sendSealed } from "../support/sealed-uploads.ts";
import { sendTransfer, textFile } from "../support/transfers.ts";
import { answerOf, Client, sendFile, signUp } from "../support/worker.ts";

const FILES = [textFile("a.jpg"), textFile("b.jpg")];

async function cardOf(downloadId: string) {
  const { meta } = await readHead(await (await new Client().fetch(`/download/${downloadId}`)).text());
  return Object.fromEntries(
    Object.entries(meta).filter(([name]) => name.startsWith("og:image") || name === "twitter:card"),
  );
}

/** In the page itself; its texts are in a script, too. */
const PREVIEW_LABEL = /<label[^>]*>Preview in chats</;

const NO_PICTURE = { "twitter:card": "summary" };

async function sendWithPicture() {
  const owner = await signUp();
  const sent = await sendTransfer(owner, FILES, { title: "The trip" });
  await storePictures(owner, sent.downloadId, { "1.tile": PICTURES.lossy });
  return { owner, ...sent };
}

describe("the preview of a link in chats", () => {
  it("shows the tile of its first picture, and its view once there is one [PIC-15]", async () => {
    const { owner, downloadId } = await sendWithPicture();
    const url = `${env.APP_ORIGIN}/api/files/download/${downloadId}/entries/1`;
    const card = {
      "og:image": `${url}/tile`,
      "og:image:width": "48",
      "og:image:height": "32",
      "og:image:alt": "The trip",
      "twitter:card": "summary_large_image",
    };
    expect(await cardOf(downloadId)).toEqual(card);
    await storePictures(owner, downloadId, { "1.view": PICTURES.view });
    const ofView = { ...card, "og:image": `${url}/view`, "og:image:width": "160", "og:image:height": "90" };
    expect(await cardOf(downloadId)).toEqual(ofView);
    expect((await new Client().fetch(ofView["og:image"])).status).toBe(200);
  });

  it("shows that of a single file [PIC-15]", async () => {
    const owner = await signUp();
    const { downloadId } = await sendFile(owner, "hello");
    expect(await cardOf(downloadId)).toEqual(NO_PICTURE);
    await storePictures(owner, downloadId, { "0.tile": PICTURES.lossy });
    const url = `${env.APP_ORIGIN}/api/files/download/${downloadId}/tile`;
    expect(await cardOf(downloadId)).toMatchObject({ "og:image": url, "og:image:alt": "a file.txt" });
  });

  it.each([{ password: "a password" }, { maxDownloads: 3 }])(
    "shows none of a protected link: %j [PIC-15]",
    async (guards) => {
      const owner = await signUp();
      const { downloadId } = await sendFile(owner, "hello", { guards });
      await storePictures(owner, downloadId, { "0.tile": PICTURES.lossy });
      expect(await cardOf(downloadId)).toEqual(NO_PICTURE);
    },
  );

  it("is no choice for a link without pictures [PIC-16]", async () => {
    const owner = await signUp();
    const { uploadId } = await sendFile(owner, "hello");
    expect(await (await owner.fetch(`/dashboard/${uploadId}`)).text()).not.toMatch(PREVIEW_LABEL);
  });

  it("shows none of a sealed link [PIC-15]", async () => {
    const owner = await signUp();
    const { downloadId } = await sendSealed(owner);
    await storePictures(owner, downloadId, { "0.tile": new Uint8Array(40), "0.about": "AAAA" });
    expect(await cardOf(downloadId)).toEqual(NO_PICTURE);
  });

  it("follows the choice of the link, else the account's [PIC-16]", async () => {
    const { owner, downloadId, uploadId } = await sendWithPicture();
    const shows = async () => "og:image" in (await cardOf(downloadId));
    const choose = (showsPicture: boolean | null) => answerOf(owner.patch(`/api/files/${uploadId}`, { showsPicture }));
    expect(await answerOf(owner.fetch("/api/previews"))).toEqual([200, { showsPicture: true }]);
    expect(await choose(false)).toMatchObject([200, { id: uploadId, showsPicture: false }]);
    expect(await shows()).toBe(false);
    expect((await choose(null))[1]).not.toHaveProperty("showsPicture");
    expect(await shows()).toBe(true);
    expect(await answerOf(owner.patch("/api/previews", { showsPicture: false }))).toEqual([
      200,
      { showsPicture: false },
    ]);
    expect(await shows()).toBe(false);
    expect(await answerOf(owner.fetch("/api/previews"))).toEqual([200, { showsPicture: false }]);
    await choose(true);
    expect(await shows()).toBe(true);
    const accountPage = await (await owner.fetch("/account")).text();
    expect(accountPage).toMatch(/<label[^>]*>\s*<span[^>]*>Show the first picture</);
    const linkPage = await (await owner.fetch(`/dashboard/${uploadId}`)).text();
    expect(linkPage).toMatch(PREVIEW_LABEL);
    const another = await signUp();
    expect((await another.patch(`/api/files/${uploadId}`, { showsPicture: false })).status).toBe(404);
    expect(await answerOf(owner.patch(`/api/files/${uploadId}`, { showsPicture: true, filename: "x" }))).toMatchObject([
      400,
      { code: "BAD_REQUEST", field: "showsPicture" },
    ]);
    expect((await owner.patch(`/api/files/${uploadId}`, { showsPicture: "no" })).status).toBe(400);
  });
});
