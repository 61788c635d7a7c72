import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readPicture } from "#domain/pictures/read-picture.ts";
import { PICTURES } from "../../../support/pictures.ts";

describe("readPicture", () => {
  it.each([
    ["lossy", { type: "image/webp", width: 48, height: 32 }],
    ["lossless", { type: "image/webp", width: 32, height: 48 }],
    ["alpha", { type: "image/webp", width: 40, height: 30 }],
    ["view", { type: "image/webp", width: 160, height: 90 }],
    ["large", { type: "image/webp", width: 481, height: 16 }],
    ["jpeg", { type: "image/jpeg", width: 24, height: 16 }],
    ["progressive", { type: "image/jpeg", width: 24, height: 16 }],
    ["exif", { type: "image/jpeg", width: 24, height: 16 }],
  ] as const)("reads type and size of %s [PIC-2]", (name, picture) => {
    expect(readPicture(PICTURES[name])).toEqual(picture);
  });

  it.each(["animated", "png"] as const)("refuses %s [PIC-2]", (name) => {
    expect(readPicture(PICTURES[name])).toBeNull();
  });

  it.each(["lossy", "lossless", "alpha", "jpeg", "progressive"] as const)(
    "refuses %s that is cut off anywhere, or goes on [PIC-2]",
    (name) => {
      const bytes = PICTURES[name];
      const cuts = Array.from({ length: bytes.byteLength }, (_, length) => readPicture(bytes.subarray(0, length)));
      expect(cuts.filter((picture) => picture !== null)).toEqual([]);
      expect(readPicture(new Uint8Array([...bytes, 0]))).toBeNull();
    },
  );

  it("refuses a canvas of another size than its image [PIC-2]", () => {
    const bytes = PICTURES.alpha.slice();
    bytes[24] = 200;
    expect(readPicture(bytes)).toBeNull();
  });

  it("reads a picture that is a part of other bytes [PIC-2]", () => {
    const around = new Uint8Array([1, 2, 3, ...PICTURES.jpeg, 4]);
    expect(readPicture(around.subarray(3, around.byteLength - 1))).toEqual({
      type: "image/jpeg",
      width: 24,
      height: 16,
    });
  });

  it("answers for any bytes, also changed pictures [PIC-2]", () => {
    const changed = fc
      .tuple(
        fc.constantFrom(...Object.values(PICTURES)),
        fc.array(fc.tuple(fc.nat(60), fc.nat(255)), { minLength: 1, maxLength: 4 }),
      )
      .map(([bytes, changes]) => {
        const copy = bytes.slice();
        for (const [at, value] of changes) copy[at] = value;
        return copy;
      });
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 200 }), changed), (bytes) => {
        const picture = readPicture(bytes);
        if (picture === null) return;
        expect(picture.width).toBeGreaterThan(0);
        expect(picture.height).toBeGreaterThan(0);
      }),
      { numRuns: 2000 },
    );
  });
});
