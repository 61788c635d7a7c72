import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { createRequest, listRequests, Sender } from "../support/requests.ts";
import { textFile } from "../support/transfers.ts";
import { BYTES, metadata } from "../support/tus.ts";
import { TusSender } from "../support/tus-requests.ts";
import { clientFrom } from "../support/worker-with-env.ts";
import { answerOf, putOnPlan, rowOf, runSql, signUp } from "../support/worker.ts";

const MIB = 1_048_576;

const monthOf = (id: string) =>
  rowOf("select monthly_upload_total as bytes, monthly_transfer_count as transfers from users where id = ?", id);
const countOf = (userId: string) => rowOf<{ n: number }>("select count(*) as n from files where user_id = ?", userId);

describe("the bounds of the request", () => {
  it.each<[string, Record<string, unknown>, Record<string, string>, number, Record<string, unknown>]>([
    [
      "a kind",
      { kinds: ["pdf", "tar.gz"] },
      {},
      415,
      { code: "KIND_REFUSED", message: "This request takes pdf, tar.gz only." },
    ],
    [
      "a file's size",
      { mostFileBytes: 4 },
      {},
      403,
      { code: "REQUEST_FULL", message: "This request takes files of up to 4 Bytes." },
    ],
    ["all sizes", { mostBytes: 4 }, {}, 403, { code: "REQUEST_FULL", message: "This request takes 4 Bytes more." }],
    [
      "a name",
      { asksName: true },
      { senderEmail: "ann@example.com" },
      400,
      { code: "BAD_REQUEST", field: "senderName" },
    ],
    [
      "an address",
      { asksEmail: true },
      { senderName: "Ann", senderEmail: "" },
      400,
      { code: "BAD_REQUEST", field: "senderEmail" },
    ],
    ["a password", { password: "blue lobster" }, {}, 401, { code: "LINK_LOCKED", guard: "password" }],
    [
      "the right password",
      { password: "blue lobster" },
      { password: "red lobster" },
      403,
      { code: "LINK_PASSWORD_WRONG" },
    ],
    ["its owner's time", {}, { expires: "1d" }, 400, { code: "BAD_REQUEST", field: "expires" }],
    ["its owner's downloads", {}, { downloads: "3" }, 400, { code: "BAD_REQUEST", field: "downloads" }],
    ["its owner's mails", {}, { notify: "off" }, 400, { code: "BAD_REQUEST", field: "notify" }],
  ])("are kept: %s [REQ-11]", async (_, bounds, said, status, answer) => {
    const owner = await signUp();
    const sender = new TusSender(await createRequest(owner, bounds));
    expect(await answerOf(sender.start({ said }))).toMatchObject([status, answer]);
    expect([await countOf(owner.id), await monthOf(owner.id)]).toEqual([{ n: 0 }, { bytes: 0, transfers: 0 }]);
    // Strangers do not fill the log of somebody else.
    expect(await rowOf("select count(*) as n from upload_audit_logs where user_id = ?", owner.id)).toEqual({ n: 0 });
  });

  it("let in what they allow, with the password in the metadata", async () => {
    const owner = await signUp();
    const bounds = { password: "blue lobster", kinds: ["txt"], mostFileBytes: 5, mostBytes: 5, mostTransfers: 1 };
    const sender = new TusSender(await createRequest(owner, { ...bounds, asksName: true, asksEmail: true }));
    const said = { password: "blue lobster", senderName: "Ann", senderEmail: "ann@example.com" };
    await sender.sendAll("hello", said);
    expect(await answerOf(sender.start({ size: 0, said }))).toMatchObject([403, { code: "REQUEST_FULL" }]);
  });

  it("are filled to the last byte by ten starts at once, and not beyond [REQ-11]", async () => {
    const owner = await signUp();
    const made = await createRequest(owner, { mostBytes: 70 });
    const starts = await Promise.all(Array.from({ length: 10 }, () => new TusSender(made).start({ size: 10 })));
    expect(starts.map(({ status }) => status).sort()).toEqual([201, 201, 201, 201, 201, 201, 201, 403, 403, 403]);
    expect((await listRequests(owner))[0]).toMatchObject({ receivedBytes: 70, receivedTransfers: 7 });
    expect(await monthOf(owner.id)).toEqual({ bytes: 70, transfers: 7 });
  });

  it("have ten unfinished uploads from one network, of the page and of tus together", async () => {
    const owner = await signUp();
    const made = await createRequest(owner);
    await new Sender(made).begin([textFile("a.txt", "x")]);
    const sender = new TusSender(made);
    const uploads = [];
    while (uploads.length < 9) uploads.push(await sender.begin());
    const refused = await sender.start();
    expect(refused.headers.get("retry-after")).toBe("60");
    expect(await answerOf(refused)).toMatchObject([429, { code: "RATE_LIMITED" }]);
    const [first = expect.unreachable()] = uploads;
    expect((await sender.call(first.path, "DELETE")).status).toBe(204);
    expect((await sender.start()).status).toBe(201);
    expect(await monthOf(owner.id)).toEqual({ bytes: 46, transfers: 10 });
  });

  it("are the owner's plan and month too, whose words a stranger does not hear", async () => {
    const owner = await signUp();
    const made = await createRequest(owner);
    const sender = new TusSender(made);
    expect(await answerOf(sender.start({ size: 524_288_001 }))).toMatchObject([
      403,
      { code: "REQUEST_FULL", message: "This request takes files of up to 500 MB." },
    ]);
    await runSql("update users set monthly_transfer_count = 20 where id = ?", owner.id);
    for (const size of [5, null]) {
      expect(await answerOf(sender.start({ size }))).toMatchObject([
        403,
        {
          code: "REQUEST_FULL",
          message: "Whoever asked for files cannot take more of them at the moment. Please tell them.",
        },
      ]);
    }
    await putOnPlan(owner.email, "professional");
    const newer = await createRequest(owner);
    await putOnPlan(owner.email, "free");
    expect(await answerOf(new TusSender(newer).start())).toMatchObject([410, { code: "REQUEST_CLOSED" }]);
  });

  it("hold for a file whose size comes later, which ends at them and gives everything back [REQ-11]", async () => {
    const owner = await signUp();
    const made = await createRequest(owner, { mostBytes: 15, mostFileBytes: 12 });
    const sender = new TusSender(made);
    const first = await sender.begin({ size: null });
    const patch = (tus: { path: string }, offset: number, length: number) =>
      sender.send(tus, offset, "x".repeat(length), { "content-length": String(length) });
    expect((await patch(first, 0, 10)).status).toBe(204);
    expect((await listRequests(owner))[0]).toMatchObject({ receivedBytes: 12 });
    expect(await answerOf(patch(first, 10, 3))).toMatchObject([
      403,
      { code: "REQUEST_FULL", message: "This request takes files of up to 12 Bytes." },
    ]);
    expect((await sender.call(first.path, "HEAD")).status).toBe(410);
    await sender.sendAll("x".repeat(10));
    const second = await sender.begin({ size: null });
    expect(await answerOf(patch(second, 0, 6))).toMatchObject([
      403,
      { code: "REQUEST_FULL", message: "This request takes 5 Bytes more." },
    ]);
    expect(await monthOf(owner.id)).toEqual({ bytes: 10, transfers: 1 });
    const third = await sender.begin({ size: null });
    expect((await patch(third, 0, 5)).status).toBe(204);
    expect((await sender.send(third, 5, "", { "content-length": "0", "upload-length": "5" })).status).toBe(204);
    expect(await answerOf(sender.start({ size: null }))).toMatchObject([403, { code: "REQUEST_FULL" }]);
  });
});

describe("limits of strangers", () => {
  const limited = { ...env, RATE_LIMITS: "on" };

  it("are 20 starts an hour from one address, of the page and of tus together [REQ-11]", async () => {
    const owner = await signUp();
    const made = await createRequest(owner, { kinds: ["pdf"] });
    const client = clientFrom("2001:db8:24::1", limited);
    const sender = new TusSender(made, null, client);
    const onPage = () =>
      client.post(`/api/requests/by-link/${sender.token}/transfers`, {
        totals: { entries: 1, bytes: 1 },
        entries: { from: 0, list: [["a.exe", 1, 0]] },
      });
    for (let count = 0; count < 19; count += 1) expect((await sender.start()).status).toBe(415);
    expect((await onPage()).status).toBe(415);
    expect(await answerOf(sender.start())).toMatchObject([429, { code: "RATE_LIMITED" }]);
    expect((await new TusSender(made, null, clientFrom("2001:db8:25::1", limited)).start()).status).toBe(415);
  });

  it("are 20 unknown tokens a minute", async () => {
    const client = clientFrom("2001:db8:26::1", limited);
    const stranger = new TusSender({ link: `/r/${"A".repeat(22)}` }, null, client);
    for (let count = 0; count < 20; count += 1) {
      expect(await answerOf(stranger.start())).toMatchObject([404, { code: "REQUEST_NOT_FOUND" }]);
    }
    expect((await stranger.start()).status).toBe(429);
  });

  it("are five wrong passwords, and the right one counts as none", async () => {
    const owner = await signUp();
    const made = await createRequest(owner, { password: "blue lobster" });
    const sender = new TusSender(made, null, clientFrom("2001:db8:27::1", limited));
    const tried = async (password: string) => (await sender.start({ said: { password } })).status;
    expect(await tried("blue lobster")).toBe(201);
    for (let count = 0; count < 5; count += 1) expect(await tried("red lobster")).toBe(403);
    expect(await tried("blue lobster")).toBe(429);
  });
});

describe("hostile metadata", () => {
  const base64 = (text: string) => btoa(text);

  it.each<[string, string]>([
    ["a folder", metadata({ filename: "a/b.txt" })],
    ["a folder of the other kind", metadata({ filename: "..\\b.txt" })],
    ["dots alone", metadata({ filename: ".." })],
    ["no name", metadata({ senderName: "Ann" })],
    ["a line break in a name", metadata({ filename: "a.txt", senderName: "Ann\nBcc: all@example.com" })],
    ["a zero in a name", metadata({ filename: "a.txt", senderName: "Ann\0" })],
    ["a name of 101 characters", metadata({ filename: "a.txt", senderName: "x".repeat(101) })],
    ["a note of 2001 characters", metadata({ filename: "a.txt", note: "x".repeat(2001) })],
    ["an address that is none", metadata({ filename: "a.txt", senderEmail: "ann@example.com, bob@example.com" })],
    ["a password of 129 characters", metadata({ filename: "a.txt", password: "x".repeat(129) })],
    ["bytes that are not UTF-8", `filename ${base64("a.txt")},senderName ${btoa("\xff\xfe")}`],
    ["half a character", `filename ${base64("a.txt")},note ${btoa("\xed\xa0\x80")}`],
    ["a key twice", `filename ${base64("a.txt")},senderName ${base64("Ann")},senderName ${base64("Bob")}`],
    ["no Base64", "filename a.txt"],
    ["more than 8192 characters", `filename ${base64("a.txt")},x ${"A".repeat(8200)}`],
  ])("is refused in words, and nothing stays: %s [REQ-11]", async (_, said) => {
    const owner = await signUp();
    const sender = new TusSender(await createRequest(owner));
    const response = await sender.start({ headers: { "upload-metadata": said } });
    const [status, { code, message }] = await answerOf(response);
    expect([status, code]).toEqual([400, "BAD_REQUEST"]);
    expect(message).toMatch(/[.a-z]$/);
    expect(await countOf(owner.id)).toEqual({ n: 0 });
  });

  it("that names other things of a row is ignored", async () => {
    const owner = await signUp();
    const sender = new TusSender(await createRequest(owner));
    const said = {
      userId: "x",
      requestId: "x",
      status: "ready",
      transfer: "y".repeat(500),
      __proto__: "z",
      apiKeyId: "x",
    };
    const tus = await sender.begin({ said });
    expect(
      await rowOf(
        "select user_id as userId, status, api_key_id as keyId, transfer_label as label, max_downloads as most, password_hash as hash from files where id = ?",
        tus.id,
      ),
    ).toEqual({ userId: owner.id, status: "uploading", keyId: null, label: null, most: null, hash: null });
  });

  it("is refused with parallel parts, two lengths, and more bytes than were said", async () => {
    const owner = await signUp();
    const sender = new TusSender(await createRequest(owner));
    expect((await sender.start({ headers: { "upload-concat": "partial" } })).status).toBe(400);
    expect((await sender.start({ headers: { "upload-defer-length": "1" } })).status).toBe(400);
    expect((await sender.start({ size: 4, headers: { ...BYTES, "content-length": "5" }, body: "hello" })).status).toBe(
      413,
    );
    expect(await countOf(owner.id)).toEqual({ n: 0 });
    const tus = await sender.begin({ size: MIB });
    expect((await sender.send(tus, 1, "x")).status).toBe(409);
    expect((await sender.send(tus, 0, "x".repeat(5), { "content-type": "text/plain" })).status).toBe(415);
  });
});
