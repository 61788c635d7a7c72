import { createHash, randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { MIB } from "#domain/units.ts";
import { createByteReader } from "#app/lib/hashing/read-bytes.ts";

async function hashOf(file: Pick<Blob, "stream">) {
  const hash = createHash("sha256");
  const buffers = new Set<ArrayBufferLike>();
  const next = createByteReader(file);
  for (let bytes = await next(); bytes !== null; bytes = await next()) {
    hash.update(bytes);
    buffers.add(bytes.buffer);
  }
  return { sha256: hash.digest("hex"), largest: Math.max(0, ...[...buffers].map(({ byteLength }) => byteLength)) };
}

describe("a file is read from first byte to last", () => {
  for (const sizeBytes of [0, 1, MIB - 1, MIB, MIB + 1, 5 * MIB + 3]) {
    const bytes = randomBytes(sizeBytes);
    const sha256 = createHash("sha256").update(bytes).digest("hex");

    it(`${sizeBytes} bytes, never more than a buffer of them at a time`, async () => {
      const read = await hashOf(new Blob([bytes]));
      expect(read.sha256).toBe(sha256);
      expect(read.largest).toBeLessThanOrEqual(MIB);
    });

    it(`${sizeBytes} bytes where the browser's files are no streams of bytes`, async () => {
      const source = new Blob([bytes]).stream().getReader();
      const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
        pull: async (controller) => {
          const { done, value } = await source.read();
          if (done) controller.close();
          else controller.enqueue(value);
        },
      });
      expect((await hashOf({ stream: () => stream })).sha256).toBe(sha256);
    });
  }

  it("a file that is gone is an error", async () => {
    const failing = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull: (controller) => {
        controller.error(new Error("gone"));
      },
    });
    await expect(createByteReader({ stream: () => failing })()).rejects.toThrow("gone");
  });
});
