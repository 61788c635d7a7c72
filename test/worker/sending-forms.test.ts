// @module-tag long
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { MIB } from "#domain/units.ts";
import { makeKey } from "../support/v1.ts";
import { workerWith } from "../support/worker-with-env.ts";
import { Client, contentPath, monthlyUsage, patternBytes, rowOf, sha256Of, signUp } from "../support/worker.ts";

let person: Awaited<ReturnType<typeof signUp>>;
let key: string;

beforeEach(async () => {
  person = await signUp();
  ({ key } = await makeKey(person));
});

type Entry = [name: string, value: string] | [name: string, file: Uint8Array<ArrayBuffer>, filename: string];

/** As `curl -F` sends. */
async function post(entries: Entry[], headers: Record<string, string> = {}): Promise<Response> {
  const form = new FormData();
  for (const [name, value, filename] of entries) {
    if (typeof value === "string") form.append(name, value);
    else form.append(name, new File([value], filename ?? ""));
  }
  const encoded = new Response(form);
  const body = await encoded.arrayBuffer();
  const type = encoded.headers.get("content-type") ?? "";
  const own = { authorization: `Bearer ${key}`, "content-type": type, "content-length": String(body.byteLength) };
  return new Client().fetch("/", { method: "POST", headers: { ...own, ...headers }, body });
}

interface Answer {
  id: string;
  downloadId: string;
  name: string;
  size: number;
  entries?: number;
}

const JSON_WANTED = { accept: "application/json" };
const keys = async () => (await env.BUCKET.list()).objects.map((object) => object.key);

describe("a form", () => {
  it.each([0, 5, 8 * MIB + 1, 17 * MIB])(
    "with one file of %i bytes makes a link of that file",
    async (size) => {
      const bytes = patternBytes(size);
      const answer = await (await post([["f", bytes, "one.txt"]], JSON_WANTED)).json<Answer>();
      expect(answer).toMatchObject({ name: "one.txt", size });
      expect(answer.entries).toBeUndefined();
      const download = await new Client().fetch(contentPath(answer.downloadId));
      expect(await sha256Of(await download.arrayBuffer())).toBe(await sha256Of(bytes));
      expect((await keys()).filter((name) => name.startsWith("incoming/"))).toEqual([]);
    },
    60_000,
  );

  it("with several files makes one link, which counts as one transfer [SEND-3]", async () => {
    const sizes = [5, 0, 9 * MIB, 17 * MIB];
    const bytes = sizes.map((size, index) => patternBytes(size, index + 1));
    const entries = bytes.map((content, index): Entry => [`f${index}`, content, `file-${index}.bin`]);
    const response = await post(entries, JSON_WANTED);
    const answer = await response.json<Answer>();
    expect([response.status, answer]).toMatchObject([201, { name: "file-0.bin.zip", entries: 4, size: 27_262_981 }]);
    for (const [index, content] of bytes.entries()) {
      const path = `/api/files/download/${answer.downloadId}/entries/${index}/content`;
      const entry = await new Client().fetch(path);
      expect([index, entry.status]).toEqual([index, 200]);
      expect(await sha256Of(await entry.arrayBuffer())).toBe(await sha256Of(content));
    }
    expect(await monthlyUsage(person.email)).toEqual({ bytes: 27_262_981, transfers: 1 });
    expect((await keys()).filter((name) => name.startsWith("incoming/"))).toEqual([]);
  });

  it("may choose in its fields, before and after its files", async () => {
    const response = await post([
      ["downloads", "3"],
      ["f", patternBytes(5), "a.txt"],
      ["g", patternBytes(6), "b.txt"],
      ["expires", "1d"],
      ["name", "Holiday"],
    ]);
    const downloadId = (await response.text()).trim().slice(-22);
    const row = await rowOf(
      "select filename, expiration, max_downloads as downloads from files where download_id = ?",
      downloadId,
    );
    expect(row).toEqual({ filename: "Holiday", expiration: "1d", downloads: 3 });
  });
});

describe("a form is refused, and leaves nothing,", () => {
  const file: Entry = ["f", patternBytes(5), "a.txt"];
  it.each([
    ["without a file", [["expires", "1d"]], 400],
    ["with an unknown expiry", [file, ["expires", "2d"]], 400],
    ["with 25 files", Array.from({ length: 25 }, (_, n): Entry => ["f", patternBytes(5), `${n}.txt`]), 400],
    ["with an expiry that the plan lacks", [file, ["g", patternBytes(5), "b.txt"], ["expires", "7d"]], 403],
  ] as [string, Entry[], number][])("%s", async (_, entries, status) => {
    const before = (await keys()).length;
    const response = await post(entries, JSON_WANTED);
    expect([response.status, await response.json()]).toMatchObject([status, { message: expect.any(String) as string }]);
    expect(await keys()).toHaveLength(before);
    expect(await monthlyUsage(person.email)).toEqual({ bytes: 0, transfers: 0 });
  });

  it("with a field that mails its link, and a key that may not mail: 403", async () => {
    const { key: sender } = await makeKey(person, { scopes: ["upload"] });
    const response = await post([file, ["to", "friend@example.com"]], { authorization: `Bearer ${sender}` });
    expect([response.status, await response.text()]).toEqual([
      403,
      "This API key may not do that: it lacks files:write.",
    ]);
    expect(await monthlyUsage(person.email)).toEqual({ bytes: 0, transfers: 0 });
  });

  it("that is no form: 415", async () => {
    const response = await post([file], { "content-type": "text/plain" });
    expect(response.status).toBe(415);
  });

  it("above 100 MB: 413", async () => {
    const response = await post([file], { "content-length": "100016385" });
    expect([response.status, response.headers.get("connection")]).toEqual([413, "close"]);
  });

  it("without a length, above what a request carries: 413 [SEND-10]", async () => {
    const before = (await keys()).length;
    const form = new FormData();
    form.append("f", new File([patternBytes(17 * MIB)], "a.bin"));
    const encoded = new Response(form);
    const headers = { authorization: `Bearer ${key}`, "content-type": encoded.headers.get("content-type") ?? "" };
    const body = encoded.body?.pipeThrough(new IdentityTransformStream()) ?? null;
    const request = new Request(`${env.APP_ORIGIN}/`, { method: "POST", headers, body });
    const response = await workerWith({ ...env, MAX_REQUEST_MB: "17" })(request);
    expect([response.status, await response.text()]).toEqual([
      413,
      `A request carries at most 17 MB here. Send larger files with send.sh: ${env.APP_ORIGIN}/send.sh`,
    ]);
    expect(await keys()).toHaveLength(before);
  });

  it("of a page: 403 [SEND-9]", async () => {
    const response = await post([file], { origin: env.APP_ORIGIN });
    expect([response.status, await response.text()]).toEqual([
      403,
      "This address is for programs. Pages send files with the calls of /api.",
    ]);
  });
});
