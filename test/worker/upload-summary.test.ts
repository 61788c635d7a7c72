import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { Client, logInAdmin, putIncoming, runSql, signUp } from "../support/worker.ts";
import { SAMPLES } from "../support/samples.ts";

const SUMMARY = SAMPLES.summary;

beforeEach(async () => {
  await runSql("delete from upload_audit_logs");
});

interface Kept {
  code: string;
  summary: unknown;
}

/** The rows of the log, oldest first. */
async function kept(): Promise<Kept[]> {
  const { results } = await env.DB.prepare(
    "select error_code as code, summary from upload_audit_logs order by timestamp, rowid",
  ).all<{ code: string; summary: string | null }>();
  return results.map(({ code, summary }) => ({
    code,
    summary: summary === null ? null : (JSON.parse(summary) as unknown),
  }));
}

describe("the summary of an upload", () => {
  it("is kept with its completion", async () => {
    const person = new Client((await signUp()).cookie);
    const { uploadId, downloadId } = await person.startUpload(5);
    await putIncoming(uploadId, "hello");
    const done = await person.post("/api/direct-upload/complete", { downloadId, summary: SUMMARY });
    expect(done.status).toBe(200);
    await expect.poll(kept).toEqual([
      { code: "STARTED", summary: null },
      { code: "COMPLETED", summary: SUMMARY },
    ]);
  });

  it("is kept with its cancellation", async () => {
    const person = new Client((await signUp()).cookie);
    const { downloadId } = await person.startUpload(5);
    expect((await person.post("/api/direct-upload/cancel", { downloadId, summary: SUMMARY })).status).toBe(200);
    await expect.poll(kept).toEqual([
      { code: "STARTED", summary: null },
      { code: "CANCELLED", summary: SUMMARY },
    ]);
  });

  it("of a failed upload is kept with its start, because it may go on", async () => {
    const person = new Client((await signUp()).cookie);
    const { downloadId } = await person.startUpload(5);
    expect((await person.post("/api/direct-upload/failed", { downloadId, summary: SUMMARY })).status).toBe(200);
    await expect.poll(kept).toEqual([{ code: "STARTED", summary: SUMMARY }]);
  });

  it("of somebody else's upload is refused", async () => {
    const owner = new Client((await signUp()).cookie);
    const { downloadId } = await owner.startUpload(5);
    const stranger = new Client((await signUp()).cookie);
    expect((await stranger.post("/api/direct-upload/failed", { downloadId, summary: SUMMARY })).status).toBe(404);
    expect(await kept()).toEqual([{ code: "STARTED", summary: null }]);
  });

  it.each([
    ["a text of its own", { note: "203.0.113.7" }],
    ["another transport", { transport: "pigeon" }],
    ["a negative number", { stalls: -1 }],
    ["a number beyond the bound", { sentAgain: { ...SUMMARY.sentAgain, network: 100_001 } }],
    ["an unknown cause", { sentAgain: { ...SUMMARY.sentAgain, weather: 1 } }],
    ["more than the whole line", { lineShare: 101 }],
    ["half a second", { seconds: 0.5 }],
  ])("with %s is rejected, and nothing is kept", async (_what, change) => {
    const person = new Client((await signUp()).cookie);
    const { downloadId } = await person.startUpload(5);
    const summary = { ...SUMMARY, ...change };
    for (const call of ["complete", "cancel", "failed"]) {
      expect((await person.post(`/api/direct-upload/${call}`, { downloadId, summary })).status).toBe(400);
    }
    expect(await kept()).toEqual([{ code: "STARTED", summary: null }]);
  });

  it("is shown in the administrators' log", async () => {
    const person = new Client((await signUp()).cookie);
    const { downloadId } = await person.startUpload(5);
    await person.post("/api/direct-upload/cancel", { downloadId, summary: SUMMARY });
    const admin = await logInAdmin();
    await expect
      .poll(async () => {
        const answer = await admin.fetch("/api/admin/upload-log?page=1");
        return (await answer.json<{ items: { errorCode: string; summary: unknown }[] }>()).items.map(
          ({ errorCode, summary }) => [errorCode, summary],
        );
      })
      .toEqual([
        ["CANCELLED", SUMMARY],
        ["STARTED", null],
      ]);
  });
});
