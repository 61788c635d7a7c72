import { runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#domain/units.ts";
import type { ListedFile, UnfinishedUpload } from "#domain/wire.ts";
import { init } from "../support/chunked.ts";
import { createRequest, Sender } from "../support/requests.ts";
import { startRequest, startTransfer, textFile } from "../support/transfers.ts";
import { create, metadata, tusOf } from "../support/tus.ts";
import { makeKey, Program } from "../support/v1.ts";
import {
  answerOf,
  Client,
  monthlyUsage,
  putIncoming,
  putOnPlan,
  rowOf,
  runSql,
  sendFile,
  signUp,
  stopClockAt,
} from "../support/worker.ts";

const FILES = [textFile("a.txt")];

afterEach(() => {
  vi.useRealTimers();
});

/** A moment as clients write it, with another offset than ours. */
function inBerlin(atMs: number): string {
  return new Date(atMs + HOUR_MS).toISOString().replace("Z", "+01:00");
}

/** The keys of all objects: those of other tests stay. */
async function stored(): Promise<string[]> {
  return (await env.BUCKET.list()).objects.map(({ key }) => key);
}

interface Column {
  end: number | null;
  expiration: string;
  expiresAt: number | null;
}

function columnsOf(person: { id: string }): Promise<Column> {
  return rowOf("select chosen_end as end, expiration, expires_at as expiresAt from files where user_id = ?", person.id);
}

/** Every start, as its callers make it. Each takes further fields. */
type Fields = Record<string, string>;
type Start = (person: Client, fields: Fields) => Promise<Response>;

const file = { filename: "a.txt", fileType: "text/plain" };

async function programWith(person: Client): Promise<Program> {
  const { key } = await makeKey(person);
  return new Program(key);
}

async function sendAsCurl(person: Client, path: string, init: RequestInit): Promise<Response> {
  const { key } = await makeKey(person);
  const authorization = `Bearer ${key}`;
  return new Client().fetch(path, { ...init, headers: { ...(init.headers as Fields), authorization } });
}

const formWith = (fields: Fields) => {
  const form = new FormData();
  for (const [name, text] of Object.entries(fields)) form.set(name, text);
  form.set("file", new File(["hello"], "a.txt"));
  return form;
};

const posted = (body: object): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

/** The names of a duration in each start. */
const STARTS: [string, string, Start][] = [
  [
    "a direct upload",
    "expiration",
    (person, fields) => person.post("/api/direct-upload/presigned-url", { ...file, fileSize: 5, ...fields }),
  ],
  [
    "an upload in chunks",
    "expiration",
    (person, fields) =>
      person.post("/api/chunked-upload/init", { ...file, totalSize: "5", totalChunks: "1", ...fields }),
  ],
  [
    "a form of the site",
    "expiration",
    (person, fields) => person.postForm("/api/direct-upload/proxy-upload", formWith(fields)),
  ],
  [
    "a transfer",
    "expiration",
    (person, fields) => person.post("/api/transfers", startRequest(FILES, { expiration: undefined, ...fields })),
  ],
  [
    "PUT with a query",
    "expires",
    (person, fields) =>
      sendAsCurl(person, `/a.txt?${new URLSearchParams(fields).toString()}`, { method: "PUT", body: "hello" }),
  ],
  [
    "PUT with headers",
    "expires",
    (person, { expires, expiresAt = "" }) =>
      sendAsCurl(person, "/a.txt", {
        method: "PUT",
        body: "hello",
        headers: { "mayfly-expires-at": expiresAt, ...(expires !== undefined && { "mayfly-expires": expires }) },
      }),
  ],
  [
    "a program's form",
    "expires",
    async (person, fields) => {
      const encoded = new Response(formWith(fields));
      const headers = { "content-type": encoded.headers.get("content-type") ?? "" };
      return sendAsCurl(person, "/", { method: "POST", body: await encoded.arrayBuffer(), headers });
    },
  ],
  [
    "tus",
    "expires",
    async (person, fields) =>
      create(await programWith(person), 5, { "upload-metadata": metadata({ filename: "a.txt", ...fields }) }),
  ],
  [
    "an upload of /api/v1",
    "expires",
    async (person, fields) =>
      (await programWith(person)).fetch("/uploads", posted({ name: "a.txt", size: 5, ...fields })),
  ],
  [
    "a transfer of /api/v1",
    "expires",
    async (person, fields) =>
      (await programWith(person)).fetch(
        "/transfers",
        posted(startRequest(FILES, { expiration: undefined, ...fields })),
      ),
  ],
];

describe.each(STARTS)("%s", (_what, duration, start) => {
  it("ends at the chosen moment, to the millisecond [END-1]", async () => {
    const person = await signUp();
    const end = Date.now() + 2 * DAY_MS + 12_345;
    const response = await start(person, { expiresAt: inBerlin(end) });
    expect([200, 201]).toContain(response.status);
    expect(await columnsOf(person)).toMatchObject({ end, expiration: "3d" });
  });

  it("refuses an end that is past, too near, beyond the plan, or beside a duration, and stores nothing [END-2, END-3]", async () => {
    const person = await signUp();
    const before = await stored();
    const now = Date.now();
    for (const [status, fields] of [
      [400, { expiresAt: inBerlin(now - DAY_MS) }],
      [400, { expiresAt: inBerlin(now + MINUTE_MS - 1) }],
      [403, { expiresAt: inBerlin(now + 3 * DAY_MS + MINUTE_MS) }],
      [400, { expiresAt: inBerlin(now + DAY_MS), [duration]: "1d" }],
      [400, { expiresAt: "2026-12-04T18:00:00" }],
    ] as const) {
      const response = await start(person, fields);
      expect([response.status, fields]).toEqual([status, fields]);
    }
    expect(await monthlyUsage(person.email)).toEqual({ bytes: 0, transfers: 0 });
    expect(await stored()).toEqual(before);
  });
});

describe("an exact end", () => {
  it("is refused in plain words", async () => {
    const person = await signUp();
    const start = (more: Fields) =>
      answerOf(person.post("/api/direct-upload/presigned-url", { ...file, fileSize: 5, ...more }));
    const at = new Date(Date.now() + DAY_MS).toISOString();
    expect(await start({ expiresAt: at, expiration: "1d" })).toMatchObject([
      400,
      { message: "Choose either how long the link works or when it ends, not both.", field: "expiresAt" },
    ]);
    expect(await start({ expiresAt: new Date().toISOString() })).toMatchObject([
      400,
      { message: "The link has to end at least a minute from now.", field: "expiresAt" },
    ]);
    expect(await start({ expiresAt: "tomorrow" })).toMatchObject([
      400,
      { message: "expiresAt must be a moment with an offset such as 2026-12-04T18:00:00+01:00." },
    ]);
    expect(await start({ expiresAt: new Date(Date.now() + 5 * DAY_MS).toISOString() })).toMatchObject([
      403,
      { planLimitExceeded: true },
    ]);
  });

  it("is the end of the finished link: a moment later, everything answers 410 [END-1]", async () => {
    const person = await signUp();
    const end = Date.now() + HOUR_MS;
    const expiresAt = new Date(end).toISOString();
    const { downloadId } = await sendFile(person, "hello", { expiration: undefined, expiresAt });
    const info = () => answerOf(new Client().fetch(`/api/files/download/${downloadId}`));
    expect(await info()).toMatchObject([200, { expiresAt }]);
    stopClockAt(end - 1);
    expect((await info())[0]).toBe(200);
    stopClockAt(end);
    expect((await info())[0]).toBe(410);
  });

  it("may be years ahead on a plan that keeps files forever [END-2]", async () => {
    const person = await signUp();
    await putOnPlan(person.email, "ultimate");
    await person.startUpload(5, { expiration: undefined, expiresAt: "2099-01-01T00:00:00Z" });
    expect(await columnsOf(person)).toMatchObject({ end: Date.UTC(2099, 0, 1), expiration: "never" });
  });

  it("goes on with a resumed upload, and a newer choice replaces it [END-5]", async () => {
    const person = await signUp();
    const identity = { lastModified: 1_700_000_000_000, fingerprint: "a1".repeat(32) };
    const [end, later] = [Date.now() + HOUR_MS, Date.now() + 2 * HOUR_MS];
    const chosen = (atMs: number) => ({ ...identity, expiration: undefined, expiresAt: new Date(atMs).toISOString() });
    const { uploadId, downloadId } = await person.startUpload(5, chosen(end));
    const unfinished = async () => {
      const [first] = await (await person.fetch("/api/direct-upload/unfinished")).json<UnfinishedUpload[]>();
      return first;
    };
    expect(await unfinished()).toMatchObject({ uploadId, expiresAt: new Date(end).toISOString() });
    expect((await person.startUpload(5, chosen(later))).uploadId).toBe(uploadId);
    expect(await unfinished()).toMatchObject({ expiresAt: new Date(later).toISOString() });
    expect((await person.startUpload(5, { ...identity, expiration: "1d" })).uploadId).toBe(uploadId);
    expect(await unfinished()).not.toHaveProperty("expiresAt");
    expect((await person.startUpload(5, chosen(end))).uploadId).toBe(uploadId);
    await putIncoming(uploadId, "hello");
    expect(await answerOf(person.complete(downloadId))).toMatchObject([
      200,
      { expiresAt: new Date(end).toISOString() },
    ]);
  });

  it("of a transfer goes on, too, and a duration replaces it [END-5]", async () => {
    const person = await signUp();
    const fingerprint = "a1".repeat(32);
    const end = Date.now() + HOUR_MS;
    const expiresAt = new Date(end).toISOString();
    const first = await startTransfer(person, FILES, { fingerprint, expiration: undefined, expiresAt });
    expect(first.expiresAt).toBe(expiresAt);
    const again = await startTransfer(person, FILES, { fingerprint, expiration: "1d" });
    expect(again).toMatchObject({ uploadId: first.uploadId, resumed: true });
    expect(await columnsOf(person)).toMatchObject({ end: null, expiration: "1d" });
    const state = env.TRANSFERS.get(env.TRANSFERS.idFromName(first.uploadId));
    // The alarm of the exact end has gone with the choice.
    stopClockAt(end);
    await runDurableObjectAlarm(state);
    expect(await rowOf("select status from files where id = ?", first.uploadId)).toEqual({ status: "uploading" });
  });

  it.each([
    ["a file", (person: Client, more: object) => person.startUpload(5, { ...more }), () => env.UPLOADS],
    ["a file in chunks", (person: Client, more: object) => init(person, 5, { ...more }), () => env.UPLOADS],
    ["a transfer", (person: Client, more: object) => startTransfer(person, FILES, { ...more }), () => env.TRANSFERS],
  ] as const)(
    "that comes while %s is still sent ends the upload, and gives the quota back [END-4]",
    async (_what, start, sessions) => {
      const person = await signUp();
      const end = Date.now() + HOUR_MS;
      const { uploadId, downloadId } = await start(person, {
        expiration: undefined,
        expiresAt: new Date(end).toISOString(),
      });
      const info = () => answerOf(new Client().fetch(`/api/files/download/${downloadId}`));
      stopClockAt(end - 1);
      expect(await info()).toMatchObject([200, { status: "uploading" }]);
      stopClockAt(end);
      expect((await info())[0]).toBe(410);
      const namespace = sessions();
      await runDurableObjectAlarm(namespace.get(namespace.idFromName(uploadId)));
      expect(await rowOf("select status from files where id = ?", uploadId)).toEqual({ status: "failed" });
      expect(await monthlyUsage(person.email)).toEqual({ bytes: 0, transfers: 0 });
    },
  );

  it("comes by tus for a stream of unknown size, too [END-1]", async () => {
    const person = await signUp();
    const end = Date.now() + HOUR_MS;
    const pairs = { filename: "a.txt", expiresAt: new Date(end).toISOString() };
    await tusOf(create(await programWith(person), null, { "upload-metadata": metadata(pairs) }));
    expect(await columnsOf(person)).toMatchObject({ end, expiration: "6h" });
  });

  it("is not for senders into an upload request, whose owner decides [END-8]", async () => {
    const owner = await signUp();
    const sender = new Sender(await createRequest(owner));
    const expiresAt = new Date(Date.now() + HOUR_MS).toISOString();
    expect(await answerOf(sender.start(FILES, { expiresAt }))).toMatchObject([400, { field: "expiresAt" }]);
    expect((await sender.start(FILES)).status).toBe(200);
  });
});

describe("a finished link", () => {
  const patch = (person: Client, id: string, body: object) => answerOf(person.patch(`/api/files/${id}`, body));

  it("gets an exact end, and a duration instead of it, within the plan from its upload on [END-2]", async () => {
    const person = await signUp();
    const { uploadId } = await sendFile(person, "hello");
    const uploadedAt = Date.now() - 2 * DAY_MS;
    await runSql("update files set uploaded_at = ? where id = ?", uploadedAt, uploadId);
    const end = new Date(uploadedAt + 3 * DAY_MS);
    expect(await patch(person, uploadId, { expiresAt: end.toISOString() })).toMatchObject([
      200,
      { expiresAt: end.toISOString(), expiration: "3d" },
    ]);
    expect(await columnsOf(person)).toEqual({ end: end.getTime(), expiration: "3d", expiresAt: end.getTime() });
    const listed = await (await person.fetch("/api/files")).json<ListedFile[]>();
    expect(listed[0]?.expiresAt).toBe(end.toISOString());
    const tooFar = new Date(end.getTime() + 1).toISOString();
    expect(await patch(person, uploadId, { expiresAt: tooFar })).toMatchObject([403, { planLimitExceeded: true }]);
    expect(await patch(person, uploadId, { expiration: "3d" })).toMatchObject([200, { expiresAt: end.toISOString() }]);
    expect(await columnsOf(person)).toMatchObject({ end: null });
  });

  it.each([
    ["past", () => ({ expiresAt: new Date(Date.now() - 1).toISOString() })],
    ["less than a minute ahead", () => ({ expiresAt: new Date(Date.now() + MINUTE_MS - 1).toISOString() })],
    ["beside a duration", () => ({ expiresAt: new Date(Date.now() + HOUR_MS).toISOString(), expiration: "1d" })],
    ["no moment", () => ({ expiresAt: "soon" })],
    ["null", () => ({ expiresAt: null })],
  ])("takes no end that is %s [END-3]", async (_what, body) => {
    const person = await signUp();
    const { uploadId } = await sendFile(person, "hello");
    const before = await columnsOf(person);
    expect((await patch(person, uploadId, body()))[0]).toBe(400);
    expect(await columnsOf(person)).toEqual(before);
  });

  it("gets an exact end from a program, alone or with a name, but not with guards [END-1]", async () => {
    const person = await signUp();
    const { uploadId } = await sendFile(person, "hello");
    const program = await programWith(person);
    const expiresAt = new Date(Date.now() + HOUR_MS).toISOString();
    const change = (body: object) =>
      answerOf(program.fetch(`/transfers/${uploadId}`, { ...posted(body), method: "PATCH" }));
    expect(await change({ expiresAt, name: "b.txt" })).toMatchObject([200, { expiresAt, name: "b.txt" }]);
    expect((await change({ expiresAt, expires: "1d" }))[0]).toBe(400);
    expect((await change({ expiresAt, guards: { maxDownloads: 1 } }))[0]).toBe(400);
  });

  it("has no exact end from a visitor, or while its transfer is sent", async () => {
    const person = await signUp();
    const { uploadId } = await startTransfer(person, FILES);
    const expiresAt = new Date(Date.now() + HOUR_MS).toISOString();
    expect(await patch(person, uploadId, { expiresAt })).toMatchObject([409, { code: "UPLOAD_UNFINISHED" }]);
    expect((await patch(new Client(), uploadId, { expiresAt }))[0]).toBe(401);
  });
});
