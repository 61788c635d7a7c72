import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { uploadSummary, type UploadSummary } from "#domain/wire.ts";
import { TransferEntries } from "#engine/transfer/transfer-entries.ts";
import { TransferRecorder } from "#engine/upload-recorder.ts";
import { file, listOf, send, TransferServer, unreadable } from "./transfer-server.ts";

const BATCH = "POST /api/transfers/link/batch";
const FINISH = "POST /api/transfers/link/finish";
const CANCEL = "POST /api/direct-upload/cancel";
const FAILED = "POST /api/direct-upload/failed";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe("a transfer", () => {
  let server: TransferServer;
  beforeEach(() => {
    server = new TransferServer();
    vi.spyOn(console, "warn").mockImplementation(() => undefined);
  });

  /** What a call handed over, checked as the server checks it. */
  const handedOver = (call: string): UploadSummary =>
    uploadSummary.parse((server.said.get(call) as { summary?: unknown }).summary);

  it("says how it went when it finishes", async () => {
    server.breakPuts(1);
    await send(listOf(file("a"), file("b"))).run;
    expect(handedOver(FINISH)).toMatchObject({
      transport: "direct",
      sentAgain: { network: 1, timeout: 0, rejected: 0, stalled: 0 },
    });
    expect(server.calls).not.toContain(FAILED);
  });

  it("says how it went when the person cancels it, once", async () => {
    const { upload, run, started } = send(listOf(file("a"), unreadable("b")));
    await started;
    upload.cancel();
    await expect(run).rejects.toThrow(expect.objectContaining({ name: "AbortError" }));
    expect(server.said.get(CANCEL)).toMatchObject({ downloadId: "link" });
    expect(handedOver(CANCEL)).toMatchObject({ transport: "direct" });
    expect(server.calls).not.toContain(FAILED);
  });

  it("says how it went when it fails, and is not ended by that [UP-27]", async () => {
    server.failing.set(BATCH, 409);
    const { run } = send(listOf(file("a"), unreadable("b")));
    await expect(run).rejects.toThrow("Not now.");
    expect(server.said.get(FAILED)).toMatchObject({ downloadId: "link" });
    expect(handedOver(FAILED)).toMatchObject({ transport: "direct" });
    expect(server.calls).not.toContain(CANCEL);
  });

  it("says nothing when its start is refused", async () => {
    server.failing.set("POST /api/transfers", 409);
    await expect(send(listOf(file("a"))).run).rejects.toThrow("Not now.");
    expect(server.calls).toEqual(["POST /api/transfers"]);
  });
});

describe("the record of a transfer", () => {
  /** Two files of ten bytes. */
  function startRecord() {
    vi.useFakeTimers();
    const entries = new TransferEntries(() => 0);
    for (const path of ["a", "b"]) entries.add({ path, sizeBytes: 10 });
    const record = new TransferRecorder(entries, performance.now());
    record.beginWith(() => entries.bytesIn("stored"));
    return { entries, record, summary: () => record.summary(performance.now()) };
  }

  it("counts the time while nothing was on the line by what was at work", () => {
    const { record, summary } = startRecord();
    record.noteWork({ reading: 1 });
    vi.advanceTimersByTime(3000);
    record.noteWork({ reading: 1, sending: 1, withoutUrl: 1 });
    vi.advanceTimersByTime(2000);
    record.noteWork({ reading: 0 });
    vi.advanceTimersByTime(4000);
    record.noteWork({ withoutUrl: 0 });
    vi.advanceTimersByTime(6000);
    record.noteWork({ sending: 0 });
    vi.advanceTimersByTime(1000);
    expect(summary()).toMatchObject({
      seconds: 16,
      waited: { files: 5, server: 5, person: 0 },
      stalls: 1,
      stalledSeconds: 6,
    });
  });

  it("waits for the person only while nothing else can be sent", () => {
    const { entries, record, summary } = startRecord();
    entries.setPhase(0, "unreadable");
    record.noteWork();
    vi.advanceTimersByTime(2000);
    entries.setPhase(1, "stored");
    record.noteWork();
    vi.advanceTimersByTime(60_000);
    entries.setPhase(0, "removed");
    record.noteWork();
    vi.advanceTimersByTime(1000);
    expect(summary().waited).toEqual({ files: 0, server: 3, person: 60 });
  });

  it("counts what has moved since the last report", () => {
    const { entries, record, summary } = startRecord();
    record.noteWork({ sending: 1 });
    record.noteProgress(5, performance.now());
    vi.advanceTimersByTime(3000);
    record.noteProgress(8, performance.now());
    vi.advanceTimersByTime(1000);
    entries.setPhase(0, "stored");
    expect(summary().lineShare).toBe(100);
  });
});
