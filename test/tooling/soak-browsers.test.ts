// @module-tag long
import { expect, test } from "vitest";
import { enginesNamed, proveBrowsers } from "../../soak/browsers.ts";
import { installed } from "../../soak/browsers/installed.ts";

/** A local system takes half a minute to start on a busy machine. */
const TIMEOUT_MS = 300_000;

test(
  "the main flow, previews, a folder, encrypted files and following work in Chromium",
  { timeout: TIMEOUT_MS },
  async () => {
    const [chromium] = await proveBrowsers(["chromium"], () => undefined);
    expect(chromium?.problems).toEqual([]);
    expect(chromium?.version).toMatch(/^Chromium \d+/);
    expect(chromium?.outcomes.map(({ figure }) => figure)).toEqual(Array.from({ length: 20 }, () => "yes"));
  },
);

test("a missing engine's message says how to install it and how to leave it out", async () => {
  await expect(installed("Firefox", ["no-such-firefox", "/no/such/firefox"], "firefox-esr")).rejects.toThrow(
    "Firefox is not installed (no no-such-firefox or /no/such/firefox). " +
      "On Debian: apt-get update && apt-get install firefox-esr. " +
      "To leave it out, name the others: npm run soak -- browsers --only chromium.",
  );
});

test.each([
  { list: undefined, engines: ["chromium", "firefox", "webkit"] },
  { list: "firefox", engines: ["firefox"] },
  { list: "webkit, chromium", engines: ["webkit", "chromium"] },
  { list: "safari", engines: null },
  { list: "", engines: null },
  { list: "toString", engines: null },
])("--only $list means $engines", ({ list, engines }) => {
  expect(enginesNamed(list)).toEqual(engines);
});
