import { describe, expect, it } from "vitest";
import type { Database } from "#worker/db/client.ts";
import { countDownload } from "#worker/db/download-counts.ts";
import { listDailyNotices, listDueNotices, noteEnding } from "#worker/db/due-notices.ts";
import { findStops, listRecipients } from "#worker/db/recipients.ts";
import { queryPlansOf } from "../support/query-plan.ts";

describe("queries on notices and recipients use an index", () => {
  const noOne = { token: "t", isOwner: false };
  it.each<[string, RegExp, (db: Database) => Promise<unknown>]>([
    [
      "a counted download",
      /recipients USING INDEX recipients_token.*earlier USING INDEX notice_events_transfer/,
      (db) => countDownload(db, "f", noOne, 1),
    ],
    ["notices that are due", /notice_events USING INDEX notice_events_due/, (db) => listDueNotices(db, 1, 10)],
    ["an account's day", /notice_events USING INDEX notice_events_daily/, (db) => listDailyNotices(db, "u", 10)],
    ["links that end", /files USING INDEX files_expired/, (db) => noteEnding(db, 1, 10)],
    ["a link's recipients", /recipients USING INDEX recipients_transfer/, (db) => listRecipients(db, "f")],
    ["stopped addresses", /mail_stops USING (?:COVERING )?INDEX/, (db) => findStops(db, ["d"], "u")],
  ])("%s: %s", async (_what, indexes, run) => {
    const plan = (await queryPlansOf(run)).join("; ");
    expect(plan).toMatch(indexes);
    expect(plan).not.toMatch(/SCAN (?!CONSTANT|json_each)|TEMP B-TREE/);
  });
});
