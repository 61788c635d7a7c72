import { expect, it } from "vitest";
import { uploadSummary } from "#domain/wire.ts";
import { TransportError } from "#engine/errors.ts";
import { resendCause, UploadRecorder } from "#engine/upload-recorder.ts";

/** Bytes a second. */
const RATE = 1_000_000;

function begun(): UploadRecorder {
  const record = new UploadRecorder(0);
  record.begin(0);
  return record;
}

function move(record: UploadRecorder, fromMs: number, toMs: number, bytes: number): number {
  let sent = bytes;
  for (let now = fromMs + 500; now <= toMs; now += 500) {
    sent += RATE / 2;
    record.noteProgress(sent, now);
  }
  return sent;
}

it("an upload without faults has used all of the line that it saw", () => {
  const record = begun();
  record.noteSent("direct");
  move(record, 0, 20_000, 0);
  expect(record.summary(20_000)).toEqual({
    transport: "direct",
    seconds: 20,
    sentAgain: { network: 0, timeout: 0, rejected: 0, stalled: 0 },
    waited: { files: 0, server: 0, person: 0 },
    stalls: 0,
    stalledSeconds: 0,
    lineShare: 100,
  });
});

it("what an upload waits for is told apart from stalls, and leaves the share of the line as it is", () => {
  const record = new UploadRecorder(0);
  record.begin(4000);
  const sent = move(record, 4000, 14_000, 0);
  record.turnTo("files", 14_000);
  record.turnTo("person", 17_000);
  record.turnTo("server", 77_000);
  record.turnTo("line", 82_000);
  move(record, 82_000, 92_000, sent);
  const { seconds, waited, stalls, lineShare } = record.summary(92_000);
  expect({ seconds, waited, stalls, lineShare }).toEqual({
    seconds: 92,
    waited: { files: 3, server: 9, person: 60 },
    stalls: 0,
    lineShare: 100,
  });
});

it("bytes of files that were left out or added are not counted as moved", () => {
  const record = begun();
  const sent = move(record, 0, 10_000, 0);
  record.noteNewList(sent - 5 * RATE);
  move(record, 10_000, 20_000, sent - 5 * RATE);
  expect(record.summary(20_000).lineShare).toBe(100);
});

it("an upload in chunks says so, also before the first one was sent", () => {
  expect(new UploadRecorder(0, true).summary(0).transport).toBe("chunks");
});

it("a stall is counted with its length, and lowers the share of the line", () => {
  const record = begun();
  const sent = move(record, 0, 10_000, 0);
  // Ten seconds without a byte.
  move(record, 20_000, 30_000, sent);
  const { stalls, stalledSeconds, lineShare } = record.summary(30_000);
  expect({ stalls, stalledSeconds }).toEqual({ stalls: 1, stalledSeconds: 11 });
  expect(lineShare).toBe(67);
});

it("parts that were sent again are counted by cause, and both transports are named", () => {
  const record = new UploadRecorder(0);
  record.noteSent("direct");
  record.noteSent("proxy");
  record.noteResend("network");
  record.noteResend("network");
  record.noteResend("stalled");
  const { transport, sentAgain } = record.summary(1000);
  expect(transport).toBe("both");
  expect(sentAgain).toEqual({ network: 2, timeout: 0, rejected: 0, stalled: 1 });
});

it("bytes that a resumed upload already had count for nothing", () => {
  const record = new UploadRecorder(0);
  // One part after the other.
  record.noteProgress(200 * RATE, 0);
  record.noteProgress(500 * RATE, 0);
  record.begin(0);
  move(record, 0, 10_000, 500 * RATE);
  expect(record.summary(20_000).lineShare).toBe(50);
});

it("every summary passes the server's check, however odd the upload was [UP-27]", () => {
  const record = new UploadRecorder(0);
  record.begin(0);
  for (let n = 0; n < 100_010; n += 1) record.noteResend("timeout");
  record.noteProgress(10, 1);
  record.noteProgress(5, 2);
  const summary = record.summary(1e13);
  expect(uploadSummary.safeParse(summary).success).toBe(true);
  expect(summary.sentAgain.timeout).toBe(100_000);
  expect(uploadSummary.safeParse(new UploadRecorder(5).summary(5)).success).toBe(true);
});

it("a failed PUT names its cause", () => {
  const failed = (failure: ConstructorParameters<typeof TransportError>[1]) =>
    resendCause(new TransportError("direct", failure, { code: "transferError" }));
  expect([failed("network"), failed("timeout"), failed("rejected"), failed("unreadable")]).toEqual([
    "network",
    "timeout",
    "rejected",
    "rejected",
  ]);
  expect(resendCause(new TypeError("no answer"))).toBe("network");
});
