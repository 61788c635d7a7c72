// @module-tag long
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { SOCKETS_PER_ACCOUNT } from "#domain/rate-limits.ts";
import { limitFor } from "#domain/plans.ts";
import { MIB, utcDay } from "#domain/units.ts";
import { createApp } from "#worker/app.ts";
import { connectSocket } from "../durable-objects/page.ts";
import { downloadsCounted } from "../support/downloads.ts";
import {
  putIncoming,
  runSql,
  Client,
  contentPath,
  monthlyUsage,
  putOnPlan,
  rowOf,
  sendFile,
  signUp,
} from "../support/worker.ts";

declare global {
  // oxlint-disable-next-line typescript/no-namespace -- how generated Env types are extended
  namespace Cloudflare {
    interface Env {
      RACE_ROUNDS: string;
    }
  }
}

const RUNNERS = 50;
const rounds = Array.from({ length: Number(env.RACE_ROUNDS) }, (_, index) => index + 1);
type Person = Awaited<ReturnType<typeof signUp>>;

function race<Result>(run: (index: number) => Promise<Result>): Promise<Result[]> {
  return Promise.all(Array.from({ length: RUNNERS }, (_, index) => run(index)));
}

/** Waits for the other side's Close frame. */
async function leave(socket: WebSocket): Promise<void> {
  const closed = new Promise((resolve) => {
    socket.addEventListener("close", resolve);
  });
  socket.close(1000, "");
  await closed;
}

/** @returns null when the plan rejects the upload */
async function tryStart(person: Person, fileSize: number) {
  const body = { filename: "a.bin", fileType: "", fileSize, expiration: "1d" };
  const response = await person.post("/api/direct-upload/presigned-url", body);
  if (response.ok) return response.json<{ uploadId: string; downloadId: string }>();
  const rejected = await response.json();
  expect([response.status, rejected]).toMatchObject([403, { planLimitExceeded: true }]);
  return null;
}

/** Quota use computed from the rows. */
function recomputed(person: Person): Promise<{ bytes: number; transfers: number }> {
  return rowOf(
    `select coalesce(sum(size), 0) as bytes, count(*) as transfers from files
     where user_id = ? and status in ('uploading', 'ready')`,
    person.id,
  );
}

describe.each(rounds)("fifty parallel calls (round %i)", () => {
  it("fifty parallel starts reach exactly the month's transfers, and the count equals the rows [HOLD-8]", async () => {
    const person = await signUp();
    const started = await race((index) => tryStart(person, 1 + index));
    const { monthTransfers } = limitFor("free");
    expect(started.filter((answer) => answer !== null)).toHaveLength(monthTransfers);
    expect(await monthlyUsage(person.email)).toEqual(await recomputed(person));
    expect((await monthlyUsage(person.email)).transfers).toBe(monthTransfers);
  });

  it("fifty parallel starts stay within the month's bytes, and the total equals the rows", async () => {
    const person = await signUp();
    const { monthBytes } = limitFor("free");
    const started = await race((index) => tryStart(person, 150 * MIB + index));
    const month = await monthlyUsage(person.email);
    expect(month).toEqual(await recomputed(person));
    expect(month.transfers).toBe(started.filter((answer) => answer !== null).length);
    expect(month.bytes).toBeLessThanOrEqual(monthBytes);
    expect(month.bytes + 150 * MIB + RUNNERS).toBeGreaterThan(monthBytes);
  });

  it("fifty parallel starts stay within the plan's stored bytes [HOLD-8]", async () => {
    const person = await signUp();
    await putOnPlan(person.email, "ultimate");
    const { storedBytes } = limitFor("ultimate");
    const held = await sendFile(person, "held");
    await runSql("update files set size = ? where id = ?", (storedBytes ?? 0) - 7 * MIB, held.uploadId);
    const started = await race(() => tryStart(person, MIB));
    expect(started.filter((answer) => answer !== null)).toHaveLength(7);
    expect((await recomputed(person)).bytes).toBe(storedBytes);
  });

  it("fifty parallel completions and cancellations count each upload once or not at all [HOLD-8]", async () => {
    const person = await signUp();
    await putOnPlan(person.email, "professional");
    const uploads = await Promise.all(Array.from({ length: 10 }, (_, index) => tryStart(person, 1 + index)));
    await Promise.all(uploads.map((upload, index) => putIncoming(upload?.uploadId ?? "", "x".repeat(1 + index))));
    const statuses = await race((index) => {
      const downloadId = uploads[index % uploads.length]?.downloadId ?? "";
      if (index % 3 === 0) return person.post("/api/direct-upload/cancel", { downloadId });
      return index % 3 === 1
        ? person.complete(downloadId)
        : person.post("/api/direct-upload/complete", { downloadId, receipts: [] });
    });
    expect(statuses.map(({ status }) => status).filter((status) => status >= 500)).toEqual([]);
    expect(
      await rowOf("select count(*) as n from files where user_id = ? and status = 'uploading'", person.id),
    ).toEqual({
      n: 0,
    });
    expect(await monthlyUsage(person.email)).toEqual(await recomputed(person));
  });

  it("fifty parallel downloads are each counted once, for the file and for the day [HOLD-8]", async () => {
    const { uploadId, downloadId } = await sendFile(await signUp(), "hello");
    const counted = () =>
      rowOf<{ n: number }>(
        "select coalesce(sum(downloads), 0) as n from overview_days where day = ?",
        utcDay(Date.now()),
      );
    const before = await counted();
    const bodies = await race(async () => (await new Client().fetch(contentPath(downloadId))).text());
    expect(new Set(bodies)).toEqual(new Set(["hello"]));
    const ofFile = () => rowOf<{ n: number }>("select download_count as n from files where id = ?", uploadId);
    await expect.poll(async () => (await ofFile()).n).toBe(RUNNERS);
    // A message too many would come by now.
    await downloadsCounted();
    expect([(await ofFile()).n, (await counted()).n - before.n]).toEqual([RUNNERS, RUNNERS]);
  });

  it("fifty parallel sockets of an account reach exactly its limit, and closed ones can be replaced [HOLD-8]", async () => {
    const person = await signUp();
    const api = createApp();
    const limited = { ...env, RATE_LIMITS: "on" };
    const uploads = await Promise.all([1, 2, 3].map((size) => person.startUpload(size)));
    const page = new Client(person.cookie, (request) => api.fetch(request, limited));
    const answers = await race((index) => connectSocket(page, uploads[index % uploads.length]?.downloadId ?? ""));
    const open = answers.flatMap(({ webSocket }) => (webSocket ? [webSocket] : []));
    for (const socket of open) socket.accept();
    expect(open).toHaveLength(SOCKETS_PER_ACCOUNT);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(RUNNERS - SOCKETS_PER_ACCOUNT);

    const held = await Promise.all(
      uploads.map(({ uploadId }) =>
        runInDurableObject(
          env.UPLOADS.get(env.UPLOADS.idFromName(uploadId)),
          (_, state) => state.getWebSockets().length,
        ),
      ),
    );
    expect(held.reduce((sum, count) => sum + count, 0)).toBe(SOCKETS_PER_ACCOUNT);
    await Promise.all(open.map(leave));
    // After all have closed, the same number can connect again.
    await expect
      .poll(async () => {
        const again = await Promise.all(
          Array.from({ length: SOCKETS_PER_ACCOUNT }, () => connectSocket(page, uploads[0]?.downloadId ?? "")),
        );
        const entered = again.flatMap(({ webSocket }) => (webSocket ? [webSocket] : []));
        for (const socket of entered) socket.accept();
        await Promise.all(entered.map(leave));
        return entered.length;
      })
      .toBe(SOCKETS_PER_ACCOUNT);
  });
});
