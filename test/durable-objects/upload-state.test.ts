import { describe, expect, it } from "vitest";
import { planParts, SINGLE_PUT_MAX_BYTES } from "#domain/parts.ts";
import { DAY_MS, HOUR_MS, MIB, MINUTE_MS } from "#domain/units.ts";
import * as state from "#durable-objects/upload/state.ts";

const START = 1_000_000;
const LATER = START + 7 * MINUTE_MS;
/** Three parts: 8 MiB, 8 MiB and one byte. */
const THREE_PARTS = 16 * MIB + 1;

function newUpload(sizeBytes: number): state.UploadRecord {
  const lifetime = { expiration: "1d", expirationChosen: true, sizeBytes } as const;
  const partSizeBytes = sizeBytes > SINGLE_PUT_MAX_BYTES ? planParts(sizeBytes).partSizeBytes : null;
  const plan = {
    fileId: "id",
    filename: "a.txt",
    contentType: "text/plain",
    lifetime,
    partSizeBytes,
    chunkSizeBytes: null,
  };
  return state.newUploadRecord(plan, sizeBytes === THREE_PARTS ? "r2" : null, START);
}

const created = newUpload(THREE_PARTS);
const uploading = state.recordActivity(created, LATER);
const completing = state.beginCompletion(uploading, null, false, LATER);
const ready = state.recordReady(completing, null, LATER + DAY_MS, LATER);
const failed = state.markEnded(uploading, "failed", "CANCELLED", LATER);
const cancelled = state.markEnded(uploading, "cancelled", "CANCELLED", LATER);
const inChunks = { ...completing, plan: { ...completing.plan, chunkSizeBytes: MIB } };
const unhashed = state.recordReady(inChunks, null, LATER + DAY_MS, LATER);
const cleaned = state.recordCleanedUp(cancelled);

describe("the next task of an upload's alarm", () => {
  const now = LATER + HOUR_MS / 2;

  it.each([
    { when: "it was started", record: created, task: "abandon", at: START + DAY_MS },
    { when: "a part has arrived", record: uploading, task: "abandon", at: LATER + DAY_MS },
    { when: "its completion is due", record: completing, task: "complete", at: now + 5_000 },
    { when: "it failed and is not cleaned up", record: failed, task: "clean-up", at: now + 5_000 },
    {
      when: "it was cancelled and is not cleaned up",
      record: cancelled,
      task: "clean-up",
      at: now + 5_000,
    },
    { when: "it was cancelled and cleaned up", record: cleaned, task: "delete", at: LATER + HOUR_MS },
    { when: "it came in chunks and is ready", record: unhashed, task: "hash", at: now },
    {
      when: "it came in chunks and was hashed",
      record: state.recordHashed(unhashed),
      task: "delete",
      at: LATER + HOUR_MS,
    },
    { when: "it could not be hashed", record: { ...unhashed, attempts: 5 }, task: "delete", at: LATER + HOUR_MS },
    { when: "it is ready", record: ready, task: "delete", at: LATER + HOUR_MS },
  ] as const)("is to $task when $when", ({ record, task, at }) => {
    expect(state.nextAlarmTask(record, now)).toEqual({ task, at });
  });

  it("is to abandon an upload whose link has ended meanwhile [END-4]", () => {
    const endingAt = (chosenEndMs: number | null, record: state.UploadRecord) =>
      state.nextAlarmTask(state.changeLifetime(record, { ...record.plan.lifetime, chosenEndMs }), now);
    expect(endingAt(now + 1, uploading)).toEqual({ task: "abandon", at: now + 1 });
    expect(endingAt(LATER + 2 * DAY_MS, uploading)).toEqual({ task: "abandon", at: LATER + DAY_MS });
    expect(endingAt(null, uploading)).toEqual({ task: "abandon", at: LATER + DAY_MS });
    expect(endingAt(now + 1, completing)).toEqual({ task: "complete", at: now + 5_000 });
  });

  it.each([
    { attempts: 0, waitMs: 5_000 },
    { attempts: 1, waitMs: 10_000 },
    { attempts: 2, waitMs: 20_000 },
    { attempts: 6, waitMs: 320_000 },
    { attempts: 7, waitMs: 10 * MINUTE_MS },
    { attempts: 8, waitMs: 10 * MINUTE_MS },
    { attempts: 5_000, waitMs: 10 * MINUTE_MS },
  ])("waits $waitMs ms after $attempts failed attempts", ({ attempts, waitMs }) => {
    expect(state.nextAlarmTask({ ...completing, attempts }, now).at).toBe(now + waitMs);
    expect(state.nextAlarmTask({ ...failed, attempts }, now).at).toBe(now + waitMs);
  });

  it("gives a completion up after ten hours, however often it was tried", () => {
    const tried = { ...completing, attempts: 5_000 };
    expect(state.isOutOfTime(tried, LATER + 10 * HOUR_MS - 1)).toBe(false);
    expect(state.isOutOfTime(tried, LATER + 10 * HOUR_MS)).toBe(true);
  });

  it("counts failed attempts, and restarts at zero with the next task", () => {
    const tried = state.recordAttempt(state.recordAttempt(completing));
    expect(tried.attempts).toBe(2);
    expect(state.markEnded(tried, "failed", "CANCELLED", LATER).attempts).toBe(0);
    expect(state.recordReady(tried, null, null, LATER).attempts).toBe(0);
    expect(state.recordCleanedUp(state.recordAttempt(cancelled)).attempts).toBe(0);
    expect(state.beginCompletion(state.reopen(tried, LATER), null, false, LATER).attempts).toBe(0);
  });
});

describe("the missing parts", () => {
  it.each([
    { received: [], missing: [1, 2, 3] },
    { received: [2], missing: [1, 3] },
    { received: [3, 1], missing: [2] },
    { received: [1, 2, 3], missing: [] },
    { received: [1, 2, 3, 4], missing: [] },
    { received: [4], missing: [1, 2, 3] },
  ])("are $missing when $received have arrived", ({ received, missing }) => {
    expect(state.missingParts(uploading, new Set(received))).toEqual(missing);
  });

  it.each([0, 1, 16 * MIB])("are none for a single PUT of %i bytes", (sizeBytes) => {
    expect(state.missingParts(newUpload(sizeBytes), new Set())).toEqual([]);
  });
});

describe("the percent that has arrived", () => {
  it.each([
    { sizeBytes: THREE_PARTS, received: [], percent: 0 },
    { sizeBytes: THREE_PARTS, received: [3], percent: 0 },
    { sizeBytes: THREE_PARTS, received: [1], percent: 49 },
    { sizeBytes: THREE_PARTS, received: [1, 3], percent: 50 },
    { sizeBytes: THREE_PARTS, received: [1, 2], percent: 99 },
    { sizeBytes: THREE_PARTS, received: [1, 2, 3], percent: 100 },
    { sizeBytes: 24 * MIB, received: [1, 2], percent: 66 },
    { sizeBytes: 1000, received: [], percent: 0 },
    { sizeBytes: 0, received: [], percent: 0 },
    { sizeBytes: 0, received: [1], percent: 0 },
  ])("is $percent of $sizeBytes bytes when parts $received have", ({ sizeBytes, received, percent }) => {
    expect(state.receivedPercent(newUpload(sizeBytes), received)).toBe(percent);
  });

  it.each([0, 1000, THREE_PARTS])("is 100 for a finished file of %i bytes, with any receipts", (sizeBytes) => {
    expect(state.receivedPercent(state.recordReady(newUpload(sizeBytes), null, null, LATER), [])).toBe(100);
  });
});

describe("a receipt", () => {
  it("postpones the abandonment of an open upload", () => {
    expect(state.recordActivity(created, LATER)).toEqual({ ...created, phase: "uploading", lastReceiptAt: LATER });
    expect(state.recordActivity(uploading, LATER + 1)).toEqual({ ...uploading, lastReceiptAt: LATER + 1 });
  });

  it.each([completing, ready, failed, cancelled, cleaned])("does not change an upload that is $phase", (record) => {
    expect(state.recordActivity(record, LATER + DAY_MS)).toEqual(record);
  });

  it("counts from the moment an upload is reopened", () => {
    const reopened = state.reopen(completing, LATER + HOUR_MS);
    expect(state.nextAlarmTask(reopened, LATER + HOUR_MS)).toEqual({ task: "abandon", at: LATER + HOUR_MS + DAY_MS });
  });
});

describe("an upload that has ended", () => {
  it.each([ready, failed, cancelled, cleaned])("records that it is $phase, and when it ended", (record) => {
    expect(state.isSettled(record)).toBe(true);
    expect(record.settledAt).toBe(LATER);
  });

  it.each([created, uploading, completing])("is not an upload that is $phase", (record) => {
    expect(state.isSettled(record)).toBe(false);
  });

  it("keeps the file's expiry, which counts from completion", () => {
    expect(state.expiryFrom(completing, LATER)).toBe(LATER + DAY_MS);
    expect(ready.expiresAt).toBe(LATER + DAY_MS);
  });
});

describe("an upload to which bytes are appended", () => {
  const plan = { ...uploading.plan, chunkSizeBytes: MIB, isAppended: true };
  const appended = { ...uploading, plan };

  it("is known by its plan; a record of an earlier release is none", () => {
    expect(state.isAppended(appended)).toBe(true);
    expect(state.isAppended(uploading)).toBe(false);
    expect(state.isAppended({ ...uploading, plan: { ...plan, isAppended: false } })).toBe(false);
  });

  it("remembers from which chunk on a request's bytes are not firm, and forgets it", () => {
    const provisional = state.beginProvisional(appended, 7);
    expect(provisional).toEqual({ ...appended, provisionalFrom: 7 });
    expect(state.endProvisional(provisional)).toEqual(appended);
    expect("provisionalFrom" in state.endProvisional(provisional)).toBe(false);
    expect(state.endProvisional(appended)).toEqual(appended);
  });

  it("is completed by its alarm once its last byte is stored, and hashed then", () => {
    const whole = state.beginCompletion(appended, null, false, LATER);
    expect(state.nextAlarmTask(whole, LATER)).toEqual({ task: "complete", at: LATER + 5000 });
    const done = state.recordReady(whole, null, null, LATER);
    expect(state.nextAlarmTask(done, LATER)).toEqual({ task: "hash", at: LATER });
  });
});
