import { expect, test } from "vitest";
import { enginesNamed, proveBrowsers } from "../../soak/browsers.ts";
import { installed } from "../../soak/browsers/installed.ts";

/** A local system takes half a minute to come up on a busy machine. */
const PATIENCE_MS = 300_000;

test(
  "the main job and the previews go through in Chromium, over a line that breaks",
  { timeout: PATIENCE_MS },
  async () => {
    const [chromium] = await proveBrowsers(["chromium"], () => undefined);
    expect(chromium?.problems).toEqual([]);
    expect(chromium?.version).toMatch(/^Chromium \d+/);
    expect(chromium?.outcomes.map(({ figure }) => figure)).toEqual(Array.from({ length: 11 }, () => "yes"));
  },
);

test("an engine that is not installed says how to install it, and how to go without", async () => {
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
