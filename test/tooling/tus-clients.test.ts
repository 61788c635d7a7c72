// @module-tag long
import { execFile } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { Upload, type UploadOptions } from "tus-js-client";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { guideCode } from "#app/features/developers/guide-code.ts";
import { embedCode } from "#app/features/requests/embed-code.ts";
import type { ListedUploadRequest, ReceivedPage } from "#domain/wire.ts";
import { CuttingProxy } from "../support/cutting-proxy.ts";
import { postAsPage, START_TIMEOUT_MS, startWranglerDev, type WranglerDev } from "../support/wrangler-dev.ts";

const MIB = 1_048_576;

const run = promisify(execFile);

let server: WranglerDev;
/** Of the person whose key it is. */
let cookie: string;
let key: string;
let folder: string;
let line: CuttingProxy;
/** Of the line to the server. */
let origin: string;

beforeAll(async () => {
  server = await startWranglerDev();
  // Inside the repository, so that a program there finds the packages.
  mkdirSync(resolve(".tmp"), { recursive: true });
  folder = mkdtempSync(resolve(".tmp/tus-clients-"));
  const person = { email: "somebody@example.com", password: "a good password" };
  const registered = await postAsPage(server.origin, "/api/auth/register", person);
  [cookie = ""] = registered.headers.getSetCookie()[0]?.split(";") ?? [];
  const request = { name: "tus", scopes: ["upload"], expiresIn: "7d" };
  ({ key } = (await (await postAsPage(server.origin, "/api/keys", request, cookie)).json()) as { key: string });
}, START_TIMEOUT_MS);

afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

beforeEach(async () => {
  line = new CuttingProxy(server.origin);
  origin = await line.listen();
});

afterEach(() => {
  line.close();
});

function sumOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function options(more: Partial<UploadOptions>): UploadOptions {
  return {
    endpoint: `${origin}/api/v1/tus`,
    headers: { Authorization: `Bearer ${key}` },
    metadata: { filename: "a film.mov" },
    retryDelays: [0, 10, 100, 1000],
    ...more,
  };
}

/** @returns the link */
function send(input: Upload["file"], more: Partial<UploadOptions>): Promise<string> {
  return new Promise((resolve, reject) => {
    const upload = new Upload(input, {
      ...options(more),
      onSuccess: ({ lastResponse }) => {
        resolve(lastResponse.getHeader("Mayfly-Link") ?? "");
      },
      onError: reject,
    });
    upload.start();
  });
}

async function expectFile(link: string, bytes: Uint8Array): Promise<void> {
  const id = link.split("/").at(-1) ?? "";
  const response = await fetch(`${server.origin}/api/files/download/${id}/content`);
  const received = new Uint8Array(await response.arrayBuffer());
  expect([response.status, received.byteLength, sumOf(received)]).toEqual([200, bytes.byteLength, sumOf(bytes)]);
}

describe("tus-js-client", () => {
  it.each([16 * MIB, 3_333_333])("sends a file in requests of %i bytes [TUS-1]", async (chunkSize) => {
    const bytes = randomBytes(20_000_003);
    await expectFile(await send(bytes, { chunkSize }), bytes);
  });

  it.each(["cut", "half open"] as const)(
    "goes on by itself when the line is %s, wherever that is [TUS-1]",
    async (kind) => {
      const bytes = randomBytes(21_000_000);
      line.cuts = [1, 65_000, 5_242_881, 8_388_608, 8_388_609, 20_000_003].map((offset) => ({ offset, kind }));
      await expectFile(await send(bytes, { chunkSize: 16 * MIB }), bytes);
      expect(line.cuts).toEqual([]);
    },
  );

  it("goes on with an upload that another client has begun [TUS-2]", async () => {
    const bytes = randomBytes(9_000_000);
    const chunkSize = 3_333_333;
    const uploadUrl = await new Promise<string | null>((resolve, reject) => {
      const first = new Upload(bytes, {
        ...options({ chunkSize }),
        onChunkComplete: () => {
          first.abort().then(() => {
            resolve(first.url);
          }, reject);
        },
        onError: reject,
      });
      first.start();
    });
    const sent: number[] = [];
    const onChunkComplete = (size: number) => sent.push(size);
    const link = await send(bytes, { endpoint: `${origin}/nowhere`, uploadUrl, chunkSize, onChunkComplete });
    expect(sent).toEqual([3_333_333, 2_333_334]);
    await expectFile(link, bytes);
  });

  it("of the page for developers sends a file over a line that is cut, and prints the link [TUS-3]", async () => {
    const bytes = randomBytes(18_000_000);
    writeFileSync(join(folder, "film.mov"), bytes);
    writeFileSync(join(folder, "send.mjs"), guideCode(origin).tus);
    line.cuts = [{ offset: 3_000_000, kind: "cut" }];
    const env = { PATH: process.env.PATH, MAYFLY_KEY: key };
    const { stdout, stderr } = await run(process.execPath, ["send.mjs"], { cwd: folder, env });
    expect([stderr, line.cuts]).toEqual(["", []]);
    await expectFile(stdout.trim(), bytes);
  });
});

describe("the line for curl", () => {
  it("of an upload request sends a file to its owner, with what the request asks for [REQ-14]", async () => {
    const bytes = randomBytes(3_000_000);
    writeFileSync(join(folder, "photo.jpg"), bytes);
    const asked = { title: "Photos", asksName: true, asksEmail: true, password: "the password", kinds: ["jpg"] };
    const made = await postAsPage(server.origin, "/api/requests", asked, cookie);
    const request = (await made.json()) as ListedUploadRequest;
    const words = { senderName: "", senderEmail: "", password: "", files: "", send: "", arrived: "" };
    const { stdout } = await run("sh", ["-c", embedCode(request, words).shell], { cwd: folder });
    expect(stdout).toMatch(/^HTTP\/1\.1 201 /m);
    expect(stdout).toMatch(/^upload-offset: 3000000\r$/im);
    const received = await fetch(`${server.origin}/api/received`, { headers: { cookie } });
    const { items } = (await received.json()) as ReceivedPage;
    expect(items).toMatchObject([
      { title: "photo.jpg", senderName: "Ann", senderEmail: "ann@example.com", link: null },
    ]);
    const content = `${server.origin}/api/files/download/${items[0]?.downloadId}/content`;
    const file = await fetch(content, { headers: { cookie } });
    expect([file.status, sumOf(new Uint8Array(await file.arrayBuffer()))]).toEqual([200, sumOf(bytes)]);
  });
});

describe("the runtime", () => {
  // The last test of the file: it reads what all tests before it made the server write.
  it("has not reported that anything was left uncaught [TUS-4]", () => {
    expect(server.printed()).not.toMatch(/uncaught|unhandled/i);
  });
});
