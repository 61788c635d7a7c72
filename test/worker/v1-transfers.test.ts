import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { crc32Of } from "#domain/checksums.ts";
import { numberedKey } from "#worker/storage/keys.ts";
import { Program, programOf } from "../support/v1.ts";
import { answerOf, Client, contentPath, putOnPlan, rowOf, runSql, sendFile, signUp } from "../support/worker.ts";

type Person = Awaited<ReturnType<typeof signUp>>;

interface Started {
  id: string;
  downloadId: string;
  link: string;
}

interface Sent {
  items: { id: string; name: string }[];
  next: string | null;
}

let person: Person;
let program: Program;

beforeEach(async () => {
  person = await signUp();
  program = await programOf(person);
});

const START = {
  title: "Photos",
  totals: { entries: 2, bytes: 10 },
  entries: {
    from: 0,
    list: [
      ["sea.txt", 5, 0],
      ["land/hill.txt", 5, 0],
    ],
  },
  open: [{ object: 0, runs: [[0, 2]] }],
};

/** Sends the ten bytes of `START` through us. @returns the receipts for the end */
async function sendObject(id: string): Promise<object[]> {
  const sent = await program.fetch(`/transfers/${id}/objects/0/1`, {
    method: "PUT",
    headers: { "content-length": "10" },
    body: "hellothere",
  });
  const { etag } = await sent.json<{ etag: string }>();
  const crc32 = crc32Of(new TextEncoder().encode("hellothere")).toString(16).padStart(8, "0");
  return [{ object: 0, part: 1, etag, crc32 }];
}

describe("a transfer with a key", () => {
  it("starts, takes more files, is completed, and can be downloaded as a ZIP and file by file [PROG-6]", async () => {
    const started = await program.answer<Started>("/transfers", "POST", START);
    expect(started).toMatchObject({
      link: `${env.APP_ORIGIN}/download/${started.downloadId}`,
      resumed: false,
      entries: 2,
      opened: [{ object: 0, partSizeBytes: 10, partCount: 1 }],
      urls: [{ object: 0, part: 1 }],
    });
    const { id, downloadId } = started;
    const more = { totals: { entries: 3, bytes: 10 }, entries: { from: 2, list: [["empty/", 0, 0]] } };
    expect(await program.answer(`/transfers/${id}/files`, "POST", more)).toMatchObject({
      entries: 3,
      stored: [[2, 1]],
    });
    expect(await answerOf(program.post(`/transfers/${id}/complete`, {}))).toMatchObject([
      422,
      { code: "UPLOAD_INCOMPLETE", missingCount: 2 },
    ]);
    const receipts = await sendObject(id);
    const done = await program.answer(`/transfers/${id}/complete`, "POST", { receipts });
    expect(done).toMatchObject({ id, downloadId, name: "Photos.zip", size: 10, entries: 3 });
    expect(await env.BUCKET.head(numberedKey(id, 0))).not.toBeNull();
    const reader = new Client();
    expect(await (await reader.fetch(`/api/v1/links/${downloadId}`)).json()).toMatchObject({
      name: "Photos.zip",
      title: "Photos",
      state: "ready",
      files: 3,
    });
    const first = await (await reader.fetch(`/api/v1/links/${downloadId}/files?limit=2`)).json<Sent>();
    expect(first).toMatchObject({
      items: [
        { n: 0, name: "sea.txt", size: 5 },
        { n: 1, name: "land/hill.txt" },
      ],
      next: "2",
    });
    const second = await (await reader.fetch(`/api/v1/links/${downloadId}/files?cursor=2`)).json<Sent>();
    expect(second).toMatchObject({ items: [{ n: 2, name: "empty/", size: 0 }], next: null });
    const headers = { range: "bytes=1-2" };
    const part = await reader.fetch(`/api/v1/links/${downloadId}/files/1`, { headers });
    expect([part.status, await part.text(), part.headers.get("content-range")]).toEqual([206, "he", "bytes 1-2/5"]);
    expect(await answerOf(reader.fetch(`/api/v1/links/${downloadId}/files/9`))).toMatchObject([
      400,
      { message: "There is no file 9." },
    ]);
  });

  it("lists its files while it uploads, removed ones too, for the key that started it alone [CLI-12]", async () => {
    const { id } = await program.answer<Started>("/transfers", "POST", START);
    await program.answer(`/transfers/${id}/files`, "POST", { remove: [0] });
    const sea = { n: 0, name: "sea.txt", size: 5, type: "text/plain", modifiedAt: "1970-01-01T00:00:00.000Z" };
    const first = await program.answer(`/transfers/${id}/files?limit=1`);
    expect(first).toEqual({ items: [{ ...sea, state: "removed" }], next: "1" });
    const second = await program.answer<Sent>(`/transfers/${id}/files?cursor=1`);
    expect(second).toMatchObject({ items: [{ n: 1, name: "land/hill.txt", state: "arriving" }], next: null });
    const other = await programOf(person);
    expect((await other.fetch(`/transfers/${id}/files`)).status).toBe(404);
    const { uploadId } = await sendFile(person, "hello");
    expect((await program.fetch(`/transfers/${uploadId}/files`)).status).toBe(404);
    expect(await answerOf(program.fetch(`/transfers/${id}/files?cursor=x`))).toMatchObject([400, { field: "cursor" }]);
  });

  it("counts against the key's month, also when it grows, and gives back what it did not send [KEY-10]", async () => {
    const small = await programOf(person, { limits: { monthBytes: 20 } });
    const used = () => rowOf("select month_used as bytes from api_keys where id = ?", small.id);
    const { id } = await small.answer<Started>("/transfers", "POST", START);
    expect(await used()).toEqual({ bytes: 10 });
    const grow = (bytes: number) => answerOf(small.post(`/transfers/${id}/files`, { totals: { entries: 2, bytes } }));
    expect(await grow(21)).toMatchObject([403, { code: "KEY_LIMIT" }]);
    expect((await grow(20))[0]).toBe(200);
    expect((await grow(20))[0]).toBe(200);
    expect(await used()).toEqual({ bytes: 20 });
    const sent = await small.fetch(`/transfers/${id}/objects/0/1`, {
      method: "PUT",
      headers: { "content-length": "10" },
      body: "hellothere",
    });
    const { etag } = await sent.json<{ etag: string }>();
    const crc32 = crc32Of(new TextEncoder().encode("hellothere")).toString(16).padStart(8, "0");
    await small.answer(`/transfers/${id}/complete`, "POST", { receipts: [{ object: 0, part: 1, etag, crc32 }] });
    expect(await used()).toEqual({ bytes: 10 });
  });

  it("is one transfer for one Idempotency-Key [PROG-4]", async () => {
    const start = (body: unknown) =>
      answerOf(
        program.fetch("/transfers", {
          method: "POST",
          headers: { "content-type": "application/json", "idempotency-key": "photos" },
          body: JSON.stringify(body),
        }),
      );
    const [, first] = await start(START);
    const [status, again] = await start(START);
    expect([status, again]).toMatchObject([201, { id: first.id, resumed: true, next: { entry: 2, object: 1 } }]);
    expect(await start({ ...START, title: "Others" })).toMatchObject([409, { code: "REPEATED_DIFFERENTLY" }]);
  });
});

describe("what was sent", () => {
  it("is listed page by page, newest first, whatever is added meanwhile [PROG-7]", async () => {
    const names = ["a.txt", "b.txt", "c.txt", "d.txt", "e.txt"];
    for (const filename of names) await sendFile(person, "x", { filename });
    // Some share a moment.
    await runSql("update files set uploaded_at = 1000 where user_id = ? and filename in ('b.txt', 'c.txt')", person.id);
    await sendFile(await signUp(), "x", { filename: "another's.txt" });
    const listed: string[] = [];
    let cursor = "";
    for (let page = 0; page < 3; page += 1) {
      const answer: Sent = await program.answer(`/transfers?limit=2${cursor}`);
      listed.push(...answer.items.map(({ name }) => name));
      if (page === 0) await sendFile(person, "x", { filename: "new.txt" });
      cursor = `&cursor=${answer.next ?? ""}`;
      expect(answer.next === null).toBe(page === 2);
    }
    expect(listed).toEqual(["e.txt", "d.txt", "a.txt", "c.txt", "b.txt"]);
    expect(((await program.answer<Sent>("/transfers")).items[0] ?? {}).name).toBe("new.txt");
  });

  it.each([
    ["?cursor=nonsense", "cursor is not a cursor. Use the one that the last page brought."],
    ["?limit=101", "limit must be at most 100."],
    ["?limit=0", "limit must be at least 1."],
  ])("is not listed with %s [PROG-7]", async (search, message) => {
    expect(await answerOf(program.fetch(`/transfers${search}`))).toMatchObject([400, { message }]);
  });

  it("is renamed, kept longer, guarded and mailed; also what a browser sent [PROG-7]", async () => {
    await putOnPlan(person.email, "professional");
    const { uploadId: id, downloadId } = await sendFile(person, "hello");
    const change = (body: unknown) => answerOf(program.patch(`/transfers/${id}`, body));
    expect(await change({ name: "renamed.txt", expires: "7d" })).toMatchObject([
      200,
      { name: "renamed.txt", downloads: 0 },
    ]);
    expect(await change({ guards: { maxDownloads: 3 } })).toMatchObject([200, { guards: { maxDownloads: 3 } }]);
    expect(await change({ name: "x.txt", guards: { maxDownloads: 3 } })).toMatchObject([400, { field: "guards" }]);
    expect((await change({}))[0]).toBe(400);
    expect(await program.answer(`/transfers/${id}/downloads`)).toEqual({
      downloads: 0,
      maxDownloads: 3,
      downloadsUsed: 0,
      running: 0,
      isWaiting: false,
    });
    const mailed = await program.post(`/transfers/${id}/mail`, { email: "friend@example.com" });
    expect(mailed.status).toBe(204);
    expect(await program.answer(`/transfers/${id}`)).toMatchObject({ id, downloadId, name: "renamed.txt" });
  });

  it("is deleted with its link, once [PROG-7]", async () => {
    const { uploadId: id, downloadId } = await sendFile(person, "hello");
    expect((await program.fetch(`/transfers/${id}`, { method: "DELETE" })).status).toBe(204);
    expect((await new Client().fetch(contentPath(downloadId))).status).toBe(410);
    expect((await program.fetch(`/transfers/${id}`, { method: "DELETE" })).status).toBe(404);
    expect((await program.answer<Sent>("/transfers")).items).toEqual([]);
  });
});

describe("a link", () => {
  it("of a single file has one file, number 0 [PROG-8]", async () => {
    const { downloadId } = await sendFile(person, "hello", { filename: "a.txt" });
    const path = `/api/v1/links/${downloadId}`;
    const { items } = await (await new Client().fetch(`${path}/files`)).json<Sent>();
    expect(items).toMatchObject([{ n: 0, name: "a.txt", size: 5, state: "stored" }]);
    expect(await (await new Client().fetch(`${path}/files/0`)).text()).toBe("hello");
    expect((await new Client().fetch(`${path}/files/1`)).status).toBe(400);
  });

  it("with a password and a limit opens with a grant and a lease as headers, and never with cookies [PROG-8]", async () => {
    const guards = { password: "open sesame", maxDownloads: 1 };
    const { downloadId } = await sendFile(person, "hello", { guards });
    const path = `/api/v1/links/${downloadId}`;
    const reader = new Client();
    expect(await answerOf(reader.fetch(`${path}/files/0`))).toMatchObject([401, { code: "LINK_LOCKED" }]);
    const unlocked = await reader.post(`${path}/unlock`, { password: "open sesame" });
    expect(unlocked.headers.get("set-cookie")).toBeNull();
    const { grant } = await unlocked.json<{ grant: string }>();
    const authorization = `Bearer ${grant}`;
    expect(await answerOf(reader.fetch(`${path}/files/0`, { headers: { authorization } }))).toMatchObject([
      409,
      { code: "LEASE_NEEDED" },
    ]);
    const taken = await reader.fetch(`${path}/take`, { method: "POST", headers: { authorization } });
    const { lease } = await taken.json<{ lease: string }>();
    const headers = { authorization, "mayfly-lease": lease };
    expect(await (await reader.fetch(`${path}/files/0`, { headers })).text()).toBe("hello");
    // The owner's session counts nowhere here. The download counts once its last byte has been handed over.
    await vi.waitFor(async () => {
      expect((await person.fetch(`${path}/files/0`)).status).toBe(410);
    });
  });
});
