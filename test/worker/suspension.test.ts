import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { CALLS } from "#domain/calls/calls.ts";
import { DOWNLOAD_CALLS } from "#domain/calls/downloads.ts";
import { DESCRIBED_CALLS } from "#domain/v1/calls.ts";
import type { V1Call } from "#domain/v1/call.ts";
import { DAY_MS } from "#domain/units.ts";
import type { AdminUser, CaseDetails, Paged, QueueCase } from "#domain/wire.ts";
import { findSignInAccount } from "#worker/db/sign-ins.ts";
import { finishSuspensions } from "#worker/moderation/suspension.ts";
import { servicesFor } from "#worker/services.ts";
import { sweep } from "#worker/sweep/sweep.ts";
import { openUpload } from "#worker/uploads/open-upload.ts";
import { createAccountFixture, type AccountFixture } from "../support/account-fixture.ts";
import { auditEntriesFor, read } from "../support/admin.ts";
import { Browser, PASSWORD } from "../support/browser.ts";
import { codePage, SigningIn } from "../support/device.ts";
import { mailTo, subjectsTo } from "../support/mails.ts";
import { createRequest, Sender } from "../support/requests.ts";
import { requestFor } from "../support/routes.ts";
import { storedKeys } from "../support/storage-and-rows.ts";
import { textFile } from "../support/transfers.ts";
import { TusSender } from "../support/tus-requests.ts";
import { makeKey, programOf } from "../support/v1.ts";
import { addWebhook, ReceiverInbox } from "../support/webhooks.ts";
import {
  answerOf,
  Client,
  contentPath,
  logInAdmin,
  putOnPlan,
  rowOf,
  runSql,
  sendFile,
  signUp,
} from "../support/worker.ts";

const services = servicesFor(env);
const REASON = "This account sends malware.";
type Person = Awaited<ReturnType<typeof signUp>>;

let admin: Client;

beforeAll(async () => {
  admin = await logInAdmin();
});

const suspend = (id: string, by = admin) => by.post(`/api/admin/users/${id}/suspension`, { reason: REASON });
const restore = (id: string) => admin.delete(`/api/admin/users/${id}/suspension`);

async function refusal(response: Response | Promise<Response>): Promise<[number, unknown]> {
  const [status, { code }] = await answerOf(response);
  return [status, code];
}

describe("a suspended account", () => {
  let fixture: AccountFixture;
  let key: string;

  beforeAll(async () => {
    fixture = await createAccountFixture();
    key = (await makeKey(fixture.owner)).key;
    expect((await suspend(fixture.owner.id)).status).toBe(200);
  });

  function send(route: string, headers: Record<string, string> = {}, by: Client = fixture.owner): Promise<Response> {
    const { path, init } = requestFor(route, fixture);
    const own = Object.fromEntries(new Headers(init.headers));
    return by.fetch(path, { ...init, headers: { ...own, accept: "application/json", ...headers } });
  }

  it("has no session for any call that needs one, so that no browser sends, in parts, chunks or forms [SUSP-1]", async () => {
    const needy = Object.entries(CALLS).filter(
      ([key, { who }]) => who !== "anybody" && who !== "administrator" && !key.includes("/ws"),
    );
    expect(needy.map(([key]) => key)).toEqual(
      expect.arrayContaining([
        "POST /api/direct-upload/presigned-url",
        "POST /api/direct-upload/proxy-upload",
        "POST /api/chunked-upload/init",
        "POST /api/chunked-upload/chunk",
        "POST /api/transfers",
      ]),
    );
    const statuses = await Promise.all(needy.map(async ([key]) => [key, (await send(key)).status]));
    expect(statuses).toEqual(needy.map(([key]) => [key, 401]));
  });

  it("has no key that a program can use, by v1, curl, tus or the command line [SUSP-1]", async () => {
    const keyed = Object.values<V1Call>(DESCRIBED_CALLS)
      .filter(({ scope }) => scope !== null)
      .map((call) => `${call.method} ${call.isTop ? "" : "/api/v1"}${call.path.replaceAll(/\{(\w+)\}/g, ":$1")}`);
    expect(keyed).toEqual(
      expect.arrayContaining([
        "POST /api/v1/uploads",
        "POST /api/v1/transfers",
        "POST /api/v1/tus",
        "PUT /:name",
        "POST /",
      ]),
    );
    const authorization = `Bearer ${key}`;
    const refusals = [];
    for (const route of keyed) refusals.push([route, ...(await refusal(send(route, { authorization }, new Client())))]);
    expect(refusals).toEqual(keyed.map((route) => [route, 403, "ACCOUNT_SUSPENDED"]));
  });

  it("has no link that shows anything, and none says why [SUSP-2]", async () => {
    const links = Object.keys(DOWNLOAD_CALLS).filter((call) => !call.endsWith("/live"));
    for (const link of links) {
      const response = await send(link, {}, new Client());
      const text = await response.text();
      expect([link, response.status, text]).toEqual([link, 410, expect.stringContaining('"LINK_UNAVAILABLE"')]);
      expect(text).not.toMatch(/suspend|account|abuse|report/i);
    }
    const page = await new Client().fetch(`/download/${fixture.downloadId}`);
    expect([page.status, await page.text()]).toEqual([410, expect.stringContaining("This link is not available.")]);
  });

  it("has upload requests that are closed, in the browser and by tus [SUSP-2]", async () => {
    const link = `${env.APP_ORIGIN}/r/${fixture.requestToken}`;
    const sender = new Sender({ link });
    const shown = sender.fetch(`/api/requests/by-link/${fixture.requestToken}`);
    expect(await refusal(shown)).toEqual([410, "REQUEST_CLOSED"]);
    expect(await refusal(sender.start([textFile("a.txt")]))).toEqual([410, "REQUEST_CLOSED"]);
    const tus = await new TusSender({ link }).start();
    expect(tus.status).toBe(410);
  });

  it("is refused at the reservation, when the caller was known before the suspension [SUSP-1]", async () => {
    const { id: userId } = fixture.owner;
    const from = { userId, plan: "free", ip: "192.0.2.1", userAgent: null } as const;
    const sender = { name: null, email: null, note: null };
    const request = { id: fixture.requestId, mostFileBytes: null, kinds: null, network: "192.0.2.1", sender };
    const callers = [
      [{ kind: "account", ...from }, "ACCOUNT_SUSPENDED"],
      [{ kind: "key", ...from, key: { id: fixture.keyId, largestFileBytes: null } }, "ACCOUNT_SUSPENDED"],
      [{ kind: "sender", ...from, tokenHash: "x", request }, "REQUEST_CLOSED"],
    ] as const;
    for (const [caller, code] of callers) {
      const upload = {
        lifetime: { sizeBytes: 5, expiration: "1d", expirationChosen: true },
        filename: "a.txt",
        fileType: "text/plain",
        partSizeBytes: null,
        chunkSizeBytes: null,
        now: Date.now(),
      } as const;
      await expect(openUpload(services, caller, upload)).rejects.toMatchObject({ code });
    }
    expect(await rowOf("select count(*) as n from files where user_id = ? and status = 'uploading'", userId)).toEqual({
      n: 0,
    });
  });
});

describe("a suspension", () => {
  let person: Person;

  beforeEach(async () => {
    person = await signUp();
  });

  it("ends unfinished uploads, a second browser, webhooks and a program that waits for its key [SUSP-1]", async () => {
    const upload = await person.startUpload(5);
    const big = await person.startUpload(20 * 1024 * 1024);
    const second = new Browser();
    expect((await second.fetch("/api/auth/login", loginOf(person))).status).toBe(200);
    const webhook = await addWebhook(person, new ReceiverInbox().url, ["transfer.uploaded"]);
    const program = await SigningIn.begin();
    await codePage(() => person).approve(program.userCode);
    await suspend(person.id);
    await expect
      .poll(() => rowOf("select group_concat(distinct status) as s from files where user_id = ?", person.id))
      .toEqual({ s: "cancelled" });
    expect([...(await storedKeys(`files/${upload.uploadId}`)), ...(await storedKeys(`files/${big.uploadId}`))]).toEqual(
      [],
    );
    expect(await (await second.fetch("/api/auth/me")).json()).toBeNull();
    expect(await rowOf("select count(*) as n from sessions where user_id = ?", person.id)).toEqual({ n: 0 });
    expect(await rowOf("select disabled_at is not null as off from webhooks where id = ?", webhook.id)).toEqual({
      off: 1,
    });
    expect(await refusal(program.poll())).toEqual([400, "EXPIRED_TOKEN"]);
    expect(await rowOf("select count(*) as n from api_keys where user_id = ?", person.id)).toEqual({ n: 0 });
  });

  it("stops each sign-in only after the right password, and also one that had begun [SUSP-1]", async () => {
    const account = await findSignInAccount(services.db, person.id, null);
    await suspend(person.id);
    expect(await refusal(new Client().post("/api/auth/login", { email: person.email, password: PASSWORD }))).toEqual([
      403,
      "ACCOUNT_SUSPENDED",
    ]);
    expect(
      await refusal(new Client().post("/api/auth/login", { email: person.email, password: "wrong word" })),
    ).toEqual([401, "INVALID_CREDENTIALS"]);
    expect(account?.suspendedAt).toBeNull();
    expect(await rowOf("select access_revision as n from users where id = ?", person.id)).toEqual({ n: 1 });
  });

  it("mails what, why and how to object; the objection is a case, and restoring brings everything back [SUSP-3, SUSP-4, LAW-3]", async () => {
    const { downloadId } = await sendFile(person, "the owner's words");
    await putOnPlan(person.email, "professional");
    const program = await programOf(person);
    const webhook = await addWebhook(person, new ReceiverInbox().url, ["transfer.uploaded"]);
    const off = await addWebhook(person, new ReceiverInbox().url, ["transfer.uploaded"]);
    await person.patch(`/api/webhooks/${off.id}`, { enabled: false });
    await suspend(person.id);

    const mail = await mailTo(person.email, (await subjectsTo(person.email)).length);
    expect(mail.subject).toBe("Your Mayfly account is suspended");
    expect(mail.text).toContain(`“${REASON}”`);
    const [, token = ""] = /\/objection\/([\w-]{43})/.exec(mail.text) ?? [];
    const page = await new Client().fetch(`/objection/${token}`);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining(REASON)]);
    const stranger = new Client();
    expect(await answerOf(stranger.fetch(`/api/objections/${token}`))).toEqual([
      200,
      {
        decision: "suspended",
        reader: "owner",
        about: person.email,
        reason: REASON,
        at: expect.any(String) as string,
        hasObjected: false,
      },
    ]);
    expect((await stranger.post(`/api/objections/${token}`, { text: "My key was stolen." })).status).toBe(200);
    expect(await refusal(stranger.post(`/api/objections/${token}`, { text: "Again." }))).toEqual([
      409,
      "ALREADY_OBJECTED",
    ]);
    expect(await subjectsTo(person.email)).toContain("We have your objection");

    const { items } = await read<Paged<QueueCase>>(admin, "/api/admin/cases");
    const objection = items.find(({ account, kind }) => kind === "objection" && account?.id === person.id);
    expect(objection).toMatchObject({ detail: { text: "My key was stolen." }, actions: ["uphold", "restore"] });
    const id = objection?.id ?? "";
    const details = await read<CaseDetails>(admin, `/api/admin/cases/${id}`);
    expect(details.files).toMatchObject([{ downloadId }]);
    expect((await admin.post(`/api/admin/cases/${id}/close`, { action: "restore", note: "Sorry." })).status).toBe(200);

    expect(await subjectsTo(person.email)).toEqual(
      expect.arrayContaining(["Your Mayfly account works again", "We looked at it again"]),
    );
    expect(await (await new Client().fetch(contentPath(downloadId))).text()).toBe("the owner's words");
    expect((await program.fetch("/me")).status).toBe(200);
    const isOff = "select disabled_at is not null as off from webhooks where id = ?";
    expect([await rowOf(isOff, webhook.id), await rowOf(isOff, off.id)]).toEqual([{ off: 0 }, { off: 1 }]);
    const login = await new Client().post("/api/auth/login", { email: person.email, password: PASSWORD });
    expect(login.status).toBe(200);
    expect((await auditEntriesFor(admin, person.id)).map(([action, , details]) => [action, details])).toEqual([
      ["user.suspend", `${person.email}: ${REASON}`],
      ["user.restore", person.email],
    ]);
    expect(await refusal(admin.post(`/api/admin/cases/${id}/close`, { action: "uphold" }))).toEqual([
      409,
      "CASE_CLOSED",
    ]);
  });

  it("keeps its address and mailbox from new accounts, also once the account is deleted, until it is restored [SUSP-5]", async () => {
    const register = (email: string) => refusal(new Client().post("/api/auth/register", { email, password: PASSWORD }));
    const tagged = person.email.replace("@", "+again@");
    await suspend(person.id);
    expect([await register(person.email), await register(tagged)]).toEqual([
      [409, "EMAIL_TAKEN"],
      [409, "EMAIL_TAKEN"],
    ]);
    await admin.delete(`/api/admin/users/${person.id}`);
    await expect.poll(() => rowOf("select count(*) as n from users where id = ?", person.id)).toEqual({ n: 0 });
    expect(await register(person.email)).toEqual([409, "EMAIL_TAKEN"]);
    const other = await signUp();
    await suspend(other.id);
    await restore(other.id);
    expect((await register(other.email.replace("@", "+new@")))[0]).toBe(201);
  });

  it("deletes nothing for 30 days, not even expired files, and then the account, unless an objection is open [SUSP-6]", async () => {
    const { uploadId } = await sendFile(person, "abc");
    const objector = await signUp();
    await Promise.all([suspend(person.id), suspend(objector.id)]);
    const mail = await mailTo(objector.email, (await subjectsTo(objector.email)).length);
    const [, token = ""] = /\/objection\/([\w-]{43})/.exec(mail.text) ?? [];
    await new Client().post(`/api/objections/${token}`, { text: "This is wrong." });
    const at = Date.now();
    const clock = () => at + 29 * DAY_MS;
    await sweep(services, clock);
    await finishSuspensions(services, clock());
    expect(await storedKeys(`files/${uploadId}`)).toEqual([`files/${uploadId}`]);
    await finishSuspensions(services, at + 31 * DAY_MS);
    const isGone = "select deleted_at is not null as gone from users where id = ?";
    expect([await rowOf(isGone, person.id), await rowOf(isGone, objector.id)]).toEqual([{ gone: 1 }, { gone: 0 }]);
    await runSql("delete from cases where user_id = ?", objector.id);
  });

  it("keeps what it is about from the address with which curl deletes a file [SUSP-6]", async () => {
    const { key } = await makeKey(person);
    const headers = { authorization: `Bearer ${key}` };
    const sent = await new Client().fetch("/a.txt", { method: "PUT", headers, body: "hello" });
    const address = sent.headers.get("x-url-delete") ?? "";
    await suspend(person.id);
    expect((await new Client().delete(address)).status).toBe(410);
    const stored = "select deleted_at from files where user_id = ?";
    expect(await rowOf(stored, person.id)).toEqual({ deleted_at: null });
    await restore(person.id);
    expect((await new Client().delete(address)).status).toBe(204);
  });

  it("ends uploads later that it could not end at once [SUSP-1]", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    await suspend(person.id);
    await restore(person.id);
    const { uploadId } = await person.startUpload(5).catch(() => ({ uploadId: "" }));
    expect(uploadId).toBe("");
    const again = new Client();
    await again.post("/api/auth/login", { email: person.email, password: PASSWORD });
    const started = await again.startUpload(5);
    await runSql("update users set suspended_at = 1 where id = ?", person.id);
    await finishSuspensions(services, DAY_MS);
    expect(await rowOf("select status from files where id = ?", started.uploadId)).toEqual({ status: "cancelled" });
    await runSql("update users set suspended_at = null where id = ?", person.id);
  });

  it("is refused for oneself, the last administrator, and an account that is suspended already, in words [SUSP-7]", async () => {
    const other = await signUp();
    for (const { id } of [person, other]) await admin.put(`/api/admin/user/admin/${id}`, { isAdmin: true });
    const inner = await logInAdmin(person.email, PASSWORD);
    expect(await answerOf(suspend(person.id, inner))).toEqual([
      409,
      {
        code: "SUSPENDS_ITSELF",
        message: "You cannot suspend your own account. Ask another administrator to do it.",
      },
    ]);
    await runSql("update users set is_admin = 0 where id not in (?, ?)", person.id, other.id);
    expect((await suspend(other.id, inner)).status).toBe(200);
    expect(await refusal(suspend(other.id))).toEqual([409, "ALREADY_SUSPENDED"]);
    expect(await refusal(suspend(person.id))).toEqual([409, "LAST_ADMIN"]);
    expect(await refusal(admin.put(`/api/admin/user/admin/${person.id}`, { isAdmin: false }))).toEqual([
      409,
      "LAST_ADMIN",
    ]);
    await expect(logInAdmin(other.email, PASSWORD)).rejects.toThrow("401");
    expect(await refusal(restore(person.id))).toEqual([404, "NOT_FOUND"]);
    const [, shown] = await answerOf(admin.fetch(`/api/admin/users/${other.id}`));
    expect((shown as unknown as AdminUser).suspendedAt).not.toBeNull();
  });
});

function loginOf({ email }: Person) {
  return {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email, password: PASSWORD }),
  };
}

it("an administrator can look at a suspended link, and a request of the account stays closed [QUE-3]", async () => {
  const person = await signUp();
  const { downloadId } = await sendFile(person, "abc");
  const request = await createRequest(person);
  await suspend(person.id);
  expect(await (await admin.fetch(contentPath(downloadId))).text()).toBe("abc");
  expect((await new Client().fetch(contentPath(downloadId))).status).toBe(410);
  expect(await refusal(new Sender(request).start([textFile("a.txt")]))).toEqual([410, "REQUEST_CLOSED"]);
});
