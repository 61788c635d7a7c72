import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { servicesFor } from "#worker/services.ts";
import { openDatabase } from "#worker/db/client.ts";
import { sweep } from "#worker/sweep/sweep.ts";
import { interceptQueries } from "../support/query-interceptor.ts";
import { withBeforeDelete } from "../support/before-delete.ts";
import { emptyStorageAndTables, storedKeys } from "../support/storage-and-rows.ts";
import {
  answerOf,
  runSql,
  Client,
  contentPath,
  logInAdmin,
  putOnPlan,
  rowOf,
  sendFile,
  signUp,
  stopClockAt,
  type SentFile,
} from "../support/worker.ts";

const services = servicesFor(env);
const DAY = 86_400_000;
/** When the test's file expires. */
const END = Date.now() + DAY;

const CHANGES = [{ expiration: "30d" }, { expiration: "never" }, { filename: "renamed.txt" }];

let owner: Awaited<ReturnType<typeof signUp>>;
let file: SentFile;

beforeEach(async () => {
  await emptyStorageAndTables();
  owner = await signUp();
  await putOnPlan(owner.email, "ultimate");
  file = await sendFile(owner, "hello");
  await runSql("update files set expires_at = ? where id = ?", END, file.uploadId);
});

/** The owner's change, in a request that reads the clock at `at`. */
function changeAt(at: number, what: object): Promise<[number, Record<string, unknown>]> {
  stopClockAt(at);
  return answerOf(
    owner.fetch(`/api/files/${file.uploadId}`, {
      method: "PATCH",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(what),
    }),
  );
}

function stateOf(): Promise<{ claimed: number; expiresAt: number | null; gone: number | null }> {
  return rowOf(
    "select is_expired as claimed, expires_at as expiresAt, s3_deleted_at as gone from files where id = ?",
    file.uploadId,
  );
}

describe("a file in its last millisecond", () => {
  it.each(CHANGES)("cannot be changed once the sweep has claimed it: %j", async (what) => {
    const answers: unknown[] = [];
    const sweepServices = withBeforeDelete(services, async () => {
      const [status, { code }] = await changeAt(END - 1, what);
      answers.push([status, code]);
    });
    expect(await sweep(sweepServices, () => END)).toMatchObject({ expiredFiles: 1 });
    expect(answers).toEqual([[410, "FILE_EXPIRED"]]);
    expect(await stateOf()).toEqual({ claimed: 1, expiresAt: END, gone: END });
    expect(await storedKeys()).toEqual([]);
  });

  it.each(CHANGES.slice(0, 2))("is kept if it was changed before the sweep claims it: %j", async (what) => {
    const DB = interceptQueries(env.DB, async ([query], proceed) => {
      // The statement that claims the file.
      if (query?.text.startsWith('update "files" set "is_expired"')) {
        expect((await changeAt(END - 1, what))[0]).toBe(200);
      }
      return proceed();
    });
    expect(await sweep({ ...services, db: openDatabase(DB) }, () => END)).toMatchObject({ expiredFiles: 0 });
    expect(await stateOf()).toMatchObject({ claimed: 0, gone: null });
    expect((await new Client().fetch(contentPath(file.downloadId))).status).toBe(200);
  });
});

describe("a file claimed by a killed run", () => {
  const withBrokenBucket = () => withBeforeDelete(services, () => Promise.reject(new Error("R2 is down")));

  it("can be neither changed nor downloaded", async () => {
    await expect(sweep(withBrokenBucket(), () => END)).rejects.toThrow("R2 is down");
    expect(await stateOf()).toEqual({ claimed: 1, expiresAt: END, gone: null });
    for (const what of CHANGES) expect((await changeAt(END - 1, what))[0]).toBe(410);
    stopClockAt(END);
    expect((await new Client().fetch(contentPath(file.downloadId))).status).toBe(410);
  });

  it("is deleted by the next run", async () => {
    await expect(sweep(withBrokenBucket(), () => END)).rejects.toThrow("R2 is down");
    expect(await sweep(services, () => END + 60_000)).toMatchObject({ expiredFiles: 1, finished: true });
    expect(await stateOf()).toEqual({ claimed: 1, expiresAt: END, gone: END + 60_000 });
    expect(await storedKeys()).toEqual([]);
  });
});

describe("a file that was taken down", () => {
  it.each(CHANGES)("is not restored by a concurrent change: %j", async (what) => {
    stopClockAt(END - DAY / 2);
    const admin = await logInAdmin();
    const path = `/api/admin/files/${file.uploadId}/take-down`;
    expect((await admin.post(path, { reason: "It is harmful." })).status).toBe(200);
    const [status, { code }] = await changeAt(END - DAY / 2 - 1, what);
    expect([status, code]).toEqual([410, "FILE_EXPIRED"]);
    expect(await stateOf()).toMatchObject({ expiresAt: END - DAY / 2 });
  });
});
