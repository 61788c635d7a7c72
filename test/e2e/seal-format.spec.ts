import { resolve } from "node:path";
import { build } from "vite";
import { EXPECTED } from "#test/support/seal/vectors.ts";
import { expect, test } from "./support/fixtures.ts";

test("Chromium computes the format's vectors [SEAL-1] @everyday", async ({ page }) => {
  // WebCrypto is there on secure origins alone.
  await page.goto("/");
  await page.evaluate(await bundledVectors());
  expect(await page.evaluate("vectors.computeVectors()")).toEqual(EXPECTED);
});

/** @returns a script that sets `vectors` */
async function bundledVectors(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: "error",
    build: {
      write: false,
      lib: { entry: resolve("test/support/seal/vectors.ts"), formats: ["iife"], name: "vectors" },
    },
  });
  const [first] = Array.isArray(built) ? built : [built];
  if (!first || !("output" in first)) throw new Error("Vite built nothing");
  return first.output[0].code.replace(/^var vectors/, "globalThis.vectors");
}
