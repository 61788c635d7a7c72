import { createHash, randomBytes } from "node:crypto";
import { openAsBlob } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { fromBase64url } from "#domain/bytes-as-text.ts";
import { planParts } from "#domain/parts.ts";
import { readFragment } from "#domain/seal/fragment.ts";
import { concat, deriveContentKeys, type Bytes } from "#domain/seal/keys.ts";
import { openManifest } from "#domain/seal/manifest.ts";
import { deriveStreamKeys, openRecords } from "#domain/seal/records.ts";
import { toNumbers } from "#domain/transfers/runs.ts";
import type {
  AnnouncedEntry,
  StartUploadAnswer,
  TransferBatch,
  TransferBatchAnswer,
  CompletedObjectPart,
} from "#domain/wire.ts";
import type { Calls } from "#engine/calls.ts";
import { DirectUpload } from "#engine/direct-upload.ts";
import type { DirectPorts } from "#engine/ports.ts";
import { prepareList } from "#engine/transfer/transfer-list.ts";
import { TransferUpload } from "#engine/transfer/transfer-upload.ts";
import { linksInMemory, NO_EVENTS, nodePorts } from "./node-ports.ts";

/** Three parts of 8 MiB, the last one short. */
const CONTENT = randomBytes(17_000_000);
const OPTIONS = { expiration: "1d", expirationChosen: true } as const;
const LINK = { downloadId: "link", shareUrl: "https://example.com/download/link" };
const FINISHED = { id: "file", ...LINK, downloadUrl: "", expiresAt: null };

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

let folder = "";
let storage: Server;
let address = "";
/** What was PUT, by path. */
const stored = new Map<string, Uint8Array>();
/** As the requests announced them. */
const lengths: (string | undefined)[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "engine-"));
  storage = createServer((request, response) => {
    const pieces: Buffer[] = [];
    lengths.push(request.headers["content-length"]);
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      stored.set(request.url ?? "", concat(...pieces));
      response.writeHead(200, { etag: `etag of ${request.url ?? ""}` }).end();
    });
  });
  await new Promise<void>((resolve) => storage.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${(storage.address() as AddressInfo).port}`;
});
afterAll(async () => {
  storage.closeAllConnections();
  storage.close();
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  stored.clear();
  lengths.length = 0;
});

/** Three parts, joined. */
function storedParts(object: string): Bytes {
  return concat(...[1, 2, 3].map((part) => stored.get(`${object}/${part}`) ?? new Uint8Array()));
}

/** A file of the disk, whose bytes are read when they are asked for. */
async function fileOnDisk(name: string, content: Uint8Array): Promise<File> {
  await writeFile(join(folder, name), content);
  return new File([await openAsBlob(join(folder, name))], name, { lastModified: 1000 });
}

function startAnswer(fileSize: number): StartUploadAnswer {
  const multipart = planParts(fileSize);
  const parts = Array.from({ length: multipart.partCount }, (_, index) => index + 1);
  const urls = parts.map((part) => ({ part, url: `${address}/${part}` }));
  const fileData = { contentType: "application/octet-stream" };
  return { ...LINK, uploadId: "file", presignedUrl: "", fileData, expiresAt: null, multipart, urls, received: [] };
}

it("a file of the disk is sent in parts with a fixed length, and its sums are told, but no fileData [API-16, ENT-16]", async () => {
  const completed: object[] = [];
  const calls: Partial<Calls> = {
    startUpload: ({ fileSize }) => Promise.resolve(startAnswer(fileSize)),
    completeUpload: (body) => {
      completed.push(body);
      return Promise.resolve({ ...FINISHED, filename: "film.bin", size: CONTENT.length });
    },
  };
  const file = await fileOnDisk("film.bin", CONTENT);
  const result = await new DirectUpload(nodePorts(calls), file, OPTIONS, NO_EVENTS).run();
  expect(result.shareUrl).toBe("https://example.com/download/link");
  const sent = storedParts("");
  expect(sha256(sent)).toBe(sha256(CONTENT));
  expect(lengths.sort()).toEqual(["222784", "8388608", "8388608"]);
  expect(completed).toMatchObject([{ downloadId: "link", sha256: sha256(CONTENT) }]);
  expect(completed.map((body) => Object.keys(body).sort())).toEqual([
    ["crc32", "downloadId", "receipts", "sha256", "summary"],
  ]);
});

it("a photograph has a tile made beside its parts and a view when it is ready, and a refusal of both changes nothing [PIC-30, PIC-31]", async () => {
  const happened: string[] = [];
  const calls: Partial<Calls> = {
    startUpload: ({ fileSize }) => Promise.resolve(startAnswer(fileSize)),
    completeUpload: () => {
      happened.push("ready");
      return Promise.resolve({ ...FINISHED, filename: "harbour.jpg", size: CONTENT.length });
    },
    sendPictures: (downloadId, pictures) => {
      happened.push(...pictures.map(({ n, kind }) => `${kind} ${n} of ${downloadId} is sent`));
      return Promise.resolve({ stored: 0, refused: pictures.map(({ n, kind }) => ({ n, kind, reason: "full" })) });
    },
  };
  const pictures: DirectPorts["pictures"] = {
    atOnce: 1,
    make: (file, kind) => {
      happened.push(`${kind} of ${file.name} is made`);
      return Promise.resolve({ image: new Blob(["picture"]), width: 480, height: 320 });
    },
  };
  const file = await fileOnDisk("harbour.jpg", CONTENT);
  const tiles: number[] = [];
  const events = { ...NO_EVENTS, onTile: (n: number) => tiles.push(n) };
  const result = await new DirectUpload({ ...nodePorts(calls), pictures }, file, OPTIONS, events).run();
  expect(result.shareUrl).toBe("https://example.com/download/link");
  await vi.waitFor(() => {
    expect(happened).toEqual([
      "tile of harbour.jpg is made",
      "tile 0 of link is sent",
      "ready",
      "view of harbour.jpg is made",
      "view 0 of link is sent",
    ]);
  });
  expect(tiles).toEqual([0]);
});

it("a sealed file opens with the link that the engine gives away", async () => {
  const manifests: string[] = [];
  const calls: Partial<Calls> = {
    startUpload: ({ fileSize }) => Promise.resolve(startAnswer(fileSize)),
    putManifest: (_uploadId, { body }) => Promise.resolve(void manifests.push(body)),
    completeUpload: () => Promise.resolve({ ...FINISHED, filename: "sealed-00000", size: 0 }),
  };
  const links = linksInMemory();
  const file = await fileOnDisk("secret.bin", CONTENT);
  const options = { ...OPTIONS, sealed: true };
  const result = await new DirectUpload(nodePorts(calls, links), file, options, NO_EVENTS).run();
  const kept = links.kept.get("link");
  if (!kept) throw new Error("the link was not kept");
  expect(readFragment(result.shareUrl.split("#")[1] ?? "")).toEqual({
    linkSecret: kept.linkSecret,
    hasPassword: false,
  });
  const keys = await deriveContentKeys(kept.secret, kept.salt);
  const manifest = await openManifest(keys, 1, fromBase64url(manifests[0] ?? "") ?? new Uint8Array());
  expect(manifest.files).toMatchObject([{ name: "secret.bin", size: 17_000_000, sha256: sha256(CONTENT) }]);
  const sealed = storedParts("");
  const opened = await openRecords(await deriveStreamKeys(keys, 0, CONTENT.length), 0, sealed);
  expect(sha256(opened)).toBe(sha256(CONTENT));
});

it("small files of the disk are sent in one pack, and a large one in parts", async () => {
  const announced: AnnouncedEntry[] = [];
  const receipts: CompletedObjectPart[] = [];
  const take = (batch: Partial<TransferBatch>): Promise<TransferBatchAnswer> => {
    announced.push(...(batch.entries?.list ?? []));
    receipts.push(...(batch.receipts ?? []));
    const opened = (batch.open ?? []).map(({ object, runs }) => {
      const sizes = toNumbers(runs).map((n) => announced[n]?.[1] ?? 0);
      return { object, ...planParts(sizes.reduce((sum, size) => sum + size)) };
    });
    const urls = opened.flatMap(({ object, partCount }) =>
      Array.from({ length: partCount }, (_, index) => {
        const part = index + 1;
        return { object, part, url: `${address}/${object}/${part}` };
      }),
    );
    return Promise.resolve({ entries: announced.length, opened, urls, stored: [], received: [], again: [] });
  };
  const calls: Partial<Calls> = {
    startTransfer: async (start) => ({
      ...(await take(start)),
      ...LINK,
      uploadId: "file",
      resumed: false,
      expiresAt: null,
    }),
    sendBatch: (_downloadId, batch) => take(batch),
    finishTransfer: (_downloadId, last) => {
      receipts.push(...(last.receipts ?? []));
      return Promise.resolve({ ...FINISHED, filename: "folder.zip", size: 17_000_011, zipSize: 0, entries: 3 });
    },
  };
  const files = await Promise.all([
    fileOnDisk("a.txt", new TextEncoder().encode("hello")),
    fileOnDisk("b.txt", new TextEncoder().encode("world!")),
    fileOnDisk("film.bin", CONTENT),
  ]);
  const list = prepareList(files.map((file) => ({ path: `folder/${file.name}`, file })));
  const options = { ...OPTIONS, title: "", message: "" };
  const result = await new TransferUpload(nodePorts(calls), list, options, NO_EVENTS).run();
  expect(result.shareUrl).toBe("https://example.com/download/link");
  expect(announced).toEqual([
    ["folder/a.txt", 5, 1000],
    ["folder/b.txt", 6, 1000],
    ["folder/film.bin", 17_000_000, 1000],
  ]);
  expect(new TextDecoder().decode(stored.get("/0/1"))).toBe("helloworld!");
  expect(sha256(storedParts("/1"))).toBe(sha256(CONTENT));
  expect(receipts.map(({ object, part, etag }) => [object, part, etag]).sort()).toEqual([
    [0, 1, "etag of /0/1"],
    [1, 1, "etag of /1/1"],
    [1, 2, "etag of /1/2"],
    [1, 3, "etag of /1/3"],
  ]);
});
