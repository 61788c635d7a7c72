import { describe, expect, test } from "vitest";
import { fromBase64url, toBase64url } from "#domain/bytes-as-text.ts";
import { randomBytes, type ContentKeys } from "#domain/seal/keys.ts";
import { openAbout, openPicture, sealAbout, sealPicture } from "#domain/seal/pictures.ts";
import { webpHeader } from "#test/support/pictures/webp.ts";
import { newSender } from "#test/support/seal/sealed-files.ts";

const WEBP = webpHeader(480, 320);
/** The frame header of a JPEG file of 1,600 × 1,200 pixels, between the markers of its beginning and end. */
const JPEG = Uint8Array.of(0xff, 0xd8, 0xff, 0xc0, 0, 11, 8, 0x04, 0xb0, 0x06, 0x40, 1, 1, 0x11, 0, 0xff, 0xd9);
const damaged = { name: "SealError", problem: "damaged" };

describe("a sealed picture", () => {
  test("opens to its image, whose type is that of its bytes, and is 28 bytes longer [SEAL-43]", async () => {
    const { keys } = await newSender();
    const tile = await sealPicture(keys, 7, "tile", WEBP);
    const view = await sealPicture(keys, 7, "view", JPEG);
    expect([tile.length - WEBP.length, view.length - JPEG.length]).toEqual([28, 28]);
    expect(await openPicture(keys, 7, "tile", tile)).toEqual({ image: WEBP, type: "image/webp" });
    expect(await openPicture(keys, 7, "view", view)).toEqual({ image: JPEG, type: "image/jpeg" });
  });

  test("opens only as its kind, of its file, with its link's keys, and unchanged [SEAL-43]", async () => {
    const { keys } = await newSender();
    const tile = await sealPicture(keys, 7, "tile", WEBP);
    await expect(openPicture(keys, 7, "view", tile)).rejects.toMatchObject(damaged);
    await expect(openPicture(keys, 8, "tile", tile)).rejects.toMatchObject(damaged);
    await expect(openPicture((await newSender()).keys, 7, "tile", tile)).rejects.toMatchObject(damaged);
    for (const length of [0, 11, 27, tile.length - 1])
      await expect(openPicture(keys, 7, "tile", tile.slice(0, length))).rejects.toMatchObject(damaged);
    for (const at of [0, 12, tile.length - 1])
      await expect(openPicture(keys, 7, "tile", tile.with(at, (tile[at] ?? 0) ^ 1))).rejects.toMatchObject(damaged);
  });

  test("of a hostile sender is nothing but a WebP or JPEG file [SEAL-43]", async () => {
    const { keys } = await newSender();
    for (const text of ["<svg onload=alert(1)>", "RIFF....WAVE", "GIF89a", ""]) {
      const sealed = await sealPicture(keys, 0, "tile", new TextEncoder().encode(text));
      await expect(openPicture(keys, 0, "tile", sealed)).rejects.toMatchObject(damaged);
    }
  });

  test.each([
    ["tile", 481, 1],
    ["tile", 320, 16_383],
    ["view", 1601, 1200],
  ] as const)("is not opened as a %s of %i × %i pixels [SEAL-43]", async (kind, width, height) => {
    const { keys } = await newSender();
    const sealed = await sealPicture(keys, 0, kind, webpHeader(width, height));
    await expect(openPicture(keys, 0, kind, sealed)).rejects.toMatchObject(damaged);
  });

  test("never has the same nonce twice [SEAL-43]", async () => {
    const { keys } = await newSender();
    const seals = await Promise.all(Array.from({ length: 100 }, () => sealPicture(keys, 0, "tile", WEBP)));
    expect(new Set(seals.map((sealed) => toBase64url(sealed.subarray(0, 12)))).size).toBe(100);
  });
});

describe("the facts about a sealed picture", () => {
  test.each([
    { width: 1, height: 1 },
    { width: 480, height: 320 },
    { width: 480, height: 480, seconds: 86_399.9 },
  ])("%j have 80 characters and open to the same [SEAL-43]", async (facts) => {
    const { keys } = await newSender();
    const about = await sealAbout(keys, 3, facts);
    expect(about).toMatch(/^[\w-]{80}$/);
    expect(await openAbout(keys, 3, about)).toEqual(facts);
  });

  test("open only unchanged, and for their file [SEAL-43]", async () => {
    const { keys } = await newSender();
    const about = await sealAbout(keys, 3, { width: 480, height: 320 });
    const bytes = fromBase64url(about) ?? new Uint8Array();
    await expect(openAbout(keys, 4, about)).rejects.toMatchObject(damaged);
    for (const other of [
      "",
      about.slice(1),
      `${about}AA`,
      about.slice(0, -4),
      toBase64url(bytes.with(20, (bytes[20] ?? 0) ^ 1)),
    ])
      await expect(openAbout(keys, 3, other)).rejects.toMatchObject(damaged);
  });

  test.each([
    "[0,320]",
    "[480,1.5]",
    "[480]",
    '["480",320]',
    "[480,320,-1]",
    "[480,320,1e9]",
    "[481,320]",
    '{"width":480}',
    "480",
    "[",
    "null",
  ])("of a hostile sender are refused: %s [SEAL-43]", async (text) => {
    const { keys } = await newSender();
    await expect(openAbout(keys, 3, await sealText(keys, 3, text))).rejects.toMatchObject(damaged);
  });
});

/** Encrypts any text as the facts about a picture. */
async function sealText({ picture }: ContentKeys, stream: number, text: string): Promise<string> {
  const iv = randomBytes(12);
  const additionalData = new TextEncoder().encode(`mayfly/1 picture\0\0\0${String.fromCodePoint(stream)}\0`);
  const plaintext = new TextEncoder().encode(text.padEnd(32));
  const sealed = await crypto.subtle.encrypt({ name: "AES-GCM", iv, additionalData }, picture, plaintext);
  return toBase64url(new Uint8Array([...iv, ...new Uint8Array(sealed)]));
}
