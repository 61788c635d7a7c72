import { expect, test } from "vitest";
import { computeVectors, EXPECTED } from "#test/support/seal/vectors.ts";

test("Node computes the format's vectors [SEAL-1]", async () => {
  expect(await computeVectors()).toEqual(EXPECTED);
});
