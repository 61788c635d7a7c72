import { describe, expect, it } from "vitest";
import { MIB } from "#domain/units.ts";
import { PartPipeline, type PartJob } from "#engine/transfer/part-pipeline.ts";
import { SendingObject } from "#engine/transfer/sending-object.ts";
import { TransferEntries } from "#engine/transfer/transfer-entries.ts";
import { TransferRecorder } from "#engine/upload-recorder.ts";

const READ = { body: new Blob(), crc32: "", sha256: null, failures: [] };

/** A pipeline whose sends wait until they are let go. */
function startPipeline(
  sizes: readonly number[],
  limit: number,
  read = () => Promise.resolve<typeof READ | null>(READ),
) {
  const waiting = sizes.map((size, index) => new SendingObject(index, [index], size));
  const taken: number[] = [];
  const sending: { job: PartJob; object: number; finish(): void; fail(error: Error): void }[] = [];
  const errors: unknown[] = [];
  const pipeline = new PartPipeline({
    take: (maxBytes): PartJob | null => {
      const [object] = waiting;
      if (!object || object.sizeBytes > maxBytes) return null;
      waiting.shift();
      taken.push(object.object);
      return { object, part: 1 };
    },
    read,
    send: (job) =>
      new Promise((resolve, reject) => {
        sending.push({ job, object: job.object.object, finish: resolve, fail: reject });
      }),
    limit: () => limit,
    record: new TransferRecorder(new TransferEntries(() => 0), 0),
    onError: (error) => errors.push(error),
  });
  pipeline.pump();
  return { taken, sending, errors };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe("parts", () => {
  it("are read two ahead of those that are on their way", async () => {
    const { taken, sending } = startPipeline(
      Array.from({ length: 10 }, () => MIB),
      3,
    );
    await settle();
    expect([taken.length, sending.map(({ object }) => object)]).toEqual([5, [0, 1, 2]]);
    sending[1]?.finish();
    await settle();
    expect([taken.length, sending.map(({ object }) => object)]).toEqual([6, [0, 1, 2, 3]]);
  });

  it("hold at most 64 MiB [TRF-49]", async () => {
    const { taken, sending } = startPipeline(
      Array.from({ length: 10 }, () => 16 * MIB),
      8,
    );
    await settle();
    expect([taken.length, sending.length]).toEqual([4, 4]);
    sending[0]?.finish();
    await settle();
    expect([taken.length, sending.length]).toEqual([5, 5]);
  });

  it("that are not to be sent make room for others", async () => {
    const { taken, sending } = startPipeline(
      Array.from({ length: 6 }, () => 16 * MIB),
      2,
      () => Promise.resolve(null),
    );
    await settle();
    expect([taken.length, sending.length]).toEqual([6, 0]);
  });

  it("that break down are reported, unless their object was dropped", async () => {
    const { errors } = startPipeline([MIB], 1, () => Promise.reject(new Error("reading")));
    const sends = startPipeline([MIB, MIB], 2);
    await settle();
    expect(errors).toEqual([new Error("reading")]);
    for (const { job, fail } of sends.sending) {
      job.object.isDropped = job.object.object === 0;
      fail(new Error(`sending ${job.object.object}`));
    }
    await settle();
    expect(sends.errors).toEqual([new Error("sending 1")]);
  });
});

describe("an object", () => {
  it("counts the bytes of parts that are there and on their way", () => {
    const object = new SendingObject(0, [0], 20 * MIB);
    expect([object.isPack, object.nextPart]).toEqual([false, null]);
    object.open({ partSizeBytes: 8 * MIB, partCount: 3 }, [[2, 1]]);
    object.takePart();
    object.setSent(1, MIB);
    expect([object.sentBytes, object.nextPart, object.isSent]).toEqual([9 * MIB, 3, false]);
    object.finishPart(1);
    object.finishPart(3);
    expect([object.sentBytes, object.isSent]).toEqual([20 * MIB, true]);
  });

  it("sends parts again that storage has lost", () => {
    const object = new SendingObject(0, [0], MIB);
    object.takePart();
    object.finishPart(1);
    expect(object.resend([[1, 1]])).toBe(false);
    expect([object.resend([]), object.nextPart, object.isSent, object.sentBytes]).toEqual([true, 1, false, 0]);
  });
});
