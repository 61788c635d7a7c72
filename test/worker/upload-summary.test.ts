import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { init, putAll } from "../support/chunked.ts";
import { createRequest, Sender } from "../support/requests.ts";
import { SAMPLES } from "../support/samples.ts";
import { putObject, startTransfer, textFile } from "../support/transfers.ts";
import { Client, logInAdmin, patternBytes, putIncoming, runSql, signUp } from "../support/worker.ts";

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

/** An upload of which everything has arrived. */
interface Sent {
  downloadId: string;
  /** The call that finishes it, and its body. */
  finish: [path: string, body: Record<string, unknown>];
}

const FILES = [textFile("a.txt")];
const IN_ONE_PACK = { open: [{ object: 0, runs: [[0, 1]] }] };

const singleFile = async (person: Client): Promise<Sent> => {
  const { uploadId, downloadId } = await person.startUpload(5);
  await putIncoming(uploadId, "hello");
  return { downloadId, finish: ["/api/direct-upload/complete", { downloadId }] };
};
const inChunks = async (person: Client): Promise<Sent> => {
  const upload = await init(person, 5);
  await putAll(person, upload, patternBytes(5));
  return { downloadId: upload.downloadId, finish: ["/api/chunked-upload/finalize", { uploadId: upload.uploadId }] };
};
const transfer = async (person: Client): Promise<Sent> => finishable(await startTransfer(person, FILES, IN_ONE_PACK));

const newMember = async () => new Client((await signUp()).cookie);

/** Sends through a request of somebody's. */
const newSender = async () => new Sender(await createRequest(await signUp()));
const throughRequest = async (sender: Client): Promise<Sent> => {
  if (!(sender instanceof Sender)) throw new TypeError("only a sender sends through a request");
  return finishable(await sender.begin(FILES, IN_ONE_PACK));
};

async function finishable(started: Parameters<typeof putObject>[0] & { downloadId: string }): Promise<Sent> {
  const receipts = await putObject(started, 0, FILES[0]?.bytes ?? new Uint8Array());
  const { downloadId } = started;
  return { downloadId, finish: [`/api/transfers/${downloadId}/finish`, { receipts }] };
}

describe.each([
  ["a single file", newMember, singleFile, SUMMARY],
  ["a file in chunks", newMember, inChunks, { ...SUMMARY, transport: "chunks" }],
  ["a transfer", newMember, transfer, { ...SUMMARY, waited: { files: 4, server: 0, person: 60 } }],
  ["a transfer through a request", newSender, throughRequest, SUMMARY],
])("the summary of %s", (_what, newPerson, send, summary) => {
  it("is kept with its completion [UP-27]", async () => {
    const person = await newPerson();
    const { finish } = await send(person);
    expect((await person.post(finish[0], { ...finish[1], summary })).status).toBe(200);
    await expect.poll(kept).toEqual([{ code: "COMPLETED", summary }]);
  });

  it("is kept with its cancellation [UP-27]", async () => {
    const person = await newPerson();
    const { downloadId } = await send(person);
    expect((await person.post("/api/direct-upload/cancel", { downloadId, summary })).status).toBe(200);
    await expect.poll(kept).toEqual([{ code: "CANCELLED", summary }]);
  });

  it("is kept after a failure, although it may go on [UP-27]", async () => {
    const person = await newPerson();
    const { downloadId, finish } = await send(person);
    expect((await person.post("/api/direct-upload/failed", { downloadId, summary })).status).toBe(200);
    await expect.poll(kept).toEqual([{ code: "STARTED", summary }]);
    expect((await person.post(...finish)).status).toBe(200);
  });

  it("is not taken from somebody else", async () => {
    const sender = await newSender();
    await sender.begin(FILES);
    const strangers = [await newMember(), sender];
    await runSql("delete from upload_audit_logs");
    const { downloadId, finish } = await send(await newPerson());
    const calls: Sent["finish"][] = [
      finish,
      ["/api/direct-upload/cancel", { downloadId }],
      ["/api/direct-upload/failed", { downloadId }],
    ];
    for (const stranger of strangers) {
      for (const [path, body] of calls) {
        expect((await stranger.post(path, { ...body, summary })).status).toBe(404);
      }
    }
    expect(await kept()).toEqual([{ code: "STARTED", summary: null }]);
  });

  it("with a text of its own is rejected, and nothing is done", async () => {
    const person = await newPerson();
    const { downloadId, finish } = await send(person);
    const wrong = { ...summary, note: "203.0.113.7" };
    expect((await person.post(finish[0], { ...finish[1], summary: wrong })).status).toBe(400);
    for (const call of ["cancel", "failed"]) {
      expect((await person.post(`/api/direct-upload/${call}`, { downloadId, summary: wrong })).status).toBe(400);
    }
    expect(await kept()).toEqual([{ code: "STARTED", summary: null }]);
    // It has neither finished nor ended.
    expect((await person.post(...finish)).status).toBe(200);
  });
});

it.each([
  ["another transport", { transport: "pigeon" }],
  ["a negative number", { stalls: -1 }],
  ["a number beyond the bound", { sentAgain: { ...SUMMARY.sentAgain, network: 100_001 } }],
  ["an unknown cause", { sentAgain: { ...SUMMARY.sentAgain, weather: 1 } }],
  ["an unknown wait", { waited: { files: 0, server: 0, person: 0, tea: 60 } }],
  ["more than the whole line", { lineShare: 101 }],
  ["half a second", { seconds: 0.5 }],
])("a summary with %s is rejected, and nothing is kept", async (_what, change) => {
  const person = await newMember();
  const { downloadId } = await person.startUpload(5);
  const summary = { ...SUMMARY, ...change };
  for (const call of ["complete", "cancel", "failed"]) {
    expect((await person.post(`/api/direct-upload/${call}`, { downloadId, summary })).status).toBe(400);
  }
  expect(await kept()).toEqual([{ code: "STARTED", summary: null }]);
});

it("a summary is shown in the administrators' log [UP-27]", async () => {
  const person = await newMember();
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
    .toEqual([["CANCELLED", SUMMARY]]);
});
