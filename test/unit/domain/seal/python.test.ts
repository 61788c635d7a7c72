// @module-tag long
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { fromBase64url, toBase64url } from "#domain/bytes-as-text.ts";
import { readFragment, writeFragment } from "#domain/seal/fragment.ts";
import { concat, deriveLinkKeys, isEqual, unwrapSecret, type Bytes } from "#domain/seal/keys.ts";
import { openManifest, sealManifest, type Manifest } from "#domain/seal/manifest.ts";
import { markOf } from "#domain/seal/marks.ts";
import { openAbout, openPicture, sealAbout, sealPicture } from "#domain/seal/pictures.ts";
import { deriveStreamKeys, openRecords, recordNonces } from "#domain/seal/records.ts";
import { webpHeader } from "#test/support/pictures/webp.ts";
import { fromHex, hex, newSender, plainBytes, sealStream } from "#test/support/seal/sealed-files.ts";

/** One full record and a short one, an empty stream, and a small one. */
const LENGTHS = [262_130, 0, 1000];
const RECORD = 262_144;
const passwordHash = new Uint8Array(32).fill(0x5a);

const manifestOf = (lengths: number[]): Manifest => ({
  final: true,
  files: lengths.map((size, stream) => ({
    name: `größe/${size}.bin`,
    type: "application/octet-stream",
    size,
    mtime: 1_790_000_000_000,
    stream,
    at: 0,
    sha256: "00".repeat(32),
    crc32: "00000000",
  })),
});

const IMAGE = webpHeader(480, 320);
const FACTS = { width: 480, height: 320, seconds: 12.5 };
/** What Python opens: a tile, a view, and the facts about the picture, with spaces behind them. */
const PICTURES = [
  [1, "tile", hex(IMAGE)],
  [1, "view", hex(IMAGE)],
  [1, "about", hex(new TextEncoder().encode("[480,320,12.5]                  "))],
];

interface Opened {
  error?: string;
  access: string;
  manifest: unknown;
  streams: Record<string, string>;
  pictures: [number, string, string][];
}
interface Sealed extends Omit<Opened, "manifest"> {
  fragment: string;
  wrap: string;
  commitment: string;
  manifest: string;
  marks: Record<string, string>;
}

/** Runs the reader that shares no code with ours. */
function python<Result>(jobs: object[]): Result[] {
  const { error, status, stdout, stderr } = spawnSync("python3", ["test/support/seal/open_sealed.py"], {
    input: JSON.stringify(jobs),
    encoding: "utf8",
    maxBuffer: 1e9,
  });
  if (error)
    throw new Error("This test needs python3 (3.9 or newer, its standard library alone) on the PATH.", {
      cause: error,
    });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as Result[];
}

async function sealTransfer(password: Bytes) {
  const sender = await newSender(password);
  const streams = await Promise.all(LENGTHS.map((length, n) => sealStream(sender.keys, n, plainBytes(length, n))));
  const job = {
    do: "open",
    fragment: writeFragment({ linkSecret: sender.linkSecret, hasPassword: password.length > 0 }),
    passwordHash: hex(password),
    salt: hex(sender.salt),
    wrap: hex(sender.wrap),
    commitment: hex(sender.keys.commitment),
    revision: 5,
    manifest: hex(await sealManifest(sender.keys, 5, manifestOf(LENGTHS))),
    streams: Object.fromEntries(streams.map(({ sealed }, n) => [String(n), hex(sealed)])),
    pictures: [
      [1, "tile", hex(await sealPicture(sender.keys, 1, "tile", IMAGE))],
      [1, "view", hex(await sealPicture(sender.keys, 1, "view", IMAGE))],
      [1, "about", hex(fromBase64url(await sealAbout(sender.keys, 1, FACTS)) ?? new Uint8Array())],
    ],
  };
  return { sender, streams, job };
}

test("Python opens what we seal, with and without a password [SEAL-2]", async () => {
  for (const password of [new Uint8Array(), passwordHash]) {
    const { sender, streams, job } = await sealTransfer(password);
    const [opened] = python<Opened>([job]);
    expect(opened?.error).toBeUndefined();
    expect(opened?.access).toBe(hex(sender.link.access));
    expect(opened?.manifest).toEqual({ v: 1, ...manifestOf(LENGTHS) });
    for (const [n, { plaintext }] of streams.entries()) expect(opened?.streams[n] === hex(plaintext)).toBe(true);
    expect(opened?.pictures).toEqual(PICTURES);
  }
});

test("Python refuses what is cut, reordered, flipped, resized, or opened with another key [SEAL-2]", async () => {
  const { streams, job } = await sealTransfer(passwordHash);
  const [sealed, , small] = streams.map((stream) => stream.sealed);
  if (!sealed || !small) throw new Error("three streams were expected");
  const tile = String(job.pictures[0]?.[2]);
  const withStream = (bytes: Uint8Array) => ({ ...job, streams: { 0: hex(bytes) } });
  const flipped = (bytes: Uint8Array, at: number) => bytes.with(at, (bytes[at] ?? 0) ^ 1);
  const flippedText = (digits: string, at: number) => hex(flipped(fromHex(digits), at));
  const changed = [
    withStream(sealed.slice(0, -1)),
    withStream(sealed.slice(0, RECORD)),
    withStream(concat(sealed.slice(RECORD), sealed.slice(0, RECORD))),
    withStream(concat(sealed, new Uint8Array(1))),
    withStream(small),
    // Another kind of picture, another file's picture, and one that is cut.
    ...[
      [1, "view", tile],
      [0, "tile", tile],
      [1, "tile", tile.slice(0, -2)],
    ].map((picture) => ({ ...job, pictures: [picture] })),
    ...[0, 12, RECORD - 1, RECORD, sealed.length - 1].map((at) => withStream(flipped(sealed, at))),
    { ...job, manifest: flippedText(job.manifest, 0) },
    { ...job, manifest: flippedText(job.manifest, 2000) },
    { ...job, manifest: job.manifest.slice(0, -2) },
    { ...job, revision: 4 },
    { ...job, wrap: flippedText(job.wrap, 30) },
    { ...job, commitment: flippedText(job.commitment, 31) },
    { ...job, salt: flippedText(job.salt, 0) },
    { ...job, passwordHash: flippedText(job.passwordHash, 0) },
    { ...job, fragment: job.fragment.replace(/^2/, "1") },
    { ...job, fragment: job.fragment.slice(0, -1) },
  ];
  const results = python<Opened>(changed);
  expect(results).toHaveLength(23);
  expect(results.filter(({ error }) => error === undefined)).toEqual([]);
});

test("we open what Python seals, and both give the same marks [SEAL-2]", async () => {
  const sender = await newSender(passwordHash);
  const plaintexts = LENGTHS.map((length, n) => plainBytes(length, n));
  const [sealed] = python<Sealed>([
    {
      do: "seal",
      secret: hex(sender.secret),
      linkSecret: hex(sender.linkSecret),
      passwordHash: hex(passwordHash),
      salt: hex(sender.salt),
      wrapNonce: "01".repeat(12),
      revision: 9,
      manifestNonce: "02".repeat(12),
      manifest: { v: 1, ...manifestOf(LENGTHS) },
      streams: Object.fromEntries(plaintexts.map((plaintext, n) => [String(n), hex(plaintext)])),
      pictures: PICTURES,
      pictureNonce: "03".repeat(12),
    },
  ]);
  const fragment = readFragment(sealed?.fragment ?? "");
  if (!sealed || "problem" in fragment) throw new Error("Python's link cannot be read");
  expect(fragment).toEqual({ linkSecret: sender.linkSecret, hasPassword: true });
  const link = await deriveLinkKeys(fragment.linkSecret, passwordHash, sender.salt);
  expect(hex(link.access)).toBe(sealed.access);
  const { keys } = await unwrapSecret(fromHex(sealed.wrap), link, sender.salt, fromHex(sealed.commitment));
  expect(await openManifest(keys, 9, fromHex(sealed.manifest))).toEqual(manifestOf(LENGTHS));
  for (const [n, plaintext] of plaintexts.entries()) {
    const stream = await deriveStreamKeys(keys, n, plaintext.length);
    const opened = await openRecords(stream, 0, fromHex(sealed.streams[n]));
    expect(isEqual(opened, plaintext)).toBe(true);
    const mark = await markOf(keys, n, 1, await recordNonces(stream, 0, plaintext));
    expect(mark).toBe(toBase64url(fromHex(sealed.marks[n])));
  }
  const [tile, view, about] = sealed.pictures.map(([, , picture]) => fromHex(picture));
  if (!tile || !view || !about) throw new Error("three pictures were expected");
  expect(await openPicture(keys, 1, "tile", tile)).toEqual({ image: IMAGE, type: "image/webp" });
  expect(await openPicture(keys, 1, "view", view)).toEqual({ image: IMAGE, type: "image/webp" });
  expect(await openAbout(keys, 1, toBase64url(about))).toEqual(FACTS);
});
