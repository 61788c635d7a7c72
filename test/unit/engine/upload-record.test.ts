import { expect, it } from "vitest";
import { uploadSummary } from "#domain/wire.ts";
import { TransferError } from "#engine/errors.ts";
import { resendCause, UploadRecord } from "#engine/upload-record.ts";

/** Bytes a second. */
const RATE = 1_000_000;

function move(record: UploadRecord, fromMs: number, toMs: number, bytes: number): number {
  let sent = bytes;
  for (let now = fromMs + 500; now <= toMs; now += 500) {
    sent += RATE / 2;
    record.noteProgress(sent, now);
  }
  return sent;
}

it("an upload without faults has used all of the line that it saw", () => {
  const record = new UploadRecord(0);
  record.noteProgress(0, 0);
  record.noteSent("direct");
  move(record, 0, 20_000, 0);
  expect(record.summary(20_000)).toEqual({
    transport: "direct",
    seconds: 20,
    sentAgain: { network: 0, timeout: 0, rejected: 0, stalled: 0 },
    stalls: 0,
    stalledSeconds: 0,
    lineShare: 100,
  });
});

it("a stall is counted with its length, and lowers the share of the line", () => {
  const record = new UploadRecord(0);
  record.noteProgress(0, 0);
  const sent = move(record, 0, 10_000, 0);
  // Ten seconds without a byte.
  move(record, 20_000, 30_000, sent);
  const { stalls, stalledSeconds, lineShare } = record.summary(30_000);
  expect({ stalls, stalledSeconds }).toEqual({ stalls: 1, stalledSeconds: 11 });
  expect(lineShare).toBe(67);
});

it("parts that were sent again are counted by cause, and both transports are named", () => {
  const record = new UploadRecord(0);
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
  const record = new UploadRecord(0);
  record.noteProgress(500 * RATE, 0);
  move(record, 0, 10_000, 500 * RATE);
  expect(record.summary(20_000).lineShare).toBe(50);
});

it("every summary passes the server's check, however odd the upload was", () => {
  const record = new UploadRecord(0);
  for (let n = 0; n < 100_010; n += 1) record.noteResend("timeout");
  record.noteProgress(10, 1);
  record.noteProgress(5, 2);
  const summary = record.summary(1e13);
  expect(uploadSummary.safeParse(summary).success).toBe(true);
  expect(summary.sentAgain.timeout).toBe(100_000);
  expect(uploadSummary.safeParse(new UploadRecord(5).summary(5)).success).toBe(true);
});

it("a failed PUT names its cause", () => {
  const failed = (failure: ConstructorParameters<typeof TransferError>[1]) =>
    resendCause(new TransferError("direct", failure, { code: "transferError" }));
  expect([failed("network"), failed("timeout"), failed("rejected"), failed("unreadable")]).toEqual([
    "network",
    "timeout",
    "rejected",
    "rejected",
  ]);
  expect(resendCause(new TypeError("no answer"))).toBe("network");
});
