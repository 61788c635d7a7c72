import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { MINUTE_MS } from "#domain/units.ts";
import { takeDownEntry } from "#worker/admin/take-down-entry.ts";
import { openDatabase } from "#worker/db/client.ts";
import { servicesFor, type Services } from "#worker/services.ts";
import { faultyEnv, LOST_ANSWER, LOST_REQUEST, strike, type Fate } from "../support/faults.ts";
import { mailsTo } from "../support/mails.ts";
import { interceptQueries, wrapMethods } from "../support/query-interceptor.ts";
import { storedKeys } from "../support/storage-and-rows.ts";
import { batch, finish, join, putObject, sendTransfer, startTransfer, textFile } from "../support/transfers.ts";
import { answerOf, Client, logInAdmin, rowOf, signUp } from "../support/worker.ts";

/** 5, 6 and 4 bytes in one pack, and an empty file. */
const FILES = [
  textFile("a.txt", "first"),
  textFile("b.txt", "second"),
  textFile("c.txt", "last"),
  textFile("empty.txt", ""),
];
const services = servicesFor(env);
const admin = { userId: null, username: "somebody" };

const LOGS = (call: string) => call.includes('insert into "admin_audit_logs"');

/** Calls of the transfer's session fail before they run. */
function withFaultySession(fate: Fate): Env {
  const find = (stub: object) =>
    wrapMethods(stub, (name, call) => (...args) => {
      const fault = fate(String(name));
      return fault ? Promise.reject(new Error(fault.message)) : call(...args);
    });
  const TRANSFERS = wrapMethods(env.TRANSFERS, (name, call) =>
    name === "get" ? (...args) => find(call(...args) as object) : call,
  );
  return { ...env, TRANSFERS };
}

/** The answers to the first `times` batches that write the log are lost. */
function withLostAnswers(times: number) {
  const { fate, struck } = strike(times, LOST_ANSWER, LOGS);
  const database = interceptQueries(env.DB, async (queries, proceed) => {
    const fault = fate(queries.map(({ text }) => text).join("\n"));
    const answer = await proceed();
    if (fault) throw new Error(fault.message);
    return answer;
  });
  return { faulty: { ...services, db: openDatabase(database) }, struck };
}

/** Mails that were sent, also those that the cron sends later. */
async function countMails(email: string): Promise<number> {
  await services.outbox.hurry(Date.now() + 6 * MINUTE_MS);
  return (await mailsTo(email)).length;
}

async function packOf(id: string): Promise<string | undefined> {
  return (await env.BUCKET.get(`files/${id}/00000`))?.text();
}

const MALWARE = { reason: "It holds malware.", ground: "terms" } as const;

const rowOfFile = (id: string) => rowOf<Record<string, unknown>>("select * from files where id = ?", id);

function countLogged(id: string): Promise<{ n: number }> {
  return rowOf("select count(*) as n from admin_audit_logs where target = ?", id);
}

describe("the take-down of one file of a transfer", () => {
  it("is answered, logged and mailed once when the database's first answer is lost", async () => {
    const person = await signUp();
    const { uploadId: id } = await sendTransfer(person, FILES);
    const { faulty, struck } = withLostAnswers(1);
    await takeDownEntry(faulty, admin, { id, n: 0 }, MALWARE, Date.now());
    expect(struck).toHaveLength(1);
    expect(await countMails(person.email)).toBe(1);
    expect(await countLogged(id)).toEqual({ n: 1 });
  });

  it("is logged and mailed once when every answer is lost, and the repeated call removes the file [TRF-36]", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    const person = await signUp();
    const { uploadId: id } = await sendTransfer(person, FILES);
    const { faulty } = withLostAnswers(100);
    await expect(takeDownEntry(faulty, admin, { id, n: 0 }, MALWARE, Date.now())).rejects.toThrow();
    await takeDownEntry(services, admin, { id, n: 0 }, MALWARE, Date.now());
    expect(await rowOfFile(id)).toMatchObject({ status: "ready", entry_count: 3 });
    expect(await countMails(person.email)).toBe(1);
    expect(await countLogged(id)).toEqual({ n: 1 });
  });

  it("is mailed once while the transfer uploads, however often it is repeated", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    const person = await signUp();
    const { uploadId: id } = await startTransfer(person, FILES);
    const { faulty } = withLostAnswers(100);
    await expect(takeDownEntry(faulty, admin, { id, n: 0 }, MALWARE, Date.now())).rejects.toThrow();
    await takeDownEntry(services, admin, { id, n: 0 }, MALWARE, Date.now());
    await takeDownEntry(services, admin, { id, n: 0 }, MALWARE, Date.now());
    expect(await countMails(person.email)).toBe(1);
    expect(await countLogged(id)).toEqual({ n: 1 });
  });

  it.each([
    { fails: "the database", faultsOf: (fate: Fate) => faultyEnv(env, fate, () => null), matches: LOGS },
    { fails: "the session", faultsOf: withFaultySession, matches: (call: string) => call === "batch" },
  ])(
    "is logged and mailed once when $fails fails, and the transfer is finished before the repetition [TRF-36]",
    async (test) => {
      vi.spyOn(console, "error").mockReturnValue();
      const person = await signUp();
      const started = await startTransfer(person, FILES, { open: [{ object: 0, runs: [[0, 3]] }] });
      const { uploadId: id, downloadId } = started;
      const receipts = await putObject(started, 0, join(FILES.map(({ bytes }) => bytes)));
      const { fate, struck } = strike(100, LOST_REQUEST, test.matches);
      const takeDown = (used: Services) => takeDownEntry(used, admin, { id, n: 0 }, MALWARE, Date.now());
      await expect(takeDown(servicesFor(test.faultsOf(fate)))).rejects.toThrow();
      expect(struck.length).toBeGreaterThan(0);

      expect((await finish(person, downloadId, receipts)).status).toBe(200);
      await takeDown(services);
      expect(await packOf(id)).toBe("\0\0\0\0\0secondlast");
      expect(await rowOfFile(id)).toMatchObject({ status: "ready", entry_count: 3 });
      expect(await countMails(person.email)).toBe(1);
      expect(await countLogged(id)).toEqual({ n: 1 });
    },
  );
});

describe("taking down one file of a transfer", () => {
  const takeDown = (admin: Client, id: string, n: number, reason = "It holds malware.") =>
    admin.post(`/api/admin/files/${id}/entries/${n}/take-down`, { reason });

  it("ends that file, logs it and mails the reason to the owner", async () => {
    const person = await signUp();
    const { uploadId } = await sendTransfer(person, FILES, { title: "Trip" });
    const admin = await logInAdmin();
    expect(await answerOf(takeDown(admin, uploadId, 1))).toEqual([
      200,
      { message: "The file was taken down. It can no longer be downloaded." },
    ]);
    expect(await packOf(uploadId)).toBe("first\0\0\0\0\0\0last");
    expect(await rowOfFile(uploadId)).toMatchObject({ status: "ready", entry_count: 3, deleted_at: null });
    expect(await rowOf("select action, details from admin_audit_logs where target = ?", uploadId)).toEqual({
      action: "file.take-down",
      details: "b.txt: It holds malware.",
    });
    const [mail] = await mailsTo(person.email);
    expect(mail?.subject).toBe("b.txt was taken down from Mayfly");
    expect(mail?.text).toContain("We removed b.txt from Trip.");

    expect(await answerOf(takeDown(admin, uploadId, 1))).toMatchObject([
      410,
      { message: "This file was removed from the transfer." },
    ]);
    expect(await rowOf("select count(*) as n from admin_audit_logs where target = ?", uploadId)).toEqual({ n: 1 });
  });

  it("takes down the transfer with its last file", async () => {
    const person = await signUp();
    const { uploadId } = await sendTransfer(person, FILES.slice(0, 1));
    expect((await takeDown(await logInAdmin(), uploadId, 0)).status).toBe(200);
    expect(await rowOf("select admin_deleted, takedown_reason from files where id = ?", uploadId)).toEqual({
      admin_deleted: 1,
      takedown_reason: "It holds malware.",
    });
    expect(await storedKeys(`files/${uploadId}/`)).toEqual([]);
  });

  it("is up to administrators, with a reason", async () => {
    const person = await signUp();
    const { uploadId } = await sendTransfer(person, FILES);
    expect((await takeDown(person, uploadId, 0)).status).toBe(403);
    expect((await takeDown(await logInAdmin(), uploadId, 0, "")).status).toBe(400);
    expect((await takeDown(await logInAdmin(), uploadId, 9)).status).toBe(400);
    expect((await takeDown(await logInAdmin(), crypto.randomUUID(), 0)).status).toBe(404);
    expect(await packOf(uploadId)).toBe("firstsecondlast");
  });
});

describe("an unfinished transfer that an administrator ends", () => {
  async function startWithOneStored() {
    const person = await signUp();
    const files = [textFile("a.txt", "first"), textFile("b.txt", "second")];
    const open = [{ object: 0, runs: [[0, 1]] }];
    const started = await startTransfer(person, files, { open });
    const receipts = await putObject(started, 0, files[0]?.bytes ?? expect.unreachable());
    await batch(person, started.downloadId, { receipts });
    const content = `/api/files/download/${started.downloadId}/entries/0/content`;
    await expect.poll(async () => (await new Client().fetch(content)).status).toBe(200);
    return { ...started, person, content };
  }

  it("by a take-down serves nothing from then on, keeps no bytes, and cannot be finished [TRF-21]", async () => {
    const { person, uploadId, downloadId, content } = await startWithOneStored();
    const admin = await logInAdmin();
    const found = await admin.fetch(`/api/admin/files?q=${downloadId}`);
    expect(found.status).toBe(200);
    const answer = await admin.post(`/api/admin/files/${uploadId}/take-down`, { reason: "It holds malware." });
    expect(answer.status).toBe(200);
    expect((await new Client().fetch(content)).status).toBe(404);
    expect(await storedKeys(`files/${uploadId}`)).toEqual([]);
    expect((await finish(person, downloadId)).status).toBe(409);
    expect(await rowOf("select status, admin_deleted, takedown_reason from files where id = ?", uploadId)).toEqual({
      status: "cancelled",
      admin_deleted: 1,
      takedown_reason: "It holds malware.",
    });
  });

  it("by the take-down of one file serves the others [TRF-21]", async () => {
    const { uploadId, content } = await startWithOneStored();
    const admin = await logInAdmin();
    const answer = await admin.post(`/api/admin/files/${uploadId}/entries/0/take-down`, {
      reason: "It holds malware.",
    });
    expect(answer.status).toBe(200);
    expect((await new Client().fetch(content)).status).toBe(410);
    expect((await rowOfFile(uploadId)).status).toBe("uploading");
  });
});
