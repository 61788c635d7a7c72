import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { expectFile } from "../support/chunked.ts";
import {
  BYTES,
  call,
  checksumOf,
  create,
  metadata,
  newProgram,
  offsetOf,
  send,
  SPOKEN,
  startTus,
  tusOf,
} from "../support/tus.ts";
import { programOf, type Program } from "../support/v1.ts";
import { clientFrom } from "../support/worker-with-env.ts";
import { answerOf, Client, contentPath, monthlyUsage, patternBytes, rowOf, runSql, signUp } from "../support/worker.ts";

const MIB = 1_048_576;
const DAY_MS = 86_400_000;

let program: Program & { id: string };

beforeAll(async () => {
  program = await newProgram();
});

describe("an upload with tus", () => {
  it("starts, goes on where it was, and is a link at the end", async () => {
    const bytes = patternBytes(9 * MIB + 5);
    const started = Date.now();
    const created = await create(program, bytes.byteLength, {
      "upload-metadata": metadata({ filename: "Übersicht.pdf", filetype: "application/pdf", expires: "1d" }),
    });
    expect(created.status).toBe(201);
    expect(await created.text()).toBe("");
    expect(created.headers.get("tus-resumable")).toBe("1.0.0");
    expect(created.headers.get("upload-offset")).toBe("0");
    expect(created.headers.get("location")).toMatch(
      new RegExp(`^${env.APP_ORIGIN}/api/v1/tus/[0-9a-f-]{36}/[\\w-]{22}$`),
    );
    const expires = Date.parse(created.headers.get("upload-expires") ?? "");
    expect(expires).toBeGreaterThan(started + DAY_MS - 2000);
    expect(expires).toBeLessThan(Date.now() + DAY_MS + 1);
    const tus = await tusOf(created);
    const first = await send(tus, 0, bytes.subarray(0, 3_333_333));
    expect([first.status, first.headers.get("upload-offset"), first.headers.get("mayfly-link")]).toEqual([
      204,
      "3333333",
      null,
    ]);
    const head = await call(tus.path, "HEAD");
    expect([head.status, head.headers.get("upload-offset"), head.headers.get("upload-length")]).toEqual([
      200,
      "3333333",
      "9437189",
    ]);
    expect(head.headers.get("cache-control")).toBe("no-store");
    const last = await send(tus, 3_333_333, bytes.subarray(3_333_333));
    expect([last.status, last.headers.get("upload-offset")]).toEqual([204, "9437189"]);
    expect(last.headers.get("mayfly-link")).toBe(`${env.APP_ORIGIN}/download/${tus.downloadId}`);
    expect(last.headers.get("upload-expires")).toBeNull();
    await expectFile(tus.downloadId, bytes);
    const row = "select filename, mime_type as type, expiration, api_key_id as keyId from files where id = ?";
    expect(await rowOf(row, tus.id)).toEqual({
      filename: "Übersicht.pdf",
      type: "application/pdf",
      expiration: "1d",
      keyId: program.id,
    });
    expect(await offsetOf(tus)).toBe(9_437_189);
    expect((await send(tus, 9_437_189, "")).status).toBe(204);
  });

  it("of an empty file is whole after the start", async () => {
    const tus = await tusOf(create(program, 0));
    await expectFile(tus.downloadId, new Uint8Array());
    expect(await offsetOf(tus)).toBe(0);
  });

  it.each([1, MIB - 1, MIB, MIB + 1, 8 * MIB, 8 * MIB + 1])("of %i bytes is the same file", async (size) => {
    const bytes = patternBytes(size);
    const tus = await startTus(size, program);
    expect((await send(tus, 0, bytes)).status).toBe(204);
    await expectFile(tus.downloadId, bytes);
  });

  it("may bring its first bytes with the start, or all of them", async () => {
    const bytes = patternBytes(MIB + 7);
    const begun = await create(program, bytes.byteLength, BYTES, bytes.subarray(0, 100));
    expect([begun.status, begun.headers.get("upload-offset")]).toEqual([201, "100"]);
    const tus = await tusOf(begun);
    expect((await send(tus, 100, bytes.subarray(100))).status).toBe(204);
    await expectFile(tus.downloadId, bytes);
    const whole = await create(program, bytes.byteLength, BYTES, bytes);
    expect([whole.status, whole.headers.get("upload-offset")]).toEqual([201, "1048583"]);
    await expectFile((await tusOf(whole)).downloadId, bytes);
  });

  it("can be sent with POST alone", async () => {
    const tus = await startTus(5, program);
    const post = (method: string, headers: Record<string, string> = {}, body?: BodyInit) =>
      call(tus.path, "POST", { "x-http-method-override": method, ...headers }, body);
    expect((await post("PATCH", { ...BYTES, "upload-offset": "0" }, "hel")).status).toBe(204);
    expect((await post("HEAD")).headers.get("upload-offset")).toBe("3");
    expect((await post("delete")).status).toBe(204);
    expect((await post("HEAD")).status).toBe(410);
    expect((await post("PUT")).status).toBe(400);
    expect((await call(tus.path, "POST")).status).toBe(400);
  });

  it.each([
    ["filename YQ==", "filename YQ=="],
    ["name YQ==,filetype dGV4dC9wbGFpbg==", "name YQ==,filetype dGV4dC9wbGFpbg=="],
    ["is_confidential,x-order MQ==, filename YQ==", "is_confidential,x-order MQ==, filename YQ=="],
    ["filename ZcyB", "filename ZcyB"],
    ["filename YQ==,password b3BlbiBzZXNhbWU=,relativePath YS9i", "filename YQ==,relativePath YS9i"],
    ["password b3BlbiBzZXNhbWU=, filename YQ==", "filename YQ=="],
  ])("answers the metadata %s as it came, without a password", async (sent, told) => {
    const tus = await tusOf(create(program, 5, { "upload-metadata": sent }));
    const heard = async () => (await call(tus.path, "HEAD")).headers.get("upload-metadata");
    expect(await heard()).toBe(told);
    await send(tus, 0, "hello");
    await runSql("update files set filename = 'renamed.txt' where id = ?", tus.id);
    expect(await heard()).toBe(told);
  });

  it("starts at an address that ends in a slash, too", async () => {
    const headers = { ...SPOKEN, "upload-length": "5", "upload-metadata": metadata({ filename: "a.txt" }) };
    const tus = await tusOf(program.fetch("/tus/", { method: "POST", headers }));
    expect((await send(tus, 0, "hello")).status).toBe(204);
    const described = await new Client().fetch("/api/v1/tus/", { method: "OPTIONS" });
    expect([described.status, described.headers.get("tus-version")]).toEqual([204, "1.0.0"]);
  });

  it("has the guards of its metadata", async () => {
    const guarded = metadata({ name: "a.txt", password: "open sesame", downloads: "3" });
    const tus = await tusOf(create(program, 5, { "upload-metadata": guarded }));
    await send(tus, 0, "hello");
    expect(await answerOf(new Client().fetch(contentPath(tus.downloadId)))).toMatchObject([
      401,
      { code: "LINK_LOCKED" },
    ]);
    expect(await rowOf("select max_downloads as n from files where id = ?", tus.id)).toEqual({ n: 3 });
  });

  it("is ended with DELETE, which gives its month back", async () => {
    const person = await signUp();
    const tus = await startTus(5, await programOf(person));
    await send(tus, 0, "hel");
    expect(await monthlyUsage(person.email)).toEqual({ bytes: 5, transfers: 1 });
    expect((await call(tus.path, "DELETE")).status).toBe(204);
    expect(await monthlyUsage(person.email)).toEqual({ bytes: 0, transfers: 0 });
    for (const method of ["HEAD", "DELETE"]) expect((await call(tus.path, method)).status).toBe(410);
    expect(await answerOf(send(tus, 3, "lo"))).toEqual([
      410,
      { code: "UPLOAD_GONE", message: "This upload has ended, and its bytes are gone. Please start another one." },
    ]);
  });

  it("that is finished is not deleted with its tus address", async () => {
    const tus = await startTus(5, program);
    await send(tus, 0, "hello");
    expect(await answerOf(call(tus.path, "DELETE"))).toMatchObject([409, { code: "UPLOAD_FINISHED" }]);
    await expectFile(tus.downloadId, new TextEncoder().encode("hello").slice());
  });
});

describe("the address of an upload with tus", () => {
  it("opens it by itself, and only the whole address does", async () => {
    const tus = await startTus(5, program);
    for (const path of [tus.path.replace(/[^/]+$/, "A".repeat(22)), tus.path.replace(tus.id, crypto.randomUUID())]) {
      for (const method of ["HEAD", "DELETE"]) expect((await call(path, method)).status).toBe(404);
      expect((await send({ ...tus, path }, 0, "hello")).status).toBe(404);
    }
    expect((await call(tus.path.replace(/[^/]+$/, "short"), "HEAD")).status).toBe(400);
    expect((await call(tus.path, "GET")).status).toBe(404);
    expect(await offsetOf(tus)).toBe(0);
  });

  it("is closed to a visitor's cookie, and a visitor's cookie to it", async () => {
    const tus = await startTus(5, program);
    const secret = tus.path.split("/").at(-1) ?? "";
    const visitor = new Client(`mayfly.upload_token=${secret}`);
    expect((await visitor.post("/api/direct-upload/cancel", { downloadId: tus.downloadId })).status).toBe(401);
    expect(await offsetOf(tus)).toBe(0);
  });

  it("lives as long as its key [KEY-14]", async () => {
    const person = await signUp();
    const [revoked, runOut] = [await programOf(person), await programOf(person)];
    const [first, second] = [await startTus(5, revoked), await startTus(5, runOut)];
    await person.delete(`/api/keys/${revoked.id}`);
    expect((await call(first.path, "HEAD")).status).toBe(401);
    await runSql("update api_keys set expires_at = 1 where id = ?", runOut.id);
    expect(await answerOf(send(second, 0, "hello"))).toMatchObject([401, { code: "KEY_INVALID" }]);
  });

  it("is not an upload in chunks or in parts for other calls", async () => {
    const person = await signUp();
    const key = await programOf(person);
    const tus = await startTus(5, key);
    await send(tus, 0, "hel");
    const refused = {
      code: "BAD_REQUEST",
      message: "An upload that was started with tus goes on at its tus address, and no other upload does.",
    };
    const finalized = person.post("/api/chunked-upload/finalize", { uploadId: tus.id });
    expect(await answerOf(finalized)).toMatchObject([400, refused]);
    expect(await answerOf(key.post(`/uploads/${tus.id}/complete`, {}))).toEqual([400, refused]);
    const form = new FormData();
    form.set("chunk", new Blob(["hello"]), "blob");
    form.set("uploadId", tus.id);
    form.set("chunkIndex", "0");
    form.set("totalChunks", "1");
    expect(await answerOf(person.postForm("/api/chunked-upload/chunk", form))).toMatchObject([400, refused]);
    expect(await offsetOf(tus)).toBe(3);
    expect((await key.fetch(`/uploads/${tus.id}`, { method: "DELETE" })).status).toBe(204);
  });
});

describe("a checksum", () => {
  it.each(["sha1", "sha256", "md5"])("by %s is compared before the bytes count", async (name) => {
    const bytes = patternBytes(2 * MIB + 9);
    const tus = await startTus(bytes.byteLength, program);
    const [first, rest] = [bytes.slice(0, 100), bytes.slice(100)];
    expect((await send(tus, 0, first, await checksumOf(first, name))).status).toBe(204);
    expect(await answerOf(send(tus, 100, rest, await checksumOf(first, name)))).toEqual([
      460,
      { code: "CHECKSUM_MISMATCH", message: "What arrived is not what the checksum says. It was dropped." },
    ]);
    expect(await offsetOf(tus)).toBe(100);
    expect((await send(tus, 100, rest, await checksumOf(rest, name))).status).toBe(204);
    await expectFile(tus.downloadId, bytes);
  });

  it("that comes with the start and is wrong leaves an upload without bytes", async () => {
    const created = await create(program, 5, { ...BYTES, ...(await checksumOf(new Uint8Array(5))) }, "hello");
    expect([created.status, created.headers.get("upload-offset")]).toEqual([201, "0"]);
  });
});

describe("what tus says of itself", () => {
  it("is its version, extensions, sums and largest size", async () => {
    const response = await new Client().fetch("/api/v1/tus", { method: "OPTIONS" });
    expect([response.status, response.headers.get("tus-version")]).toEqual([204, "1.0.0"]);
    expect(response.headers.get("tus-extension")).toBe(
      "creation,creation-defer-length,creation-with-upload,termination,checksum,expiration",
    );
    expect(response.headers.get("tus-checksum-algorithm")).toBe("sha1,sha256,md5");
    expect(response.headers.get("tus-max-size")).toBe("53687091200");
  });

  it("can be read by pages of other sites, also what is refused", async () => {
    const preflight = await new Client().fetch("/api/v1/tus", {
      method: "OPTIONS",
      headers: { origin: "https://page.example", "access-control-request-method": "POST" },
    });
    expect(preflight.headers.get("access-control-allow-methods")).toContain("PATCH");
    for (const name of [
      "Tus-Resumable",
      "Upload-Length",
      "Upload-Metadata",
      "Upload-Offset",
      "Upload-Checksum",
      "X-Request-ID",
      "X-Requested-With",
    ]) {
      expect(preflight.headers.get("access-control-allow-headers")).toContain(name);
    }
    const refused = await new Client().fetch("/api/v1/tus", { method: "POST" });
    expect(refused.headers.get("access-control-allow-origin")).toBe("*");
    expect(refused.headers.get("tus-resumable")).toBe("1.0.0");
    for (const name of ["Location", "Mayfly-Link", "Upload-Offset", "Tus-Resumable"]) {
      expect(refused.headers.get("access-control-expose-headers")).toContain(name);
    }
  });
});

describe("a request that is refused", () => {
  it("speaks another version, or none", async () => {
    for (const version of ["0.2.2", ""]) {
      const response = await create(program, 5, { "tus-resumable": version });
      expect(response.headers.get("tus-version")).toBe("1.0.0");
      expect(await answerOf(response)).toEqual([
        412,
        { code: "TUS_VERSION_UNKNOWN", message: "We speak tus 1.0.0. Send Tus-Resumable: 1.0.0." },
      ]);
    }
  });

  it.each([
    ["has no length", { "upload-length": "" }, 400],
    ["has a length and says it later", { "upload-defer-length": "1" }, 400],
    ["says its length at no known time", { "upload-length": "", "upload-defer-length": "2" }, 400],
    ["is a part of a file", { "upload-concat": "partial" }, 400],
    ["has metadata that is not", { "upload-metadata": "filename a.txt" }, 400],
    ["has more than 8 KB of metadata", { "upload-metadata": `filename YQ==,x ${"A".repeat(8180)}` }, 400],
    ["names no file", { "upload-metadata": "" }, 400],
    ["names a folder", { "upload-metadata": metadata({ filename: "a/b" }) }, 400],
    ["keeps its file for no known time", { "upload-metadata": metadata({ filename: "a", expires: "2w" }) }, 400],
    ["asks for no number of downloads", { "upload-metadata": metadata({ filename: "a", downloads: "0x3" }) }, 400],
    ["is larger than any plan allows", { "upload-length": "53687091201" }, 413],
    ["has a checksum that is none", { ...BYTES, "upload-checksum": "sha512 AAAA" }, 400],
    ["brings bytes of another type", { "content-type": "text/plain" }, 415],
    ["brings more than its length", { ...BYTES, "upload-length": "4", "content-length": "5" }, 413],
    ["brings more than a request may", { ...BYTES, "content-length": "100000001" }, 413],
  ])("%s", async (_, headers, status) => {
    const { results } = await env.DB.prepare("select id from files").all();
    const body = "content-type" in headers ? "hello" : undefined;
    const response = await create(program, 200_000_000, headers, body);
    expect(response.status).toBe(status);
    const { message } = await response.json<{ message: string }>();
    expect(message).toMatch(/[.:]/);
    expect((await env.DB.prepare("select id from files").all()).results).toEqual(results);
  });

  it("sends bytes that do not come next, that do not fit, or that are too many", async () => {
    const tus = await startTus(5, program);
    await send(tus, 0, "hel");
    const conflict = { code: "OFFSET_CONFLICT" };
    expect(await answerOf(send(tus, 0, "hel"))).toMatchObject([409, conflict]);
    expect(await answerOf(send(tus, 4, "o"))).toMatchObject([409, conflict]);
    expect(await answerOf(send(tus, 3, "low", { "content-length": "3" }))).toMatchObject([
      413,
      { code: "BODY_TOO_LARGE" },
    ]);
    const unknown = new Response("low").body ?? expect.unreachable();
    expect((await send(tus, 3, unknown)).status).toBe(413);
    expect((await call(tus.path, "PATCH", { ...SPOKEN, ...BYTES }, "lo")).status).toBe(400);
    expect((await send(tus, 3, "lo", { "content-type": "application/octet-stream" })).status).toBe(415);
    const large = { "content-length": "100000001" };
    expect(await answerOf(send(tus, 3, "lo", large))).toEqual([
      413,
      {
        code: "REQUEST_TOO_LARGE",
        message: "A request carries at most 100 MB here. Set chunkSize to 16777216.",
      },
    ]);
    expect(await offsetOf(tus)).toBe(3);
    expect((await send(tus, 3, "lo")).status).toBe(204);
    expect((await send(tus, 3, "lo")).status).toBe(409);
  });

  it.each([
    ["behind the end", 6, "x"],
    ["far behind the end", 999_999_999_999_999, "x"],
    ["at the end, too early", 5, "x"],
    ["too early, with nothing", 5, ""],
    ["in front, with too much", 0, "hello world"],
    ["in between, with too much", 2, "hello world"],
  ])("names a wrong offset, %s: 409", async (_, offset, bytes) => {
    const conflict = [409, { code: "OFFSET_CONFLICT" }];
    const length = { "content-length": String(bytes.length) };
    const tus = await startTus(5, program);
    await send(tus, 0, "hel");
    expect(await answerOf(send(tus, offset, bytes, length))).toMatchObject(conflict);
    const open = await tusOf(create(program, null));
    await send(open, 0, "hel", { "content-length": "3" });
    const declared = { ...length, "upload-length": "5" };
    expect(await answerOf(send(open, offset, bytes, declared))).toMatchObject(conflict);
    expect([await offsetOf(tus), await offsetOf(open)]).toEqual([3, 3]);
    await send(tus, 3, "lo");
    if (offset !== 5) expect(await answerOf(send(tus, offset, bytes, length))).toMatchObject(conflict);
  });

  it("guesses addresses: 20 a minute, and nobody else waits for that", async () => {
    const tus = await startTus(5, program);
    const stranger = clientFrom("2001:db8:7::1", { ...env, RATE_LIMITS: "on" });
    const head = (path: string) => stranger.fetch(path, { method: "HEAD", headers: SPOKEN });
    const statuses: number[] = [];
    while (statuses.length < 21) statuses.push((await head(tus.path.replace(/[^/]+$/, "A".repeat(22)))).status);
    expect(statuses.filter((status) => status === 404)).toHaveLength(20);
    expect(statuses.at(-1)).toBe(429);
    expect((await head(tus.path)).status).toBe(200);
  });

  it("goes beyond the plan, and leaves nothing", async () => {
    const person = await signUp();
    const key = await programOf(person);
    expect(await answerOf(create(key, 40_000_000_000))).toMatchObject([403, { code: "PLAN_LIMIT_EXCEEDED" }]);
    expect(await monthlyUsage(person.email)).toEqual({ bytes: 0, transfers: 0 });
  });
});
