import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { MAX_IMPORTED_LINES } from "#domain/moderation/block-list.ts";
import { MIB } from "#domain/units.ts";
import type { BlockList, ImportedBlockList, Overview } from "#domain/wire.ts";
import { read } from "../support/admin.ts";
import { mailsTo } from "../support/mails.ts";
import { createMeteredEnv, type Usage } from "../support/metered-env.ts";
import { sendTransfer, startTransfer, finish, putObject, textFile, MODIFIED_MS } from "../support/transfers.ts";
import {
  EACH_WAY,
  ENDED_BY,
  newestFile,
  newUploader,
  sendInParts,
  WAYS_TO_UPLOAD,
  type Uploader,
} from "../support/ways-to-upload.ts";
import {
  answerOf,
  Client,
  contentPath,
  logInAdmin,
  monthlyUsage,
  patternBytes,
  runSql,
  sendFile,
  sha256Of,
  signUp,
} from "../support/worker.ts";
import { workerWith } from "../support/worker-with-env.ts";

let admin: Client;
let uploader: Uploader;
let seed = 1;

/** Bytes that no other test has. */
function newBytes(length = 1000) {
  seed += 1;
  return patternBytes(length, seed);
}

function importList(list: string, label = "a list"): Promise<Response> {
  return admin.post("/api/admin/block-list", { label, list });
}

async function block(bytes: Uint8Array<ArrayBuffer>, label = "a list"): Promise<string> {
  const sha256 = await sha256Of(bytes);
  expect((await importList(sha256, label)).status).toBe(200);
  return sha256;
}

const blockedOf = (sha256: string) =>
  env.DB.prepare("select label from blocked_sums where sha256 = ?").bind(sha256).first<{ label: string }>();

const objectsOf = async (fileId: string) =>
  [
    ...(await env.BUCKET.list({ prefix: `files/${fileId}` })).objects,
    ...(await env.BUCKET.list({ prefix: `incoming/${fileId}` })).objects,
  ].length;

interface CaseRow {
  count: number;
  detail: string;
  userId: string | null;
}
const casesOf = async (fileId: string) =>
  (
    await env.DB.prepare("select count, detail, user_id as userId from cases where kind = 'blocked' and file_id = ?")
      .bind(fileId)
      .all<CaseRow>()
  ).results;

beforeEach(async () => {
  admin = await logInAdmin();
  uploader = await newUploader();
});

it("every call that ends an upload has a way in the table, and every way a call [BLK-1]", () => {
  expect([...new Set(Object.values(ENDED_BY).flat())].sort()).toEqual(Object.keys(WAYS_TO_UPLOAD).sort());
});

describe("a file whose sum is on the list", () => {
  it.each(EACH_WAY)("by %s is refused, leaves no bytes, and gives the month back [BLK-1]", async (_way, send) => {
    const bytes = newBytes();
    const sha256 = await block(bytes);
    const [status, body] = await answerOf(send(uploader, bytes, "a.txt"));
    expect([status, body["code"]]).toEqual([422, "CONTENT_BLOCKED"]);
    expect(String(body["message"])).toMatch(/was taken down here before, so .* is not accepted/);
    const file = await newestFile<{ id: string; status: string; downloadId: string }>(
      uploader,
      "id, status, download_id as downloadId",
    );
    expect(file.status).toBe("failed");
    expect(await objectsOf(file.id)).toBe(0);
    expect((await new Client().fetch(contentPath(file.downloadId))).status).toBe(404);
    expect(await monthlyUsage(uploader.person.email)).toEqual({ bytes: 0, transfers: 0 });
    const [opened] = await casesOf(file.id);
    expect(opened).toMatchObject({ count: 1, userId: uploader.person.id });
    expect(JSON.parse(opened?.detail ?? "")).toMatchObject({ sha256, label: "a list" });
  });

  it.each(EACH_WAY)("that is not on the list is taken by %s while the list is in use", async (_way, send) => {
    await block(newBytes());
    expect((await send(uploader, newBytes(), "a.txt")).status).toBeLessThan(300);
  });

  it("is refused again when the call is repeated, in a single file and in a transfer", async () => {
    const bytes = newBytes();
    await block(bytes);
    const { uploadId, downloadId } = await uploader.person.startUpload(bytes.byteLength);
    await env.BUCKET.put(`incoming/${uploadId}`, bytes);
    for (let call = 0; call < 2; call += 1) {
      expect((await answerOf(uploader.person.complete(downloadId)))[1]).toMatchObject({ code: "CONTENT_BLOCKED" });
    }
    const files = [textFile("a.txt"), { path: "folder/b.bin", bytes, modifiedMs: MODIFIED_MS }];
    const started = await startTransfer(uploader.person, files, { open: [{ object: 0, runs: [[0, 2]] }] });
    const [a, b] = files.map((file) => file.bytes);
    const receipts = await putObject(started, 0, new Uint8Array([...(a ?? []), ...(b ?? [])]));
    expect(await answerOf(finish(uploader.person, started.downloadId, receipts))).toEqual([
      422,
      {
        code: "CONTENT_BLOCKED",
        message: "folder/b.bin was taken down here before, so this transfer is not accepted. What arrived was deleted.",
      },
    ]);
    expect((await answerOf(finish(uploader.person, started.downloadId)))[1]).toMatchObject({ code: "CONTENT_BLOCKED" });
  });

  it("counts on the overview", async () => {
    await runSql("delete from overview_days");
    const bytes = newBytes();
    await block(bytes);
    await WAYS_TO_UPLOAD.v1(uploader, bytes, "a.txt");
    await WAYS_TO_UPLOAD["curl -T"](uploader, bytes, "a.txt");
    const { days } = await read<Overview>(admin, "/api/admin/overview?days=7");
    expect(days.at(-1)).toMatchObject({ blocked: 2 });
  });

  it("does not concern an encrypted upload or an empty file", async () => {
    const [status, answer] = await answerOf(importList(await sha256Of(new Uint8Array())));
    expect([status, answer]).toEqual([200, { added: 0, known: 0, badCount: 1, bad: [1] }]);
    await block(newBytes());
    await sendFile(uploader.person, "");
  });
});

describe("a sum that a browser claims", () => {
  it("for a file of up to 64 MiB is compared with the stored bytes before the file is ready [BLK-2]", async () => {
    const bytes = newBytes(17 * MIB);
    await block(bytes);
    const lie = "0".repeat(64);
    expect((await answerOf(sendInParts(uploader.person, bytes, lie)))[1]).toMatchObject({ code: "CONTENT_BLOCKED" });
    const honest = newBytes(17 * MIB);
    expect((await sendInParts(uploader.person, honest, lie)).status).toBe(200);
    expect(await newestFile(uploader, "sha256, sha256_source as source")).toEqual({
      sha256: await sha256Of(honest),
      source: "server",
    });
  });

  it(
    "for a larger file is compared after it is ready: the link ends, its bytes go, and its owner is mailed [BLK-2]",
    { tags: ["long"], timeout: 120_000 },
    async () => {
      await runSql("update users set plan_type = 'professional' where id = ?", uploader.person.id);
      const bytes = newBytes(65 * MIB);
      await block(bytes, "from elsewhere");
      expect((await sendInParts(uploader.person, bytes, "0".repeat(64))).status).toBe(200);
      const { id, downloadId } = await newestFile<{ id: string; downloadId: string }>(
        uploader,
        "id, download_id as downloadId",
      );
      await vi.waitFor(async () => expect(await objectsOf(id)).toBe(0), 60_000);
      expect((await new Client().fetch(contentPath(downloadId))).status).toBe(410);
      const mails = await mailsTo(uploader.person.email);
      expect(mails.at(-1)?.text).toContain("This file was taken down here before.");
      expect(await casesOf(id)).toHaveLength(1);
    },
  );

  it("for a large file of a transfer ends the whole link once the server has read the file [BLK-2]", async () => {
    const bytes = newBytes(17 * MIB);
    await block(bytes);
    const files = [{ path: "large.bin", bytes, modifiedMs: MODIFIED_MS }];
    const { uploadId, downloadId } = await sendTransfer(uploader.person, files);
    await vi.waitFor(async () => {
      const response = await new Client().fetch(contentPath(downloadId));
      await response.body?.cancel();
      expect(response.status).toBe(410);
    }, 30_000);
    await vi.waitFor(async () => expect(await objectsOf(uploadId)).toBe(0), 10_000);
    expect(await casesOf(uploadId)).toHaveLength(1);
  });
});

describe("what an administrator takes down", () => {
  const takeDown = (path: string) => admin.post(`/api/admin/files/${path}/take-down`, { reason: "It is malware." });

  it("does not come back as a single file [BLK-3]", async () => {
    const bytes = newBytes();
    const { uploadId } = await sendFile(uploader.person, bytes);
    expect((await takeDown(uploadId)).status).toBe(200);
    expect(await blockedOf(await sha256Of(bytes))).toEqual({ label: `taken down: ${uploadId}` });
    const again = await WAYS_TO_UPLOAD["a browser"](await newUploader(), bytes, "other name.txt");
    expect((await answerOf(again))[1]).toMatchObject({ code: "CONTENT_BLOCKED" });
  });

  it("goes onto the list with the sum of its stored bytes, whatever its sender has told [BLK-3]", async () => {
    await runSql("delete from blocked_sums");
    const bytes = newBytes(17 * MIB);
    const innocent = await sha256Of(newBytes());
    await sendInParts(uploader.person, bytes, innocent);
    const { id, sha256 } = await newestFile<{ id: string; sha256: string }>(uploader, "id, sha256");
    expect(sha256).toBe(innocent);
    await takeDown(id);
    expect(await blockedOf(innocent)).toBeNull();
    expect(await blockedOf(await sha256Of(bytes))).not.toBeNull();
  });

  it("goes onto the list with each file of a transfer, without its empty and removed files [BLK-3]", async () => {
    await runSql("delete from blocked_sums");
    const kept = textFile("kept.txt", crypto.randomUUID());
    const removed = textFile("removed.txt", crypto.randomUUID());
    const files = [kept, removed, textFile("empty.txt", "")];
    const { uploadId } = await sendTransfer(uploader.person, files, {
      open: [{ object: 0, runs: [[0, 2]] }],
    });
    await uploader.person.fetch(`/api/files/${uploadId}/entries/1`, { method: "DELETE" });
    expect((await takeDown(uploadId)).status).toBe(200);
    const { results } = await env.DB.prepare("select sha256 from blocked_sums").all();
    expect(results).toEqual([{ sha256: await sha256Of(kept.bytes) }]);
  });

  it("goes onto the list with one file of a transfer, and not with the others [BLK-3]", async () => {
    await runSql("delete from blocked_sums");
    const files = [textFile("a.txt", crypto.randomUUID()), textFile("b.txt", crypto.randomUUID())];
    const { uploadId } = await sendTransfer(uploader.person, files);
    expect((await takeDown(`${uploadId}/entries/1`)).status).toBe(200);
    const { results } = await env.DB.prepare("select sha256 from blocked_sums").all();
    expect(results).toEqual([{ sha256: await sha256Of(files[1]?.bytes ?? new Uint8Array()) }]);
  });
});

/** What the start of an upload costs, in billable operations. */
async function usageOfStart(): Promise<Usage> {
  const { env: environment, takeUsage } = createMeteredEnv();
  const person = new Client((await signUp()).cookie, workerWith(environment));
  await person.fetch("/api/auth/me");
  takeUsage();
  await person.startUpload(5);
  return takeUsage();
}

describe("the list", () => {
  const readList = (query = "") => read<BlockList>(admin, `/api/admin/block-list${query}`);
  const sumOf = (n: number) => n.toString(16).padStart(64, "0");

  beforeEach(() => runSql("delete from blocked_sums"));

  it("takes sums with labels of their own, and names the lines that are no sum [BLK-4]", async () => {
    const list = [sumOf(1).toUpperCase(), `${sumOf(2)}  of one file`, "", "# a comment", "nonsense", sumOf(1), "ab"];
    const [status, answer] = await answerOf(importList(list.join("\r\n"), "police"));
    expect([status, answer]).toEqual([200, { added: 2, known: 0, badCount: 2, bad: [5, 7] }]);
    expect(await blockedOf(sumOf(1))).toEqual({ label: "police" });
    expect(await blockedOf(sumOf(2))).toEqual({ label: "of one file" });
    expect(await (await importList(`${sumOf(1)}\n${sumOf(3)}`, "another")).json()).toMatchObject({
      added: 1,
      known: 1,
    });
    expect(await readList(`?q=${sumOf(1).toUpperCase()}`)).toMatchObject({
      total: 3,
      found: { sha256: sumOf(1), label: "police" },
    });
    expect((await admin.fetch("/api/admin/block-list?q=abc")).status).toBe(400);
  });

  it("is exported as it is imported [BLK-4]", async () => {
    await importList(`${sumOf(1)} one\n${sumOf(2)} the second`);
    const exported = await admin.fetch("/api/admin/block-list/export");
    expect(exported.headers.get("content-disposition")).toBe('attachment; filename="block-list.txt"');
    const text = await exported.text();
    expect(text).toBe(`${sumOf(1)} one\n${sumOf(2)} the second\n`);
    await runSql("delete from blocked_sums");
    expect(await (await importList(text)).json()).toMatchObject({ added: 2, badCount: 0 });
  });

  it("takes 100,000 lines with bad ones in one call, and not a line more [BLK-4]", { timeout: 120_000 }, async () => {
    const lines = Array.from({ length: MAX_IMPORTED_LINES }, (_, n) => (n % 1000 === 999 ? `bad ${n}` : sumOf(n)));
    const answer = await (await importList(lines.join("\n"))).json<ImportedBlockList>();
    expect(answer).toMatchObject({ added: 99_900, known: 0, badCount: 100 });
    expect(answer.bad.slice(0, 3)).toEqual([1000, 2000, 3000]);
    const [status, refused] = await answerOf(importList([...lines, sumOf(0)].join("\n")));
    expect([status, refused["message"]]).toEqual([400, "A list may have at most 100,000 lines. Divide it."]);
    const exported = await (await admin.fetch("/api/admin/block-list/export")).text();
    expect(exported.split("\n")).toHaveLength(99_901);
  });

  it("gives single sums and labels free again, and logs who did what [BLK-4]", async () => {
    await importList(`${sumOf(1)}\n${sumOf(2)}`, "police");
    await importList(sumOf(3), "mine");
    const remove = (body: object) => admin.post("/api/admin/block-list/removal", body);
    expect(await (await remove({ sha256: sumOf(3) })).json()).toEqual({ removed: 1 });
    expect(await (await remove({ label: "police" })).json()).toEqual({ removed: 2 });
    expect((await remove({ label: "police" })).status).toBe(404);
    expect((await remove({})).status).toBe(400);
    expect((await remove({ label: "a", sha256: sumOf(1) })).status).toBe(400);
    const { results } = await env.DB.prepare(
      "select details from admin_audit_logs where action like 'block-list.%' order by rowid desc limit 4",
    ).all();
    expect(results.map(({ details }) => details)).toEqual(["police", sumOf(3), "mine: 1 added", "police: 2 added"]);
  });

  it("refuses a list without label or sums, in words", async () => {
    expect((await answerOf(importList(sumOf(1), " ")))[1]).toMatchObject({
      message: "Please say where the sums come from.",
    });
    expect((await answerOf(importList("")))[1]).toMatchObject({ message: "Please enter at least one sum." });
  });

  it("costs the start of an upload nothing, and its end a few rows, with 10,000 sums [BLK-5]", async () => {
    const before = await usageOfStart();
    const list = Array.from({ length: 10_000 }, (_, n) => sumOf(n)).join("\n");
    await importList(list);
    const { results, meta } = await env.DB.prepare(
      "select sha256, label from blocked_sums where sha256 in (select value from json_each(?)) limit 1",
    )
      .bind(JSON.stringify([await sha256Of(newBytes())]))
      .run();
    expect(results).toEqual([]);
    expect(meta.rows_read).toBeLessThan(10);
    expect(await usageOfStart()).toEqual(before);
  });
});
