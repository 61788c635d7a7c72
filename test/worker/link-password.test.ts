import { beforeAll, describe, expect, it } from "vitest";
import type { AccountFixture } from "../support/account-fixture.ts";
import { Recipient } from "../support/recipient.ts";
import { isSocket, listRoutes, requestFor, ROUTES } from "../support/routes.ts";
import { sendTransfer, textFile } from "../support/transfers.ts";
import { answerOf, rowOf, sendFile, signUp, stopClockAt, Client } from "../support/worker.ts";

const PASSWORD = "open sesame";
const FILES = [textFile("secret/plan.txt"), textFile("secret/notes.txt")];

const LOCKED = { code: "LINK_LOCKED", guard: "password", message: "This link is protected with a password." };

async function sendLocked(more: Record<string, unknown> = {}) {
  const owner = await signUp();
  const sent = await sendFile(owner, "the secret", { filename: "secret.txt", guards: { password: PASSWORD }, ...more });
  return { owner, ...sent };
}

async function sendLockedTransfer() {
  const owner = await signUp();
  const { uploadId, downloadId } = await sendTransfer(owner, FILES, {
    title: "Secret trip",
    guards: { password: PASSWORD },
  });
  return { owner, uploadId, downloadId };
}

const link = (downloadId: string, end = "") => `/api/files/download/${downloadId}${end}`;

const CALLS = listRoutes().filter((key) => /\/download\/:downloadId(\/|$)/.test(key));
const LOCKED_CALLS = CALLS.filter((key) => ROUTES[key]?.guard === "locked");

/** Makes the call to this link. */
function read(recipient: Recipient, key: string, downloadId: string): Promise<Response> {
  const { path, init } = requestFor(key, { downloadId, transfer: { downloadId } } as AccountFixture);
  const headers = new Headers(init.headers);
  if (isSocket(key)) headers.set("upgrade", "websocket");
  return recipient.fetch(path, { ...init, headers });
}

it("has an answer to every call that reads through it", () => {
  expect(CALLS).toContain("GET /api/files/download/:downloadId/content");
  expect(CALLS.filter((key) => ROUTES[key]?.guard === undefined)).toEqual([]);
});

describe("a link with a password", () => {
  const shared = { file: "", transfer: "" };
  beforeAll(async () => {
    shared.file = (await sendLocked()).downloadId;
    shared.transfer = (await sendLockedTransfer()).downloadId;
  });

  it.each(LOCKED_CALLS)("answers %s with 401 and one body, of a single file and of a transfer [GRD-9]", async (key) => {
    for (const downloadId of [shared.file, shared.transfer]) {
      const response = await read(new Recipient(), key, downloadId);
      expect([response.status, await response.json()]).toEqual([401, LOCKED]);
    }
  });

  it("answers HEAD with 401", async () => {
    for (const end of ["", "/content", "/preview"]) {
      expect((await new Recipient().fetch(link(shared.file, end), { method: "HEAD" })).status).toBe(401);
    }
  });

  it.each(["/ws?id=", "/live"])("refuses the socket at %s", async (address) => {
    const owner = await signUp();
    const { downloadId } = await owner.startUpload(10, { guards: { password: PASSWORD } });
    const path = address === "/live" ? link(downloadId, "/live") : `${address}${downloadId}`;
    const response = await new Recipient().fetch(path, { headers: { upgrade: "websocket" } });
    expect([response.status, await response.json()]).toEqual([401, LOCKED]);
  });

  it("gives its page no name, type, size or count [GRD-9]", async () => {
    for (const { downloadId } of [await sendLocked(), await sendLockedTransfer()]) {
      for (const path of [`/download/${downloadId}`, `/download/${downloadId}.data`]) {
        const response = await new Recipient().fetch(path);
        const text = await response.text();
        expect(response.status).toBe(200);
        expect(text).not.toMatch(/secret|plan\.txt|notes|text\/plain|10 (B|bytes)|2 files/i);
      }
    }
  });

  it("opens with the right password, for every call of the link", async () => {
    const { downloadId } = await sendLocked();
    const recipient = new Recipient();
    const [status, answer] = await answerOf(recipient.unlock(downloadId, PASSWORD));
    expect(status).toBe(200);
    expect(answer).toMatchObject({
      info: { filename: "secret.txt", size: 10, guards: { password: true, left: null } },
    });
    expect(recipient.cookies.map(({ path }) => path)).toEqual(["/download", "/api/files/download"]);
    expect(await (await recipient.content(downloadId)).text()).toBe("the secret");
    expect((await recipient.fetch(link(downloadId))).status).toBe(200);
    expect(await (await recipient.fetch(`/download/${downloadId}.data`)).text()).toContain("secret.txt");
    expect((await recipient.fetch(link(downloadId, "/content"), { method: "HEAD" })).status).toBe(200);
  });

  it("gives programs a grant to send as a bearer token [GRD-10]", async () => {
    const { downloadId } = await sendLocked();
    const [, { grant }] = await answerOf(new Recipient().unlock(downloadId, PASSWORD));
    const authorization = `Bearer ${String(grant)}`;
    expect(await (await new Recipient().content(downloadId, { authorization })).text()).toBe("the secret");
  });

  it("answers a wrong password with 403, and opens nothing", async () => {
    const { downloadId } = await sendLocked();
    const recipient = new Recipient();
    expect(await answerOf(recipient.unlock(downloadId, "open barley"))).toEqual([
      403,
      { code: "LINK_PASSWORD_WRONG", message: "This is not the password. Ask the sender if you are unsure." },
    ]);
    expect(recipient.cookies).toEqual([]);
  });

  it("is the same password however the keyboard writes its letters", async () => {
    const { downloadId } = await sendLocked({ guards: { password: "Gr\u00fc\u00dfe aus K\u00f6ln" } });
    expect((await new Recipient().unlock(downloadId, "Gru\u0308\u00dfe aus Ko\u0308ln")).status).toBe(200);
  });

  it("opens for its owner without the password [GRD-16]", async () => {
    const { owner, downloadId } = await sendLocked();
    expect(await (await owner.fetch(link(downloadId, "/content"))).text()).toBe("the secret");
    expect((await owner.fetch(link(downloadId))).status).toBe(200);
  });

  it("stays locked for another account and with another link's grant", async () => {
    const { downloadId } = await sendLocked();
    const other = await sendLocked();
    expect((await (await signUp()).fetch(link(downloadId))).status).toBe(401);
    const [, { grant }] = await answerOf(new Recipient().unlock(other.downloadId, PASSWORD));
    const response = await new Recipient().content(downloadId, { authorization: `Bearer ${String(grant)}` });
    expect([response.status, await response.json()]).toEqual([401, LOCKED]);
  });

  it("is locked again an hour after the last use, and twelve hours after the unlock [GRD-11]", async () => {
    const { downloadId } = await sendLocked({ expiration: "3d" });
    const recipient = new Recipient();
    const start = Date.now();
    stopClockAt(start);
    await recipient.unlock(downloadId, PASSWORD);
    const hour = 3_600_000;
    for (let hours = 0.75; hours < 12; hours += 0.75) {
      stopClockAt(start + hours * hour);
      expect((await recipient.content(downloadId)).status).toBe(200);
    }
    stopClockAt(start + 12 * hour);
    expect((await recipient.content(downloadId)).status).toBe(401);

    const late = new Recipient();
    await late.unlock(downloadId, PASSWORD);
    stopClockAt(start + 13 * hour);
    expect((await late.content(downloadId)).status).toBe(401);
  });

  it("ends every grant when its password changes or is removed [GRD-11]", async () => {
    const { owner, uploadId, downloadId } = await sendLocked();
    const recipient = new Recipient();
    await recipient.unlock(downloadId, PASSWORD);
    const changed = await owner.patch(`/api/files/${uploadId}`, { guards: { password: "another one" } });
    expect([changed.status, await changed.json()]).toEqual([
      200,
      expect.objectContaining({
        guards: { password: true, sealed: false, maxDownloads: null, downloadsUsed: 0, isUsedUp: false },
      }),
    ]);
    expect((await recipient.content(downloadId)).status).toBe(401);
    expect((await recipient.unlock(downloadId, PASSWORD)).status).toBe(403);
    expect((await recipient.unlock(downloadId, "another one")).status).toBe(200);
    await owner.patch(`/api/files/${uploadId}`, { guards: { password: null } });
    expect((await new Recipient().content(downloadId)).status).toBe(200);
    await owner.patch(`/api/files/${uploadId}`, { guards: { password: "another one" } });
    expect((await recipient.content(downloadId)).status).toBe(401);
  });

  it("keeps its hash alone", async () => {
    const { uploadId } = await sendLocked();
    const row = await rowOf<{ password_hash: string }>("select password_hash from files where id = ?", uploadId);
    expect(row.password_hash).toMatch(/^[0-9a-f]{32}:[0-9a-f]{128}$/);
  });

  it("says of an ended link only that it has ended", async () => {
    const { owner, uploadId, downloadId } = await sendLockedTransfer();
    await owner.delete(`/api/files/${uploadId}`);
    expect(await answerOf(new Recipient().fetch(link(downloadId)))).toEqual([
      410,
      { code: "FILE_EXPIRED", message: "What this link led to has been removed." },
    ]);
    expect((await new Recipient().unlock(downloadId, PASSWORD)).status).toBe(410);
  });

  it("tells a stranger nothing of its limit once its downloads are used up", async () => {
    const { downloadId } = await sendLocked({ guards: { password: PASSWORD, maxDownloads: 1 } });
    const recipient = new Recipient();
    await recipient.unlock(downloadId, PASSWORD);
    await recipient.take(downloadId);
    await (await recipient.content(downloadId)).text();
    const expired = [410, { code: "FILE_EXPIRED", message: "This link has expired." }];
    await expect.poll(() => answerOf(new Recipient().fetch(link(downloadId)))).toEqual(expired);
    const other = new Recipient();
    await other.unlock(downloadId, PASSWORD);
    expect(await answerOf(other.fetch(link(downloadId)))).toEqual(expired);
  });

  it("sends whoever opens its bytes in a browser to the page", async () => {
    const { downloadId } = await sendLocked();
    const response = await new Recipient().content(downloadId, { "sec-fetch-mode": "navigate" });
    expect([response.status, response.headers.get("location")]).toEqual([303, `/download/${downloadId}`]);
  });

  it("unlocks by a form, and tells the page what was wrong", async () => {
    const { downloadId } = await sendLocked();
    const recipient = new Recipient();
    const wrong = await recipient.submit(link(downloadId, "/unlock"), { password: "open barley" });
    expect([wrong.status, wrong.headers.get("location")]).toEqual([
      303,
      `/download/${downloadId}?refused=LINK_PASSWORD_WRONG`,
    ]);
    const right = await recipient.submit(link(downloadId, "/unlock"), { password: PASSWORD });
    expect([right.status, right.headers.get("location")]).toEqual([303, `/download/${downloadId}`]);
    expect((await recipient.content(downloadId)).status).toBe(200);
  });

  it("can be set by every start", async () => {
    const owner = await signUp();
    const chunked = await answerOf(
      owner.post("/api/chunked-upload/init", {
        filename: "a.txt",
        fileType: "text/plain",
        totalSize: "5",
        totalChunks: "1",
        guards: { password: PASSWORD, maxDownloads: 3 },
      }),
    );
    expect(chunked[1]).toMatchObject({ guards: { password: true, sealed: false, maxDownloads: 3 } });
    expect((await new Recipient().fetch(link(String(chunked[1].downloadId)))).status).toBe(401);
    const form = new FormData();
    form.set("password", PASSWORD);
    form.set("maxDownloads", "2");
    form.set("file", new File(["by a form"], "form.txt"));
    const [status, sent] = await answerOf(owner.postForm("/api/direct-upload/proxy-upload", form));
    expect(status).toBe(200);
    expect((await new Recipient().fetch(link(String(sent.downloadId)))).status).toBe(401);
  });

  it("stays when an upload is resumed by a start without one, and changes with another", async () => {
    const owner = await signUp();
    const file = { filename: "a.bin", lastModified: 5 };
    const first = await owner.startUpload(10, { ...file, guards: { password: PASSWORD } });
    const again = await owner.startUpload(10, file);
    expect(again).toMatchObject({
      downloadId: first.downloadId,
      guards: { password: true, sealed: false, maxDownloads: null },
    });
    const changed = await owner.startUpload(10, { ...file, guards: { password: "another one", maxDownloads: 4 } });
    expect(changed).toMatchObject({
      downloadId: first.downloadId,
      guards: { password: true, sealed: false, maxDownloads: 4 },
    });
    expect((await new Recipient().unlock(first.downloadId, "another one")).status).toBe(200);
  });
});

it("keeps the guards of an upload that starts again in smaller chunks", async () => {
  const owner = await signUp();
  const file = { filename: "a.bin", fileType: "", totalSize: String(3 * 1024 ** 2), lastModified: 5 };
  const start = (more: object) => answerOf(owner.post("/api/chunked-upload/init", { ...file, ...more }));
  await start({ totalChunks: "12", guards: { password: PASSWORD, maxDownloads: 2 } });
  const [, again] = await start({ totalChunks: "48", maxChunkSize: 64 * 1024 });
  expect(again).toMatchObject({ guards: { password: true, sealed: false, maxDownloads: 2 } });
  expect((await new Recipient().unlock(String(again.downloadId), PASSWORD)).status).toBe(200);
});

describe("bad guards", () => {
  it.each([
    [{ password: "short" }, "The link's password needs 6 to 128 characters."],
    [{ password: "x".repeat(129) }, "The link's password needs 6 to 128 characters."],
    [{ password: 123456 }, "The link's password needs 6 to 128 characters."],
    [{ maxDownloads: 0 }, "The number of downloads must be a whole number from 1 to 1,000."],
    [{ maxDownloads: 1001 }, "The number of downloads must be a whole number from 1 to 1,000."],
    [{ maxDownloads: 1.5 }, "The number of downloads must be a whole number from 1 to 1,000."],
  ])("%j are refused, at a start and later", async (guards, message) => {
    const owner = await signUp();
    const start = { filename: "a.txt", fileType: "text/plain", fileSize: 1, expiration: "1d", guards };
    expect(await answerOf(owner.post("/api/direct-upload/presigned-url", start))).toEqual([
      400,
      expect.objectContaining({ code: "BAD_REQUEST", message }),
    ]);
    const { uploadId } = await sendFile(owner, "x");
    const [status, answer] = await answerOf(owner.patch(`/api/files/${uploadId}`, { guards }));
    expect([status, answer.message]).toEqual([400, message]);
  });

  it("are refused when they change nothing, or come with other changes", async () => {
    const owner = await signUp();
    const { uploadId } = await sendFile(owner, "x");
    const [empty, { message }] = await answerOf(owner.patch(`/api/files/${uploadId}`, { guards: {} }));
    expect([empty, message]).toEqual([400, "At least one of password, maxDownloads, letGoOn and wrap is required."]);
    const both = owner.patch(`/api/files/${uploadId}`, { guards: { password: PASSWORD }, filename: "b.txt" });
    expect(await answerOf(both)).toEqual([400, expect.objectContaining({ message: "Change guards by itself." })]);
  });

  it("are another person's to nobody", async () => {
    const { uploadId } = await sendLocked();
    const stranger = await signUp();
    expect((await stranger.patch(`/api/files/${uploadId}`, { guards: { password: null } })).status).toBe(404);
    expect((await stranger.fetch(`/api/files/${uploadId}/guards`)).status).toBe(404);
    expect((await new Client().fetch(`/api/files/${uploadId}/guards`)).status).toBe(401);
  });
});
