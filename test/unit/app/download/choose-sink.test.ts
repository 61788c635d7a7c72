import { expect, it } from "vitest";
import { chooseSink } from "#app/features/download/sealed/sinks/choose-sink.ts";
import { GIB, MIB } from "#domain/units.ts";

const ALL = { hasStage: true, freeBytes: 10 * GIB, canPickFile: true, hasServiceWorker: true };
const NOTHING = { hasStage: false, freeBytes: 0, canPickFile: false, hasServiceWorker: false };

it("takes the first place that the browser has", () => {
  expect(chooseSink(32 * MIB, 0, NOTHING)).toBe("blob");
  expect(chooseSink(32 * MIB + 1, 0, ALL)).toBe("stage");
  expect(chooseSink(GIB, 0, { ...ALL, hasStage: false })).toBe("file");
  expect(chooseSink(GIB, 0, { ...ALL, hasStage: false, canPickFile: false })).toBe("stream");
  expect(chooseSink(GIB, 0, NOTHING)).toBeNull();
});

it("stages where a tenth more than the rest of the file is free", () => {
  const free = (freeBytes: number) => ({ ...ALL, freeBytes });
  expect(chooseSink(100 * MIB, 0, free(110 * MIB))).toBe("file");
  expect(chooseSink(100 * MIB, 0, free(111 * MIB))).toBe("stage");
  expect(chooseSink(100 * MIB, 90 * MIB, free(12 * MIB))).toBe("stage");
});
