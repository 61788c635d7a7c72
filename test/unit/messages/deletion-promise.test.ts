import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { MINUTE_MS } from "#domain/units.ts";
import { CRON_INTERVAL_MS, EXPIRED_BYTES_DELETED_WITHIN_MS } from "#domain/upload-lifetime.ts";
import * as de from "#messages/de/index.ts";
import * as en from "#messages/en/index.ts";

/** The sweep is held to the constant in test/worker/sweep.test.ts. */
describe("expired files leave storage within minutes", () => {
  it.each([
    ["the English FAQ", en.faq.expiryAnswer, "within minutes"],
    ["the English landing page", en.landing.secureText, "within minutes"],
    ["the German FAQ", de.faq.expiryAnswer, "innerhalb weniger Minuten"],
    ["the German landing page", de.landing.secureText, "innerhalb weniger Minuten"],
    [
      "the privacy policy",
      readFileSync("migrations/0001_first_texts.sql", "utf8"),
      "removed from storage within minutes",
    ],
  ])("%s promises it", (_text, message, promise) => {
    expect(message).toContain(promise);
  });

  it("the promised time is less than 10 minutes", () => {
    expect(EXPIRED_BYTES_DELETED_WITHIN_MS).toBeLessThan(10 * MINUTE_MS);
  });

  it("the cron that sweeps runs every minute", () => {
    const [, crons] = /^crons = (.+)$/m.exec(readFileSync("wrangler.toml", "utf8")) ?? [];
    expect([crons, CRON_INTERVAL_MS]).toEqual(['["* * * * *"]', 60_000]);
  });
});
