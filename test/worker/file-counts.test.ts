import { env } from "cloudflare:workers";
import fc from "fast-check";
import { afterEach, expect, it, vi } from "vitest";
import { DAY_MS, MINUTE_MS } from "#domain/units.ts";
import type { FilesPage, Overview, ReceivedPage } from "#domain/wire.ts";
import { openDatabase } from "#worker/db/client.ts";
import { updatePlanNumbers } from "#worker/db/overview.ts";
import { deleteOldRows, oldRecords } from "#worker/db/retention.ts";
import { servicesFor } from "#worker/services.ts";
import { checkFileCounts } from "#worker/sweep/file-counts.ts";
import { sweep } from "#worker/sweep/sweep.ts";
import { read } from "../support/admin.ts";
import { checkCounts } from "../support/file-counts.ts";
import { createRequest, Sender } from "../support/requests.ts";
import { sendTransfer, textFile } from "../support/transfers.ts";
import { Client, logInAdmin, putOnPlan, rowOf, runSql, sendFile, signUp, stopClockAt } from "../support/worker.ts";

const services = servicesFor(env);
const db = openDatabase(env.DB);

afterEach(() => {
  vi.restoreAllMocks();
});

type Owner = Awaited<ReturnType<typeof signUp>>;
type Step = (owner: Owner, which: number) => Promise<unknown>;

async function idsOf(owner: Client): Promise<string[]> {
  return (await read<FilesPage>(owner, "/api/files?page=1")).files.map(({ id }) => id);
}

async function pick(ids: Promise<string[]>, which: number): Promise<string> {
  const found = await ids;
  return found[which % found.length] ?? "none";
}

const receivedIds = async (owner: Client) =>
  (await read<ReceivedPage>(owner, "/api/received")).items.map(({ id }) => id);

const STEPS: Record<string, Step> = {
  "send a file": (owner, which) => sendFile(owner, "x".repeat(which + 1), { expiration: which > 4 ? "1d" : "3d" }),
  "send a transfer": (owner) => sendTransfer(owner, [textFile("a.txt"), textFile("b.txt")]),
  "remove a file of a transfer": async (owner, which) => {
    const file = await env.DB.prepare(
      "select download_id as id from files where user_id = ? and entry_count > 1 limit 1 offset ?",
    )
      .bind(owner.id, which % 2)
      .first<{ id: string }>();
    await owner.delete(`/api/transfers/${file?.id ?? "none"}/entries/${which % 2}`);
  },
  "start and cancel": async (owner) => {
    const { downloadId } = await owner.startUpload(7);
    await owner.delete(`/api/direct-upload/${downloadId}`);
  },
  receive: async (owner) => {
    const request = await createRequest(owner, { notify: "off" });
    await new Sender(request).send([textFile("received.txt")]);
    await owner.delete(`/api/requests/${request.id}`);
  },
  forward: async (owner, which) => owner.post(`/api/received/${await pick(receivedIds(owner), which)}/link`, {}),
  "delete a received file": async (owner, which) => owner.delete(`/api/files/${await pick(receivedIds(owner), which)}`),
  delete: async (owner, which) => owner.delete(`/api/files/${await pick(idsOf(owner), which)}`),
  "delete as administrator": async (owner, which) =>
    admin.delete(`/api/admin/files/${await pick(idsOf(owner), which)}`),
  expire: async (owner, which) => {
    await runSql("update files set expires_at = 1 where id = ?", await pick(idsOf(owner), which));
    await sweep(services, Date.now);
  },
  "forget deleted files": () =>
    deleteOldRows(db, oldRecords(services.settings).deletedFiles, Date.now() + 60 * DAY_MS, 500),
};

let admin: Client;

it("the counts of an account are those of its files, in random walks [GROW-3]", async () => {
  for (const level of ["log", "warn", "error"] as const) vi.spyOn(console, level).mockReturnValue();
  admin = await logInAdmin();
  const names = Object.keys(STEPS);
  const steps = fc.array(fc.tuple(fc.constantFrom(...names), fc.nat(9)), { minLength: 15, maxLength: 20, size: "max" });
  const sent = ["send a file", "send a file", "send a transfer", "receive", "receive", "receive"];
  const everything = [...sent, ...names].map((name): [string, number] => [name, 0]);
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      const owner = await signUp();
      await putOnPlan(owner.email, "ultimate");
      for (const [name, which] of taken) {
        await STEPS[name]?.(owner, which);
        await checkCounts(owner.id, { name, which });
      }
    }),
    { numRuns: 2, seed: 1, examples: [[everything]] },
  );
}, 600_000);

it("the migration counts the files that are there, also where it runs again [GROW-3]", async () => {
  const owner = await signUp();
  await sendFile(owner, "four");
  const deleted = await sendFile(owner, "five5");
  await owner.delete(`/api/files/${deleted.uploadId}`);
  const unlisted = await createRequest(owner, { notify: "off" });
  await new Sender(unlisted).send([textFile("r.txt", "received")]);
  await owner.startUpload(7);
  for (const trigger of ["file_counts_update", "file_counts_delete"]) await runSql(`drop trigger ${trigger}`);
  await runSql("drop table file_counts");
  const { queries = [] } = env.TEST_MIGRATIONS.find(({ name }) => name === "0018_file_counts.sql") ?? {};
  expect(queries).toHaveLength(4);
  for (const query of queries) await runSql(query);
  await runSql(queries.at(-1) ?? "");
  const counts = "select listed, stored, stored_bytes as bytes from file_counts where user_id = ?";
  expect(await rowOf(counts, owner.id)).toEqual({ listed: 1, stored: 2, bytes: 12 });
  await sendFile(owner, "six666");
  expect(await rowOf(counts, owner.id)).toEqual({ listed: 2, stored: 3, bytes: 18 });
});

it("the cron mends and logs counts that somebody changed, an account's once in 4096 minutes [GROW-3]", async () => {
  const warn = vi.spyOn(console, "warn").mockReturnValue();
  const [owner, bystander] = [await signUp(), await signUp()];
  for (const person of [owner, bystander]) {
    await sendFile(person, "four");
    await runSql("update file_counts set listed = 9, stored_bytes = 0 where user_id = ?", person.id);
  }
  const lost = await signUp();
  await sendFile(lost, "four");
  await runSql("delete from file_counts where user_id = ?", lost.id);
  const minuteOf = ({ id }: Owner) => (4096 * 5000 + Number.parseInt(id.slice(0, 3), 16)) * MINUTE_MS;

  expect(await checkFileCounts(services, minuteOf(owner) - 1)).toEqual({ mended: 0 });
  expect(await checkFileCounts(services, minuteOf(owner))).toEqual({ mended: 1 });
  await checkCounts(owner.id, {});
  expect(await checkFileCounts(services, minuteOf(owner) + 59_999)).toEqual({ mended: 0 });
  await expect(checkCounts(bystander.id, {})).rejects.toThrow();
  expect(await checkFileCounts(services, minuteOf(lost))).toEqual({ mended: 1 });
  await checkCounts(lost.id, {});
  const lines = warn.mock.calls.map(([line]) => JSON.parse(String(line)) as Record<string, unknown>);
  const ours = lines.filter(({ event }) => event === "file_counts.wrong");
  expect(ours[0]).toEqual({
    event: "file_counts.wrong",
    userId: owner.id,
    kept: { listed: 9, stored: 1, storedBytes: 0 },
    counted: { listed: 1, stored: 1, storedBytes: 4 },
  });
  expect(ours).toHaveLength(2);
});

it("the overview adds up the counts and the running uploads of each plan", async () => {
  stopClockAt(Date.UTC(2026, 10, 20, 12));
  const viewer = await logInAdmin();
  const business = async () => {
    await updatePlanNumbers(db, "2026-11-20", Date.now());
    const { storage } = await read<Overview>(viewer, "/api/admin/overview");
    return storage?.plans.find(({ planType }) => planType === "ultimate");
  };
  const before = (await business()) ?? { users: 0, files: 0, bytes: 0 };
  const owner = await signUp();
  await putOnPlan(owner.email, "ultimate");
  await sendFile(owner, "four");
  const gone = await sendFile(owner, "five5");
  await owner.delete(`/api/files/${gone.uploadId}`);
  await owner.startUpload(7);
  expect(await business()).toMatchObject({
    users: before.users + 1,
    files: before.files + 2,
    bytes: before.bytes + 11,
  });
});
