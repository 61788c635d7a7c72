import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { toBase64url } from "#domain/base64url.ts";
import { deriveContentKeys, deriveLinkKeys, unwrapSecret, wrapSecret, type Bytes } from "#domain/seal/keys.ts";
import { deriveStreamKeys, openRecords, sealRecords } from "#domain/seal/records.ts";

const secret = Uint8Array.from({ length: 32 }, (_, index) => index);
const linkSecret = Uint8Array.from({ length: 32 }, (_, index) => 255 - index);
const salt = Uint8Array.from({ length: 16 }, (_, index) => 7 * index);
const wrapNonce = new Uint8Array(12).fill(9);
const withoutPassword = new Uint8Array();

const WRAP =
  "0909090909090909090909090585626b93e356e931bf97c97035be674fa0466c2f4d0472c6afde5af29b9ce104c0797136ef19a2f1ea8634cff27a04";
const COMMITMENT = "a9b5c3b1a17ab9a1d2cadeba5af7c221a088e5bd14b3c06d5e074c184e790b38";

test("a link gives the access and the wrap of the format's vectors", async () => {
  const link = await deriveLinkKeys(linkSecret, withoutPassword, salt);
  expect(hex(link.access)).toBe("6c4d9020825cb9b9677adf61f4ec697b464a30dff983dc5f4c927722b8001553");
  expect(hex(await wrapSecret(secret, link, wrapNonce))).toBe(WRAP);
  expect(hex((await deriveContentKeys(secret, salt)).commitment)).toBe(COMMITMENT);
});

test("a link opens its wrap, and refuses another one and another commitment", async () => {
  const link = await deriveLinkKeys(linkSecret, withoutPassword, salt);
  const opened = await unwrapSecret(fromHex(WRAP), link, salt, fromHex(COMMITMENT));
  expect(opened.secret).toEqual(secret);
  const other = await deriveLinkKeys(secret, withoutPassword, salt);
  await expect(unwrapSecret(fromHex(WRAP), other, salt, fromHex(COMMITMENT))).rejects.toMatchObject({
    problem: "wrongKey",
  });
  await expect(unwrapSecret(fromHex(WRAP), link, salt, new Uint8Array(32))).rejects.toMatchObject({
    problem: "wrongKey",
  });
});

test.each([
  [0, 0, "cdd6a644b14470fa2eec28e741d7f684d4f48862f0fecfb07cbda332"],
  [0, 5, "f0327cc0b56c6f7cc09aae855b118d526fbedbb2f96bb6779050fd9c5bac2a7a"],
  [2, 262_117, "765f566077a32177b97b202e69e4de51a5cd9862eb3b5945da507489e3f49fce"],
  [3, 786_341, "c30ab51f019cf1b5cdf58c3694ad0d6c6d9ea167dd893256334417ea7521f52d"],
])("stream %i of %i bytes is sealed as the format's vectors say, and opens again", async (stream, length, expected) => {
  const keys = await deriveStreamKeys(await deriveContentKeys(secret, salt), stream, length);
  const plaintext = Uint8Array.from({ length }, (_, at) => (31 * at + stream) % 256);
  const sealed = Buffer.concat((await sealRecords(keys, 0, plaintext)).pieces);
  expect(length === 0 ? hex(sealed) : createHash("sha256").update(sealed).digest("hex")).toBe(expected);
  expect(toBase64url(await openRecords(keys, 0, new Uint8Array(sealed)))).toBe(toBase64url(plaintext));
});

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}

function fromHex(digits: string): Bytes {
  return new Uint8Array(Buffer.from(digits, "hex"));
}
