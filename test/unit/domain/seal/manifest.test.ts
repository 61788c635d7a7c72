import { expect, test } from "vitest";
import {
  checkManifest,
  MAX_MANIFEST_BYTES,
  openManifest,
  sealedManifestSize,
  sealManifest,
  streamSizes,
  type Manifest,
  type ManifestFile,
} from "#domain/seal/manifest.ts";
import { newSender } from "#test/support/seal/sealed-files.ts";

const sums = { sha256: "ab".repeat(32), crc32: "0123abcd" };
const file = (facts: Partial<ManifestFile> = {}): ManifestFile => ({
  name: "a.txt",
  type: "text/plain",
  size: 10,
  mtime: 1_790_000_000_000,
  stream: 0,
  at: 0,
  ...sums,
  ...facts,
});
/** As JSON has it, since `undefined` and prototypes do not survive that. */
const check = (manifest: object) => checkManifest(JSON.parse(JSON.stringify({ v: 1, final: true, ...manifest })));
const refusal: unknown = expect.objectContaining({ name: "SealError", problem: "manifest" });

test("a manifest of several streams, packed files, folders and empty files is read as it was written", async () => {
  const manifest: Manifest = {
    final: true,
    title: "Holiday",
    message: "for you",
    files: [
      file({ name: "a/1.txt", stream: 0, at: 0, size: 10 }),
      file({ name: "a/2.txt", stream: 0, at: 10, size: 5 }),
      file({ name: "a/empty.txt", stream: 0, at: 15, size: 0 }),
      { name: "folder/", type: "", size: 0, mtime: -1, stream: 1, at: 0 },
      file({ name: "ä.pdf", stream: 4_294_967_295, at: 0, size: 53_687_091_200 }),
    ],
  };
  const { keys } = await newSender();
  const body = await sealManifest(keys, 3, manifest);
  expect(await openManifest(keys, 3, body)).toEqual(manifest);
  expect([...streamSizes(manifest.files)]).toEqual([
    [0, 15],
    [1, 0],
    [4_294_967_295, 53_687_091_200],
  ]);
});

test("its length is a multiple of 4 KiB and 28 bytes, and says nothing about short names [SEAL-9]", async () => {
  const { keys } = await newSender();
  const short = await sealManifest(keys, 0, { final: true, files: [file()] });
  const long = await sealManifest(keys, 0, { final: true, files: [file({ name: "n".repeat(200) })] });
  expect(short.length).toBe(4096 + 28);
  expect(long.length).toBe(4096 + 28);
  const files = Array.from({ length: 100 }, (_, stream) => file({ name: `${stream}.txt`, stream }));
  const many = await sealManifest(keys, 0, { final: true, files });
  expect(many.length).toBe(5 * 4096 + 28);
  expect(sealedManifestSize({ final: true, files })).toBe(many.length);
});

test("another revision, another transfer and the same revision sealed twice are told apart [SEAL-9]", async () => {
  const { keys } = await newSender();
  const { keys: others } = await newSender();
  const manifest: Manifest = { final: true, files: [file()] };
  const body = await sealManifest(keys, 3, manifest);
  expect(await sealManifest(keys, 3, manifest)).not.toEqual(body);
  await expect(openManifest(keys, 2, body)).rejects.toMatchObject({ problem: "damaged" });
  await expect(openManifest(others, 3, body)).rejects.toMatchObject({ problem: "damaged" });
});

test("4,000 files of usual names fit into 1 MiB, and a longer manifest is refused before it is decrypted", async () => {
  const files = Array.from({ length: 4000 }, (_, n) => file({ name: `Pictures/2026/IMG_${n}.jpg`, stream: n }));
  expect(sealedManifestSize({ final: true, files })).toBeLessThan(MAX_MANIFEST_BYTES);
  const { keys } = await newSender();
  const body = new Uint8Array(MAX_MANIFEST_BYTES + 1);
  await expect(openManifest(keys, 0, body)).rejects.toMatchObject({ problem: "manifest" });
});

test.each([
  "",
  "/",
  "..",
  "../a",
  "a/../b",
  "./a",
  "a//b",
  "/etc/passwd",
  String.raw`C:\a`,
  String.raw`a\..\b`,
  "a:b",
  "CON",
  "con.txt",
  "a. ",
  "a.",
  "a\nb",
  "a\u0000b",
  "\u202egpj.exe",
  "e\u0301",
  "\ud800",
  "x".repeat(256),
  `${"a/".repeat(65)}b`,
])("a file of the name %j is refused [SEAL-8]", (name) => {
  expect(() => check({ files: [file({ name })] })).toThrow(refusal);
});

test.each([
  ["no files", { files: [] }],
  ["files that are no list", { files: { length: 1, 0: file() } }],
  ["a file that is a list", { files: [[]] }],
  ["a file that is null", { files: [null] }],
  [
    "more files than a transfer has",
    { files: Array.from({ length: 10_001 }, (_, n) => file({ name: `${n}`, stream: n })) },
  ],
  ["a name twice", { files: [file(), file({ stream: 1 })] }],
  ["names that differ in case alone", { files: [file(), file({ name: "A.TXT", stream: 1 })] }],
  ["a file in the place of a folder", { files: [file({ name: "a" }), file({ name: "a/b", stream: 1 })] }],
  ["a gap before the first file", { files: [file({ at: 1 })] }],
  ["a gap between files", { files: [file(), file({ name: "b", at: 11 })] }],
  ["files that overlap", { files: [file(), file({ name: "b", at: 9 })] }],
  ["two files in one place", { files: [file(), file({ name: "b" })] }],
  ["an empty file inside another", { files: [file(), file({ name: "b", at: 5, size: 0 })] }],
  ["a folder with bytes", { files: [file({ name: "a/" })] }],
  ["a negative size", { files: [file({ size: -1 })] }],
  ["half a byte", { files: [file({ size: 0.5 })] }],
  ["a size that is a text", { files: [{ ...file(), size: "10" }] }],
  ["a size above that of any stream", { files: [file({ size: 2 ** 52 })] }],
  ["a place above any stream", { files: [file({ at: Number.MAX_SAFE_INTEGER })] }],
  ["a size that is null", { files: [{ ...file(), size: null }] }],
  ["a stream whose number takes more than 32 bits", { files: [file({ stream: 4_294_967_296 })] }],
  ["a date that is none", { files: [file({ mtime: 1e17 })] }],
  ["a date that is a text", { files: [{ ...file(), mtime: "2026" }] }],
  ["a type that is a list", { files: [{ ...file(), type: [] }] }],
  ["a very long type", { files: [file({ type: "x".repeat(256) })] }],
  ["no SHA-256 in a final manifest", { files: [{ ...file(), sha256: undefined }] }],
  ["no CRC-32 in a final manifest", { files: [{ ...file(), crc32: undefined }] }],
  ["a SHA-256 in capitals", { files: [file({ sha256: "AB".repeat(32) })] }],
  ["a short CRC-32", { files: [file({ crc32: "0123abc" })] }],
  ["a title that is an object", { title: {}, files: [file()] }],
  ["half a character in the title", { title: "\ud800", files: [file()] }],
  ["an endless message", { message: "x".repeat(10_001), files: [file()] }],
  ["no word about being final", { final: "true", files: [file()] }],
])("a manifest with %s is refused [SEAL-8]", (_, manifest) => {
  expect(() => check(manifest)).toThrow(refusal);
});

test("a manifest of a later format is refused as such, and an endless file or no object as a manifest", () => {
  expect(() => check({ v: 2, files: [file()] })).toThrow(expect.objectContaining({ problem: "version" }));
  const endless = `{"v":1,"final":true,"files":[${JSON.stringify(file()).replace("10", "1e999")}]}`;
  expect(() => checkManifest(JSON.parse(endless))).toThrow(refusal);
  for (const nothing of [null, 1, "x", [], true]) expect(() => checkManifest(nothing)).toThrow(refusal);
});

test("keys of the prototype are neither read nor kept, nor are keys that are not known [SEAL-8]", () => {
  const hostile = `{"v":1,"final":true,"__proto__":{"title":"x"},"files":[
    {"__proto__":{"type":"text/html"},"constructor":1,"name":"a","type":"","size":0,"mtime":0,"stream":0,"at":0,
    "sha256":"${sums.sha256}","crc32":"00000000","path":"../x"}]}`;
  const manifest = checkManifest(JSON.parse(hostile));
  expect(manifest.title).toBeUndefined();
  expect(Object.keys(manifest.files[0] ?? {})).toEqual([
    "name",
    "type",
    "size",
    "mtime",
    "stream",
    "at",
    "sha256",
    "crc32",
  ]);
  expect(({} as { title?: string }).title).toBeUndefined();
  expect(() =>
    checkManifest(JSON.parse(`{"v":1,"final":true,"files":[{"__proto__":${JSON.stringify(file())}}]}`)),
  ).toThrow(refusal);
});
