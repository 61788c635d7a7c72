import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import type { ListedUploadRequest, ReceivedTransfer } from "#domain/wire.ts";
import { listRequests, Sender } from "../support/requests.ts";
import { textFile } from "../support/transfers.ts";
import { Program, programOf } from "../support/v1.ts";
import { workerWith } from "../support/worker-with-env.ts";
import { answerOf, Client, contentPath, putOnPlan, runSql, signUp } from "../support/worker.ts";

interface Page<Item> {
  items: Item[];
  next: string | null;
}

let person: Awaited<ReturnType<typeof signUp>>;
let program: Program;

beforeEach(async () => {
  person = await signUp();
  await putOnPlan(person.email, "professional");
  program = await programOf(person, { scopes: ["requests"] });
});

const make = (more: Record<string, unknown> = {}) =>
  program.answer<ListedUploadRequest>("/requests", "POST", { title: "Photos", ...more });

describe("a request with a key", () => {
  it("is made, listed, closed, opened, changed and deleted; it is the one that its owner sees [KEY-19]", async () => {
    const made = await make({
      note: "Of Saturday",
      expiresIn: "never",
      kinds: ["JPG", ".png"],
      password: "a good one",
    });
    expect(made).toMatchObject({
      link: expect.stringMatching(new RegExp(`^${env.APP_ORIGIN}/r/[\\w-]{22}$`)) as string,
      title: "Photos",
      note: "Of Saturday",
      state: "open",
      expiresAt: null,
      kinds: ["jpg", "png"],
      hasPassword: true,
      notify: "each",
    });
    expect(await listRequests(person)).toEqual([made]);
    expect(await program.answer("/requests")).toEqual({ items: [made], next: null });
    const path = `/requests/${made.id}`;
    const closed = await program.answer<ListedUploadRequest>(path, "PATCH", { closed: true });
    expect(closed).toMatchObject({ id: made.id, state: "closed", closedAt: expect.any(String) as string });
    const changed = { title: "Films", kinds: null, password: null, notify: "off", closed: false };
    expect(await program.answer(path, "PATCH", changed)).toMatchObject({
      title: "Films",
      state: "open",
      kinds: null,
      hasPassword: false,
      notify: "off",
      note: "Of Saturday",
    });
    expect((await program.fetch(path, { method: "DELETE" })).status).toBe(204);
    expect(await listRequests(person)).toEqual([]);
    const gone = [404, { code: "REQUEST_NOT_FOUND", message: "This link for sending files does not exist." }];
    expect(await answerOf(program.fetch(path, { method: "DELETE" }))).toMatchObject(gone);
    expect(await answerOf(program.patch(path, { closed: true }))).toMatchObject(gone);
  });

  it("belongs to its owner: another person's key neither lists, changes nor deletes it [KEY-19]", async () => {
    const made = await make();
    const other = await programOf(await signUp());
    expect(await other.answer("/requests")).toEqual({ items: [], next: null });
    expect(await other.answer(`/received?request=${made.id}`)).toEqual({ items: [], next: null });
    expect((await other.patch(`/requests/${made.id}`, { closed: true })).status).toBe(404);
    expect((await other.fetch(`/requests/${made.id}`, { method: "DELETE" })).status).toBe(404);
    expect(await listRequests(person)).toEqual([made]);
  });

  it("is one too many above the plan's", async () => {
    await putOnPlan(person.email, "free");
    await make();
    expect(await answerOf(program.post("/requests", { title: "Films" }))).toMatchObject([
      403,
      {
        code: "PLAN_LIMIT_EXCEEDED",
        message: "Your plan allows 1 open request. Close one first, or upgrade.",
        planLimitExceeded: true,
      },
    ]);
  });

  it.each([
    ["POST", "/requests", {}, "title"],
    ["POST", "/requests", { title: "Photos", expiresIn: "2d" }, "expiresIn"],
    ["POST", "/requests", { title: "Photos", mostBytes: 0 }, "mostBytes"],
    ["POST", "/requests", { title: "Photos", kinds: ["j/pg"] }, "kinds.0"],
    ["POST", "/requests", { title: "Photos", password: "short" }, "password"],
    ["PATCH", "/requests/not-an-id", { closed: true }, "id"],
    ["GET", "/requests?cursor=a", undefined, "cursor"],
    ["GET", "/requests?limit=101", undefined, "limit"],
    ["GET", "/received?request=a", undefined, "request"],
  ])("answers 400 to %s %s with %j, and names %s", async (method, path, body, field) => {
    const json = { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    const response = program.fetch(path, { method, ...(body && json) });
    expect(await answerOf(response)).toMatchObject([400, { code: "BAD_REQUEST", field }]);
    expect(await listRequests(person)).toEqual([]);
  });

  it("is made and changed 20 times a minute, by all keys of an account", async () => {
    const limited = workerWith({ ...env, RATE_LIMITS: "on" });
    const { key } = await (
      await person.post("/api/keys", { name: "One", scopes: ["requests"] })
    ).json<{
      key: string;
    }>();
    const one = new Program(key, limited);
    const { id } = await one.answer<{ id: string }>("/requests", "POST", { title: "Photos" });
    for (let n = 1; n < 20; n += 1) await one.answer(`/requests/${id}`, "PATCH", { note: `Number ${n}` });
    expect(await answerOf(one.patch(`/requests/${id}`, { note: "The last" }))).toMatchObject([
      429,
      { code: "RATE_LIMITED" },
    ]);
  });
});

it("lists requests page by page, newest first, whatever is made meanwhile", async () => {
  // All in the same millisecond.
  for (const title of ["One", "Two", "Three"]) await make({ title });
  await runSql("update upload_requests set created_at = 1 where user_id = ?", person.id);
  const first = await program.answer<Page<ListedUploadRequest>>("/requests?limit=2");
  await make({ title: "Four" });
  const second = await program.answer<Page<ListedUploadRequest>>(`/requests?limit=2&cursor=${first.next ?? ""}`);
  expect([...first.items, ...second.items].map(({ title }) => title)).toEqual(["Three", "Two", "One"]);
  expect(second.next).toBeNull();
});

describe("what has come", () => {
  it("is listed with its sender, page by page, of all requests or of one, and opens nothing [KEY-19]", async () => {
    const [photos, films] = [await make(), await make({ title: "Films" })];
    const sent = await new Sender(photos).send([textFile("sea.jpg")], { senderName: "Ada", note: "There are more." });
    await new Sender(films).send([textFile("one.mov"), textFile("two.mov")]);
    const first = await program.answer<Page<ReceivedTransfer>>("/received?limit=1");
    expect(first.items).toMatchObject([{ requestTitle: "Films", entries: 2, senderName: null }]);
    const second = await program.answer<Page<ReceivedTransfer>>(`/received?limit=1&cursor=${first.next ?? ""}`);
    expect(second).toEqual({
      items: [
        {
          id: sent.uploadId,
          requestId: photos.id,
          requestTitle: "Photos",
          title: "sea.jpg",
          size: 15,
          entries: 1,
          receivedAt: expect.any(String) as string,
          expiresAt: expect.any(String) as string,
          senderName: "Ada",
          senderEmail: null,
          senderNote: "There are more.",
          link: null,
        },
      ],
      next: null,
    });
    const ofOne = await program.answer<Page<ReceivedTransfer>>(`/received?request=${photos.id}`);
    expect(ofOne.items).toEqual(second.items);
    expect(JSON.stringify([first, second])).not.toContain(sent.downloadId);
    const whole = await programOf(person);
    const reads = [`/links/${sent.downloadId}`, `/links/${sent.downloadId}/files/0`];
    for (const path of reads) expect((await whole.fetch(path)).status).toBe(404);
  });

  it("shows no download id and no link, whatever a key with all scopes asks [REQ-5]", async () => {
    const sent = await new Sender(await make()).send([textFile("sea.jpg")]);
    const whole = await programOf(person);
    const path = `/transfers/${sent.uploadId}`;
    const read = await answerOf(whole.fetch(path));
    expect(read).toMatchObject([200, { id: sent.uploadId, title: "sea.jpg", downloadId: null, link: null }]);
    const changed = await answerOf(whole.patch(path, { name: "The sea" }));
    expect(changed).toMatchObject([200, { title: "The sea", downloadId: null, link: null }]);
    const guarded = await answerOf(whole.patch(path, { guards: { maxDownloads: 3 } }));
    expect(guarded).toMatchObject([200, { downloadId: null, link: null }]);
    const listed = [await whole.answer("/transfers"), await whole.answer(`${path}/downloads`)];
    expect(JSON.stringify([read, changed, guarded, listed])).not.toContain(sent.downloadId);
    expect((await whole.fetch(`/uploads/${sent.uploadId}`)).status).toBe(404);
  });

  it("is mailed to nobody while it has no link", async () => {
    const sent = await new Sender(await make()).send([textFile("sea.jpg")]);
    const whole = await programOf(person);
    const refused = {
      code: "FILE_NOT_FOUND",
      message: "This came through an upload request and has no link. Make one under Received first.",
    };
    const mail = { email: "friend@example.com" };
    expect(await answerOf(whole.post(`/transfers/${sent.uploadId}/mail`, mail))).toMatchObject([404, refused]);
    expect(await answerOf(person.post(`/api/files/${sent.uploadId}/share`, mail))).toMatchObject([404, refused]);
    await person.post(`/api/received/${sent.uploadId}/link`, {});
    expect((await whole.post(`/transfers/${sent.uploadId}/mail`, mail)).status).toBe(204);
  });

  it("has the link that its owner made of it", async () => {
    const sent = await new Sender(await make()).send([textFile("sea.jpg")]);
    const made = await (await person.post(`/api/received/${sent.uploadId}/link`, {})).json<ReceivedTransfer>();
    const { items } = await program.answer<Page<ReceivedTransfer>>("/received");
    expect(items).toMatchObject([{ id: sent.uploadId, link: made.link }]);
    expect((await new Client().fetch(contentPath(made.downloadId))).status).toBe(200);
  });
});
