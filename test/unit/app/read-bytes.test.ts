import { createHash, randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { MIB } from "#domain/units.ts";
import { createByteReader } from "#app/lib/hashing/read-bytes.ts";

async function hashFile(file: Pick<Blob, "stream">) {
  const hash = createHash("sha256");
  const buffers = new Set<ArrayBufferLike>();
  const readNext = createByteReader(file);
  for (let bytes = await readNext(); bytes !== null; bytes = await readNext()) {
    hash.update(bytes);
    buffers.add(bytes.buffer);
  }
  return {
    sha256: hash.digest("hex"),
    largestBuffer: Math.max(0, ...[...buffers].map(({ byteLength }) => byteLength)),
  };
}

describe("reading a file", () => {
  for (const sizeBytes of [0, 1, MIB - 1, MIB, MIB + 1, 5 * MIB + 3]) {
    const bytes = randomBytes(sizeBytes);
    const sha256 = createHash("sha256").update(bytes).digest("hex");

    it(`returns all ${sizeBytes} bytes, at most one buffer at a time`, async () => {
      const read = await hashFile(new Blob([bytes]));
      expect(read.sha256).toBe(sha256);
      expect(read.largestBuffer).toBeLessThanOrEqual(MIB);
    });

    it(`returns all ${sizeBytes} bytes if the browser has no byte streams`, async () => {
      const source = new Blob([bytes]).stream().getReader();
      const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
        pull: async (controller) => {
          const { done, value } = await source.read();
          if (done) controller.close();
          else controller.enqueue(value);
        },
      });
      expect((await hashFile({ stream: () => stream })).sha256).toBe(sha256);
    });
  }

  it("fails if the file has been deleted", async () => {
    const failing = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull: (controller) => {
        controller.error(new Error("gone"));
      },
    });
    await expect(createByteReader({ stream: () => failing })()).rejects.toThrow("gone");
  });
});
