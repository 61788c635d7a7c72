import { describe, expect, it } from "vitest";
import { putOnPlan } from "../support/worker.ts";
import { createRequest, listRequests, Sender } from "../support/requests.ts";
import { answerOf, Client, rowOf, runSql, signUp, stopClockAt } from "../support/worker.ts";
import { finish, join, putObject, sendTransfer, textFile } from "../support/transfers.ts";

const FILES = [textFile("trip/a.txt", "first"), textFile("trip/b.txt", "second")];
const DAY_MS = 86_400_000;

describe("an upload request", () => {
  it("is made, listed, changed, closed, opened again and deleted by its owner alone [REQ-1]", async () => {
    const owner = await signUp();
    const made = await createRequest(owner, {
      title: "  Photos of the trip ",
      note: "All of them, please.",
      mostBytes: 1000,
      kinds: ["JPG", ".png", "tar.gz"],
      asksName: true,
    });
    expect(made).toMatchObject({
      title: "Photos of the trip",
      state: "open",
      keepFor: "3d",
      kinds: ["jpg", "png", "tar.gz"],
      mostBytes: 1000,
      mostTransfers: null,
      hasPassword: false,
      notify: "each",
      receivedBytes: 0,
      receivedTransfers: 0,
    });
    expect(made.link).toMatch(/^http:\/\/localhost:8787\/r\/[\w-]{22}$/);
    expect(await listRequests(owner)).toEqual([made]);

    const stranger = await signUp();
    expect(await listRequests(stranger)).toEqual([]);
    const path = `/api/requests/${made.id}`;
    expect((await stranger.patch(path, { closed: true })).status).toBe(404);
    expect((await stranger.delete(path)).status).toBe(404);

    expect(await answerOf(owner.patch(path, { closed: true, note: "" }))).toMatchObject([
      200,
      { state: "closed", note: "" },
    ]);
    expect(await answerOf(owner.patch(path, { closed: false }))).toMatchObject([200, { state: "open" }]);
    expect((await owner.patch(path, {})).status).toBe(400);
    expect((await owner.delete(path)).status).toBe(200);
    expect(await listRequests(owner)).toEqual([]);
    expect((await new Client().fetch(`/api/requests/by-link/${new Sender(made).token}`)).status).toBe(404);
  });

  it.each([
    [{ title: "" }, "title"],
    [{ title: "x".repeat(121) }, "title"],
    [{ kinds: ["p/d"] }, "kinds"],
    [{ kinds: [] }, "kinds"],
    [{ mostBytes: 0 }, "mostBytes"],
    [{ origins: ["https://example.com/path"] }, "origins"],
    [{ origins: ["ftp://example.com"] }, "origins"],
    [{ expiresIn: "2d" }, "expiresIn"],
    [{ password: "short" }, "password"],
  ])("is refused with %j", async (wrong, field) => {
    const owner = await signUp();
    const [status, answer] = await answerOf(owner.post("/api/requests", { title: "Photos", ...wrong }));
    expect([status, answer.code]).toEqual([400, "BAD_REQUEST"]);
    expect(String(answer.field)).toContain(field);
    expect(await listRequests(owner)).toEqual([]);
  });

  it("keeps what comes no longer than its owner's plan [REQ-3]", async () => {
    const owner = await signUp();
    const [status, answer] = await answerOf(owner.post("/api/requests", { title: "Photos", keepFor: "60d" }));
    expect([status, answer.code]).toEqual([403, "PLAN_LIMIT_EXCEEDED"]);
    await putOnPlan(owner.email, "professional");
    const made = await createRequest(owner, { keepFor: "60d" });
    await putOnPlan(owner.email, "free");
    const { uploadId } = await new Sender(made).send(FILES);
    expect(await rowOf("select expires_at - uploaded_at as kept from files where id = ?", uploadId)).toEqual({
      kept: 3 * DAY_MS,
    });
  });

  it.each([
    ["free", 1],
    ["professional", 20],
    ["ultimate", 200],
  ] as const)("%s: %d are open at the same time", async (plan, most) => {
    const owner = await signUp();
    await putOnPlan(owner.email, plan);
    // Those beyond the first stand in the table already: making two hundred takes too long.
    const first = await createRequest(owner);
    await runSql(
      `with recursive n(i) as (select 2 union all select i + 1 from n where i < ?)
       insert into upload_requests (id, user_id, token, title, keep_for, notify, origins, created_at)
       select ?1 || '-' || i, user_id, substr(hex(randomblob(16)), 1, 22), 'More', '3d', 'off', '[]', created_at + i
       from upload_requests, n where id = ?2 and i <= ?1`,
      most,
      first.id,
    );
    const [status, answer] = await answerOf(owner.post("/api/requests", { title: "One more" }));
    expect([status, answer.code, answer.planLimitExceeded]).toEqual([403, "PLAN_LIMIT_EXCEEDED", true]);
    await owner.patch(`/api/requests/${first.id}`, { closed: true });
    expect((await owner.post("/api/requests", { title: "One more" })).status).toBe(201);
    expect((await owner.patch(`/api/requests/${first.id}`, { closed: false })).status).toBe(403);
  });

  it("answers as closed where its owner's plan allows fewer, except the oldest [REQ-3]", async () => {
    const owner = await signUp();
    await putOnPlan(owner.email, "professional");
    const [older, newer] = [await createRequest(owner), await createRequest(owner)];
    await putOnPlan(owner.email, "free");
    expect((await listRequests(owner)).map(({ state }) => state)).toEqual(["over-plan", "open"]);
    expect((await new Sender(older).start(FILES)).status).toBe(200);
    expect(await answerOf(new Sender(newer).start(FILES))).toMatchObject([410, { code: "REQUEST_CLOSED" }]);
  });

  it("is told to strangers without its owner, and with what is left", async () => {
    const owner = await signUp();
    const made = await createRequest(owner, { note: "Hi", mostBytes: 100, mostTransfers: 2, kinds: ["txt"] });
    await new Sender(made).send(FILES);
    const answer = await new Client().fetch(`/api/requests/by-link/${new Sender(made).token}`);
    expect(answer.headers.getSetCookie()).toEqual([]);
    const seen = await answer.json<Record<string, unknown>>();
    expect(seen).toMatchObject({
      needsPassword: false,
      title: "Photos",
      note: "Hi",
      left: { bytes: 89, transfers: 1 },
      mostFileBytes: 524_288_000,
      mostFiles: 1000,
      kinds: ["txt"],
      keepFor: "3d",
    });
    expect(JSON.stringify(seen)).not.toContain(owner.email);
    expect(JSON.stringify(seen)).not.toContain(owner.id);
  });

  it("asks for its password before it tells more than its title [REQ-7]", async () => {
    const owner = await signUp();
    const made = await createRequest(owner, { note: "secret", password: "let me send" });
    const sender = new Sender(made);
    const path = `/api/requests/by-link/${sender.token}`;
    expect(await answerOf(sender.fetch(path))).toEqual([200, { needsPassword: true, title: "Photos" }]);
    expect(await answerOf(sender.start(FILES))).toMatchObject([401, { code: "LINK_LOCKED" }]);
    expect(await answerOf(sender.post(`${path}/unlock`, { password: "not the one" }))).toMatchObject([
      403,
      { code: "LINK_PASSWORD_WRONG" },
    ]);
    const [status, unlocked] = await answerOf(sender.post(`${path}/unlock`, { password: "let me send" }));
    expect([status, unlocked.request]).toMatchObject([200, { note: "secret" }]);
    sender.grant = String(unlocked.grant);
    expect(await answerOf(sender.fetch(path))).toMatchObject([200, { needsPassword: false, note: "secret" }]);
    await sender.send(FILES);

    await owner.patch(`/api/requests/${made.id}`, { password: "another one" });
    const again = new Sender(made);
    again.grant = sender.grant;
    expect((await again.start(FILES)).status).toBe(401);
    await owner.patch(`/api/requests/${made.id}`, { password: null });
    expect((await again.start(FILES)).status).toBe(200);
  });

  it("ends at its time, and lets what runs finish when it is closed [REQ-6]", async () => {
    const owner = await signUp();
    const made = await createRequest(owner, { expiresIn: "1d" });
    const sender = new Sender(made);
    const started = await sender.begin(FILES, { open: [{ object: 0, runs: [[0, 2]] }] });
    await owner.patch(`/api/requests/${made.id}`, { closed: true });
    expect(await answerOf(new Sender(made).start(FILES))).toMatchObject([410, { code: "REQUEST_CLOSED" }]);
    const receipts = await putObject(started, 0, join(FILES.map(({ bytes }) => bytes)));
    expect((await finish(sender, started.downloadId, receipts)).status).toBe(200);

    await owner.patch(`/api/requests/${made.id}`, { closed: false });
    stopClockAt(Date.now() + DAY_MS);
    expect((await new Sender(made).start(FILES)).status).toBe(410);
    expect((await listRequests(owner))[0]?.state).toBe("expired");
  });
});

describe("a sender", () => {
  it("never gets a link, and opens nothing of what was sent [REQ-4]", async () => {
    const owner = await signUp();
    const sender = new Sender(await createRequest(owner));
    const started = await sender.send(FILES);
    expect(started).not.toHaveProperty("shareUrl");
    const { downloadId, uploadId } = started;
    const finished = await finish(sender, downloadId);
    expect(await finished.json()).not.toHaveProperty("downloadUrl");
    const paths = [
      `/api/files/download/${downloadId}`,
      `/api/files/download/${downloadId}/content`,
      `/api/files/download/${downloadId}/entries`,
      `/api/files/download/${downloadId}/entries/0/content`,
      `/api/files/download/${downloadId}/entries/0/preview`,
    ];
    for (const path of paths) {
      // What they sent is listed for the receipt.
      expect([path, (await sender.fetch(path)).status]).toEqual([path, path.endsWith("/entries") ? 200 : 404]);
      expect([path, (await new Client().fetch(path)).status]).toEqual([path, 404]);
      expect([path, (await owner.fetch(path)).status]).toEqual([path, 200]);
    }
    expect((await sender.patch(`/api/files/${uploadId}`, { filename: "Other" })).status).toBe(401);
    expect((await sender.delete(`/api/files/${uploadId}/entries/0`)).status).toBe(401);
    expect((await sender.delete(`/api/files/${uploadId}`)).status).toBe(401);
  });

  it("begins nothing in the account beside the request [REQ-4]", async () => {
    const owner = await signUp();
    const sender = new Sender(await createRequest(owner));
    await sender.begin(FILES);
    const file = { filename: "a.txt", fileType: "text/plain", fileSize: 1, expiration: "1d" };
    expect((await sender.post("/api/direct-upload/presigned-url", file)).status).toBe(401);
    expect((await sender.post("/api/transfers", { expiration: "1d", totals: { entries: 1, bytes: 1 } })).status).toBe(
      401,
    );
    expect((await sender.fetch("/api/files")).status).toBe(401);
    expect((await sender.fetch("/api/requests")).status).toBe(401);
  });

  it("has a token for their own transfer alone [REQ-4]", async () => {
    const owner = await signUp();
    const made = await createRequest(owner);
    const [one, other] = [new Sender(made), new Sender(made)];
    const first = await one.begin(FILES);
    await other.begin(FILES);
    expect(other.uploadToken).not.toBe(one.uploadToken);
    expect((await other.post(`/api/transfers/${first.downloadId}/batch`, {})).status).toBe(404);
    expect((await other.post("/api/direct-upload/cancel", { downloadId: first.downloadId })).status).toBe(404);
    expect((await one.post("/api/direct-upload/cancel", { downloadId: first.downloadId })).status).toBe(200);
  });

  it("goes on with the transfer of their token, and with nobody else's [REQ-4]", async () => {
    const owner = await signUp();
    const made = await createRequest(owner);
    const fingerprint = "ab".repeat(32);
    const one = new Sender(made);
    const first = await one.begin(FILES, { fingerprint });
    expect(await one.begin(FILES, { fingerprint })).toMatchObject({ uploadId: first.uploadId, resumed: true });
    expect(await new Sender(made).begin(FILES, { fingerprint })).toMatchObject({ resumed: false });
    const ofOwner = await owner.post("/api/transfers", {
      expiration: "1d",
      fingerprint,
      totals: { entries: 2, bytes: 11 },
    });
    expect(await ofOwner.json()).toMatchObject({ resumed: false });
  });

  it("says who they are where that is asked, and what is refused is said [REQ-7]", async () => {
    const owner = await signUp();
    const made = await createRequest(owner, { asksName: true, asksEmail: true, kinds: ["txt"], mostFileBytes: 6 });
    const sender = new Sender(made);
    const who = { senderName: "Ann", senderEmail: "ann@example.com" };
    expect(await answerOf(sender.start(FILES))).toMatchObject([400, { field: "senderName" }]);
    expect(await answerOf(sender.start(FILES, { senderName: "Ann" }))).toMatchObject([400, { field: "senderEmail" }]);
    expect(await answerOf(sender.start([textFile("a.exe", "x")], who))).toMatchObject([
      415,
      { code: "KIND_REFUSED", message: "This request takes txt only.", index: 0 },
    ]);
    expect(await answerOf(sender.start([textFile("a.txt", "seven b")], who))).toMatchObject([
      403,
      { code: "REQUEST_FULL", message: "This request takes files of up to 6 Bytes." },
    ]);
    for (const [field, value] of [
      ["guards", { maxDownloads: 1 }],
      ["message", "Hello"],
    ] as const) {
      expect(await answerOf(sender.start(FILES, { ...who, [field]: value }))).toMatchObject([400, { field }]);
    }
    const started = await sender.begin(FILES, who);
    const more = { entries: { from: 2, list: [["c.exe", 1, 0]] }, totals: { entries: 3, bytes: 12 } };
    expect(await answerOf(sender.post(`/api/transfers/${started.downloadId}/batch`, more))).toMatchObject([
      415,
      { code: "KIND_REFUSED" },
    ]);
  });
});

describe("what has come through a request", () => {
  it("lies under Received alone until its owner makes a link of its own [REQ-5]", async () => {
    const owner = await signUp();
    const made = await createRequest(owner, { notify: "off" });
    const who = { senderName: "Ann", senderEmail: "ann@example.com", note: "Enjoy" };
    const { uploadId, downloadId } = await new Sender(made).send(FILES, who);
    await sendTransfer(owner, FILES);
    const received = async () => (await owner.fetch("/api/received")).json<{ items: Record<string, unknown>[] }>();
    const { items } = await received();
    expect(items).toMatchObject([
      {
        id: uploadId,
        downloadId,
        requestTitle: "Photos",
        title: "trip",
        size: 11,
        entries: 2,
        senderName: "Ann",
        senderEmail: "ann@example.com",
        senderNote: "Enjoy",
        link: null,
      },
    ]);
    const listed = await (await owner.fetch("/api/files")).json<{ id: string }[]>();
    expect(listed.map(({ id }) => id)).not.toContain(uploadId);

    const path = `/api/received/${uploadId}/link`;
    expect((await (await signUp()).post(path, {})).status).toBe(404);
    const [status, forwarded] = await answerOf(owner.post(path, {}));
    expect(status).toBe(201);
    const link = String(forwarded.link);
    expect(link).not.toContain(downloadId);
    expect(await answerOf(owner.post(path, {}))).toMatchObject([201, { link }]);
    const id = link.slice(link.lastIndexOf("/") + 1);
    expect((await new Client().fetch(`/api/files/download/${id}/content`)).status).toBe(200);
    expect((await new Client().fetch(`/api/files/download/${downloadId}/content`)).status).toBe(404);
    expect((await (await owner.fetch("/api/files")).json<{ id: string }[]>()).map((file) => file.id)).toContain(
      uploadId,
    );
  });

  it("is deleted and reported, and its request closed, when its owner refuses the sender [REQ-8]", async () => {
    const owner = await signUp();
    const made = await createRequest(owner);
    const [first, second] = [await new Sender(made).send(FILES), await new Sender(made).send(FILES)];
    const refuse = (id: string, what: string) => owner.post(`/api/received/${id}/refuse`, { what, reason: "Spam" });
    expect((await (await signUp()).post(`/api/received/${first.uploadId}/refuse`, { what: "transfer" })).status).toBe(
      404,
    );
    expect((await refuse(first.uploadId, "transfer")).status).toBe(200);
    expect((await listRequests(owner))[0]).toMatchObject({ state: "open", receivedTransfers: 1 });
    expect((await refuse(second.uploadId, "request")).status).toBe(200);
    expect((await listRequests(owner))[0]).toMatchObject({ state: "closed", receivedTransfers: 0, receivedBytes: 0 });
    expect(
      await rowOf("select count(*) as n, min(message) as words from file_reports where email = ?", owner.email),
    ).toEqual({
      n: 2,
      words: "Spam",
    });
  });
});
