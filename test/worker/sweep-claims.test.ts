import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { servicesFor } from "#worker/services.ts";
import { openDatabase } from "#worker/db/client.ts";
import { sweep } from "#worker/sweep/sweep.ts";
import { between } from "../support/between.ts";
import { whereDeleting } from "../support/deleting-store.ts";
import { emptyStorageAndTables, storedKeys } from "../support/storage-and-rows.ts";
import {
  answerOf,
  change,
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
/** When the file of each test ends. */
const END = Date.now() + DAY;

const CHANGES = [{ expiration: "30d" }, { expiration: "never" }, { filename: "renamed.txt" }];

let owner: Awaited<ReturnType<typeof signUp>>;
let file: SentFile;

beforeEach(async () => {
  await emptyStorageAndTables();
  owner = await signUp();
  await putOnPlan(owner.email, "ultimate");
  file = await sendFile(owner, "hello");
  await change("update files set expires_at = ? where id = ?", END, file.uploadId);
});

afterEach(() => {
  vi.useRealTimers();
});

/** The owner's change, as a request makes it that read the clock at that moment. */
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
  it.each(CHANGES)("is not changed any more once the sweep has claimed it: %j", async (what) => {
    const answers: unknown[] = [];
    const racing = whereDeleting(services, async () => {
      const [status, { code }] = await changeAt(END - 1, what);
      answers.push([status, code]);
    });
    expect(await sweep(racing, () => END)).toMatchObject({ expiredFiles: 1 });
    expect(answers).toEqual([[410, "FILE_EXPIRED"]]);
    expect(await stateOf()).toEqual({ claimed: 1, expiresAt: END, gone: END });
    expect(await storedKeys()).toEqual([]);
  });

  it.each(CHANGES.slice(0, 2))("is kept when it was changed before the sweep claims it: %j", async (what) => {
    const DB = between(env.DB, async ([query], go) => {
      // The very statement that would claim it.
      if (/^update "files" set "is_expired"/.test(query?.text ?? "")) {
        expect((await changeAt(END - 1, what))[0]).toBe(200);
      }
      return go();
    });
    expect(await sweep({ ...services, db: openDatabase(DB) }, () => END)).toMatchObject({ expiredFiles: 0 });
    expect(await stateOf()).toMatchObject({ claimed: 0, gone: null });
    expect((await new Client().fetch(contentPath(file.downloadId))).status).toBe(200);
  });
});

describe("a claim of a run that died", () => {
  const storeIsDown = () => whereDeleting(services, () => Promise.reject(new Error("the store is down")));

  it("holds: the file is neither changed nor read", async () => {
    await expect(sweep(storeIsDown(), () => END)).rejects.toThrow("the store is down");
    expect(await stateOf()).toEqual({ claimed: 1, expiresAt: END, gone: null });
    for (const what of CHANGES) expect((await changeAt(END - 1, what))[0]).toBe(410);
    stopClockAt(END);
    expect((await new Client().fetch(contentPath(file.downloadId))).status).toBe(410);
  });

  it("is taken up by the next run", async () => {
    await expect(sweep(storeIsDown(), () => END)).rejects.toThrow("the store is down");
    expect(await sweep(services, () => END + 60_000)).toMatchObject({ expiredFiles: 1, finished: true });
    expect(await stateOf()).toEqual({ claimed: 1, expiresAt: END, gone: END + 60_000 });
    expect(await storedKeys()).toEqual([]);
  });
});

describe("a file that was taken down", () => {
  it.each(CHANGES)("is not revived by a change that began a moment before: %j", async (what) => {
    stopClockAt(END - DAY / 2);
    const admin = await logInAdmin();
    const path = `/api/admin/files/${file.uploadId}/take-down`;
    expect((await admin.post(path, { reason: "It is harmful." })).status).toBe(200);
    const [status, { code }] = await changeAt(END - DAY / 2 - 1, what);
    expect([status, code]).toEqual([410, "FILE_EXPIRED"]);
    expect(await stateOf()).toMatchObject({ expiresAt: END - DAY / 2 });
  });
});
