import { expect, it } from "vitest";
import { describeLink } from "#app/features/download/sealed/sealed-files.ts";
import type { Manifest } from "#domain/seal/manifest.ts";
import { sealedSize } from "#domain/seal/sizes.ts";
import type { Runs } from "#domain/transfers/runs.ts";
import type { DownloadInfo } from "#domain/wire.ts";

const file = (name: string, stream: number) => ({ name, type: "", size: 10, mtime: 0, stream, at: 0 });
const MANIFEST: Manifest = { final: true, title: "Summer", files: [file("one.txt", 0), file("two.txt", 1)] };
const infoOf = (status: "ready" | "uploading", revision: number): DownloadInfo => ({
  filename: "sealed.zip",
  size: 76,
  status,
  mimeType: "application/zip",
  downloadUrl: "https://send.example/api/files/download/abc/content",
  transfer: { title: "", entries: 2, bytes: 76, message: null },
  seal: { guard: "sealed", salt: "", revision, final: status === "ready" },
});
const storedOf = (...streams: number[]) => ({
  bytes: new Map(streams.map((stream) => [stream, sealedSize(10)])),
  last: streams.at(-1) ?? -1,
  pictures: new Map(),
  followed: new Map<number, string>(),
});
const describe = (info: DownloadInfo, manifest: Manifest, revision: number, stored = storedOf(0, 1)) =>
  describeLink("abc", info, { manifest, revision }, stored, "Encrypted transfer");

it("waits for the final list of a transfer that has just ended, and refuses one that never becomes final", () => {
  const early = { ...MANIFEST, final: false };
  expect(describe(infoOf("uploading", 3), early, 3)?.title).toBe("Summer");
  expect(describe(infoOf("ready", 4), early, 3)).toBeNull();
  expect(describe(infoOf("ready", 4), MANIFEST, 4)?.files).toHaveLength(2);
  expect(() => describe(infoOf("ready", 4), early, 4)).toThrow("The final list of files is missing.");
});

it("counts what the server holds and the sender's list does not name, once the transfer has ended", () => {
  const unlisted = (info: DownloadInfo, ...streams: number[]) =>
    describe(info, MANIFEST, 4, storedOf(...streams))?.unlisted;
  expect(unlisted(infoOf("ready", 4), 0, 1)).toBe(0);
  expect(unlisted(infoOf("ready", 4), 1)).toBe(0);
  expect(unlisted(infoOf("ready", 4), 0, 1, 2, 5)).toBe(2);
  // A file that the sender has just added is in the next list.
  expect(unlisted(infoOf("uploading", 4), 0, 1, 2)).toBe(0);
});

it("reads a single file from the address that follows its upload, until it is ready [SEAL-40]", () => {
  const single = (info: Partial<DownloadInfo>, final: boolean) => {
    const { transfer: _transfer, ...plain } = infoOf("uploading", 0);
    const manifest: Manifest = { final, files: [file("one.txt", 0)] };
    const followed = new Map(info.followUrl === undefined ? [] : [[0, info.followUrl] as const]);
    const described = describe({ ...plain, ...info }, manifest, 0, { ...storedOf(0), followed });
    return [described?.files.map(({ url, isFollowed }) => [url, isFollowed]), described?.info.followUrl];
  };
  const followUrl = "/api/files/download/abc/content?follow=1";
  expect(single({ followUrl }, false)).toEqual([[[followUrl, true]], followUrl]);
  expect(single({ status: "ready" }, true)).toEqual([[["/api/files/download/abc/content", false]], undefined]);
});

it("reads a large file of a transfer from the address that follows its upload, until it is stored [SEAL-44]", () => {
  const early = { ...MANIFEST, final: false };
  const followUrl = "/api/files/download/abc/entries/1/content?follow=1";
  const listed = (stored: Runs) => {
    const { transfer, ...plain } = infoOf("uploading", 3);
    const info = { ...plain, ...(transfer && { transfer: { ...transfer, stored } }) };
    const described = describe(info, early, 3, { ...storedOf(0, 1), followed: new Map([[1, followUrl]]) });
    return [
      described?.files.map(({ url, isFollowed }) => [url.slice(-18), isFollowed]),
      described?.list?.entries.map((entry) => [entry.state, entry.followUrl]),
    ];
  };
  const urls = [
    ["/entries/0/content", false],
    ["1/content?follow=1", true],
  ];
  expect(listed([])).toEqual([
    urls,
    [
      ["waiting", undefined],
      ["arriving", followUrl],
    ],
  ]);
  expect(listed([[1, 1]])[1]).toEqual([
    ["waiting", undefined],
    ["stored", undefined],
  ]);
});
