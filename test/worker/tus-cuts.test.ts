// @module-tag long
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expectFile } from "../support/chunked.ts";
import { checksumOf, newProgram, offsetOf, openBody, send, startTus } from "../support/tus.ts";
import { patternBytes } from "../support/worker.ts";

const MIB = 1_048_576;

/** What a client does next, from wherever the upload is. */
type Step = { length: number; kind: "whole" | "cut" | "summed" | "wrong sum" | "half open" };

const step: fc.Arbitrary<Step> = fc.record({
  length: fc.oneof(
    fc.integer({ min: 1, max: 3 * MIB }),
    fc.constantFrom(1, 65_535, 65_536, MIB - 1, MIB, MIB + 1, 8 * MIB, 8 * MIB + 1),
  ),
  kind: fc.constantFrom("whole", "cut", "summed", "wrong sum", "half open"),
});

const STATUS = { whole: 204, summed: 204, "wrong sum": 460 } as const;

describe("an upload with tus that is cut at random", () => {
  it("is the same file at the end, and its offset never lies [TUS-1]", async () => {
    const program = await newProgram();
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 18 * MIB }),
        fc.array(step, { minLength: 1, maxLength: 6 }),
        async (size, steps) => {
          const bytes = patternBytes(size, size);
          const tus = await startTus(size, program);
          let offset = 0;
          for (const { length, kind } of steps) {
            const piece = bytes.slice(offset, offset + length);
            if (piece.byteLength === 0 || (offset + length >= size && kind !== "whole")) break;
            if (kind === "cut" || kind === "half open") {
              const line = openBody(piece);
              const answered = send(tus, offset, line.body).catch(() => null);
              await line.given;
              if (kind === "cut") await line.breakOff();
              const now = await offsetOf(tus);
              await answered;
              expect(now).toBeGreaterThanOrEqual(offset);
              expect(now).toBeLessThanOrEqual(offset + piece.byteLength);
              offset = now;
              continue;
            }
            const sum = kind === "whole" ? {} : await checksumOf(kind === "summed" ? piece : new Uint8Array(1));
            expect([kind, (await send(tus, offset, piece, sum)).status]).toEqual([kind, STATUS[kind]]);
            if (kind !== "wrong sum") offset += piece.byteLength;
            expect(await offsetOf(tus)).toBe(offset);
          }
          if (offset < size) expect((await send(tus, offset, bytes.subarray(offset))).status).toBe(204);
          await expectFile(tus.downloadId, bytes);
        },
      ),
      { numRuns: 12 },
    );
  }, 300_000);
});
