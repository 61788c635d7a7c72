import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { batch, join, putObject, sendBatch, startTransfer, textFile } from "../support/transfers.ts";
import { workerWith } from "../support/worker-with-env.ts";
import { answerOf, Client, putOnPlan, rowOf, runSql, signUp } from "../support/worker.ts";

/** Ten bytes each. */
const FILES = ["a", "b", "c"].map((path) => textFile(path, "0123456789"));
const FINGERPRINT = "ab".repeat(32);
const MODIFIED_MS = 1_769_860_800_000;

const again = (from: number, path: string, size: number) => ({ entries: { from, list: [[path, size, MODIFIED_MS]] } });

async function monthOf(id: string): Promise<number> {
  const { bytes } = await rowOf<{ bytes: number }>("select monthly_upload_total as bytes from users where id = ?", id);
  return bytes;
}

describe("a removed file", () => {
  it("makes room for another when its bytes were never stored [TRF-59]", async () => {
    const person = await signUp();
    const { downloadId } = await startTransfer(person, FILES, { open: [{ object: 0, runs: [[0, 3]] }] });
    expect(await batch(person, downloadId, { remove: [1], ...again(3, "b", 10) })).toMatchObject({ entries: 4 });
    await batch(person, downloadId, { remove: [1] });
    expect(await answerOf(sendBatch(person, downloadId, again(4, "d", 0)))).toMatchObject([
      409,
      { code: "TOTALS_EXCEEDED" },
    ]);
    expect(await monthOf(person.id)).toBe(30);
  });

  it("counts on when its bytes had been stored [TRF-59]", async () => {
    const person = await signUp();
    const started = await startTransfer(person, FILES, {
      fingerprint: FINGERPRINT,
      open: [{ object: 0, runs: [[0, 2]] }],
    });
    const { downloadId } = started;
    const receipts = await putObject(started, 0, join(FILES.slice(0, 2).map(({ bytes }) => bytes)));
    await batch(person, downloadId, { receipts });
    await expect.poll(async () => (await batch(person, downloadId)).stored).toEqual([[0, 2]]);
    const retried = { remove: [1], ...again(3, "b", 10) };
    expect(await answerOf(sendBatch(person, downloadId, retried))).toMatchObject([409, { code: "TOTALS_EXCEEDED" }]);
    await batch(person, downloadId, { ...retried, totals: { entries: 3, bytes: 40 } });
    await batch(person, downloadId, { remove: [2] });
    expect(await startTransfer(person, FILES, { fingerprint: FINGERPRINT })).toMatchObject({
      resumed: true,
      announcedBytes: 30,
    });
  });

  it("does not count when one batch announces and removes it", async () => {
    const person = await signUp();
    const { downloadId } = await startTransfer(person, FILES, { entries: undefined });
    const list = ["a", "b", "c", "d"].map((path) => [path, 10, MODIFIED_MS]);
    expect(await batch(person, downloadId, { entries: { from: 0, list }, remove: [1] })).toMatchObject({ entries: 4 });
  });
});

describe("a transfer that grows beyond", () => {
  /** Of a transfer that has 30 bytes. */
  async function refusalOf(person: Client, entries: number, bytes: number, prepare = () => Promise.resolve()) {
    const { downloadId } = await startTransfer(person, FILES);
    await prepare();
    const [status, { code, message, planLimitExceeded }] = await answerOf(
      sendBatch(person, downloadId, { totals: { entries, bytes } }),
    );
    expect([status, code, planLimitExceeded]).toEqual([403, "PLAN_LIMIT_EXCEEDED", true]);
    expect(await batch(person, downloadId)).toMatchObject({ entries: 3 });
    return message;
  }

  it("the month says what is left of it, also when it is the month's last transfer [TRF-59]", async () => {
    const person = await signUp();
    const useUp = () => runSql("update users set monthly_transfer_count = 20 where id = ?", person.id);
    expect(await refusalOf(person, 4, 3_221_225_502, useUp)).toBe(
      "These files take 3 GB more, but only 2 GB of this month's 2 GB are left. Leave some of them out, or send them next month.",
    );
    expect(await monthOf(person.id)).toBe(30);
  });

  it("its month says that a new one has begun [TRF-59]", async () => {
    const person = await signUp();
    const beginMonth = () =>
      runSql("update users set current_period_start = current_period_start + 1 where id = ?", person.id);
    expect(await refusalOf(person, 4, 31, beginMonth)).toBe(
      "A new month of your plan has begun since this transfer started, so it takes no more files. Send these in another transfer.",
    );
  });

  it("what the plan stores says how much that is", async () => {
    const person = await signUp();
    await putOnPlan(person.email, "ultimate");
    const fillUp = async () => {
      const { uploadId } = await startTransfer(person, FILES);
      await runSql("update files set size = 2199023255500 where id = ?", uploadId);
    };
    expect(await refusalOf(person, 4, 1000, fillUp)).toBe(
      "With these files you would exceed the 2 TB that your plan can store. Delete some files first.",
    );
  });

  it("the plan's number of files says how many it holds", async () => {
    expect(await refusalOf(await signUp(), 1001, 30)).toBe(
      "A transfer on your plan holds up to 1,000 files. Send the others in another transfer.",
    );
  });

  it("what visitors may send says how much that is", async () => {
    const visitor = new Client("", workerWith({ ...env, ANONYMOUS_UPLOADS: "on" }));
    expect(await refusalOf(visitor, 4, 3_221_225_472)).toBe(
      "Without an account, a transfer holds up to 2 GB. Leave some files out, or send them in another transfer.",
    );
  });
});
