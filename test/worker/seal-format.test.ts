import { expect, it } from "vitest";
import { computeVectors, EXPECTED } from "../support/seal/vectors.ts";

it("the Workers runtime computes the format's vectors [SEAL-1]", async () => {
  expect(await computeVectors()).toEqual(EXPECTED);
});
