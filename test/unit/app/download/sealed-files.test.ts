import { expect, it } from "vitest";
import { formatPick } from "#domain/transfers/selection.ts";
import type { Manifest } from "#domain/seal/manifest.ts";
import { sealedSize } from "#domain/seal/sizes.ts";
import type { DownloadInfo } from "#domain/wire.ts";
import {
  describeSealed,
  findWanted,
  placeFiles,
  presentFiles,
  titleOf,
} from "#app/features/download/sealed/sealed-files.ts";

const MTIME = Date.UTC(2026, 0, 31, 12);
const file = (name: string, stream: number, at: number, size: number, type = "") => ({
  name,
  type,
  size,
  mtime: MTIME,
  stream,
  at,
});
const MANIFEST: Manifest = {
  final: true,
  title: "Summer",
  message: "Have fun",
  files: [file("a/one.txt", 0, 0, 10), file("two.png", 1, 0, 20, "image/png"), file("three.bin", 1, 20, 5)],
};
const INFO: DownloadInfo = {
  filename: "sealed.zip",
  size: 91,
  status: "ready",
  mimeType: "application/zip",
  downloadUrl: "https://send.example/api/files/download/abc/content",
  transfer: { title: "Transfer", entries: 2, bytes: 91, message: null },
};
const streams = (...sizes: [number, number][]) => ({
  bytes: new Map(sizes),
  last: sizes.at(-1)?.[0] ?? -1,
  pictures: new Map(),
});

it("places each file in its stream, and numbers files as the server numbers streams where it can", () => {
  const placed = placeFiles("abc", MANIFEST, true);
  expect(placed.map(({ n, entry, at, streamBytes, url }) => [n, entry, at, streamBytes, url])).toEqual([
    [0, 0, 0, 10, "/api/files/download/abc/entries/0/content"],
    [1, 1, 0, 25, "/api/files/download/abc/entries/1/content"],
    [20_002, 1, 20, 25, "/api/files/download/abc/entries/1/content"],
  ]);
  expect(placed.map(({ type }) => type)).toEqual(["text/plain", "image/png", "application/octet-stream"]);
  expect(placeFiles("abc", MANIFEST, false)[2]).toMatchObject({ n: 20_002, entry: null, at: 20 });
});

it("leaves out what was removed, and refuses a stream of another size", () => {
  const placed = placeFiles("abc", MANIFEST, true);
  const names = (stored: ReturnType<typeof streams>, isReady: boolean) =>
    presentFiles(placed, stored, isReady).map(({ name }) => name);
  expect(names(streams([0, sealedSize(10)], [1, sealedSize(25)]), true)).toHaveLength(3);
  expect(names(streams([1, sealedSize(25)]), true)).toEqual(["two.png", "three.bin"]);
  // While it arrives: stream 0 was removed, stream 2 is not announced yet.
  expect(names(streams([1, sealedSize(25)]), false)).toEqual(["two.png", "three.bin"]);
  expect(names(streams([0, sealedSize(10)]), false)).toHaveLength(3);
  expect(() => names(streams([0, sealedSize(11)], [1, sealedSize(25)]), true)).toThrow(/another size/);
});

it("shows a transfer with the names, words and sizes of its manifest", () => {
  const placed = placeFiles("abc", MANIFEST, true);
  const { info, list } = describeSealed(
    { ...INFO, status: "uploading", transfer: { title: "", entries: 2, bytes: 91, message: null, stored: [[1, 1]] } },
    MANIFEST,
    placed,
    "Summer",
  );
  expect(info.transfer).toEqual({
    title: "Summer",
    entries: 3,
    bytes: 35,
    message: "Have fun",
    stored: [
      [1, 1],
      [20_002, 1],
    ],
  });
  expect(list?.entries.map(({ path, size, state }) => [path, size, state])).toEqual([
    ["a/one.txt", 10, "waiting"],
    ["two.png", 20, "stored"],
    ["three.bin", 5, "stored"],
  ]);
  expect(list?.entries[0]?.modifiedAt).toBe("2026-01-31T12:00:00.000Z");
});

it("shows the picture of a stream as that of its first file, and how many there are", () => {
  const picture = { about: "sealed", view: true } as const;
  const { info, list } = describeSealed(
    { ...INFO, transfer: { title: "", entries: 2, bytes: 91, message: null, pictures: 1 } },
    MANIFEST,
    placeFiles("abc", MANIFEST, true),
    "Summer",
    new Map([[1, picture]]),
  );
  expect(info.transfer?.pictures).toBe(1);
  expect(list?.entries.map((entry) => entry.picture)).toEqual([undefined, picture, undefined]);
});

it("shows one file as a file, with its sum", () => {
  const sums = { sha256: "ab".repeat(32), crc32: "0".repeat(8) };
  const manifest: Manifest = { final: true, files: [{ ...file("a/one.txt", 0, 0, 10), ...sums }] };
  const { transfer: _transfer, ...single } = INFO;
  const { info, list } = describeSealed(single, manifest, placeFiles("abc", manifest, false), "Summer");
  expect(list).toBeNull();
  expect(info).toMatchObject({ filename: "one.txt", size: 10, mimeType: "text/plain", sha256: sums.sha256 });
  expect(titleOf(manifest, "Encrypted transfer")).toBe("one.txt");
  expect(titleOf({ ...MANIFEST, title: "" }, "Encrypted transfer")).toBe("Encrypted transfer");
});

it("finds what a click asks for", () => {
  const placed = placeFiles("abc", MANIFEST, true);
  const link = "https://send.example/api/files/download/abc";
  const wanted = (href: string) => {
    const found = findWanted(href, placed, "Summer");
    return found && [found.name, found.isArchive, found.files.map(({ n }) => n)];
  };
  expect(wanted(`${link}/content`)).toEqual(["Summer.zip", true, [0, 1, 20_002]]);
  expect(wanted(`${link}/entries/20002/content`)).toEqual(["three.bin", false, [20_002]]);
  expect(wanted(`${link}/entries/7/content`)).toBeNull();
  expect(wanted(`${link}/content?v=1&pick=${formatPick([0, 20_002])}`)).toEqual([
    "Summer (2 files).zip",
    true,
    [0, 20_002],
  ]);
  const single = placeFiles("abc", { final: true, files: [file("one.txt", 0, 0, 10)] }, false);
  expect(findWanted(`${link}/content`, single, "one.txt")).toMatchObject({ name: "one.txt", isArchive: false });
});
