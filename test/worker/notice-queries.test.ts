import { describe, expect, it } from "vitest";
import type { Database } from "#worker/db/client.ts";
import { countDownloads } from "#worker/db/download-counts.ts";
import { listDailyNotices, listDueNotices, noteEnding } from "#worker/db/due-notices.ts";
import { findStops, listRecipients } from "#worker/db/recipients.ts";
import { finishedDownload } from "../support/downloads.ts";
import { signUpVerified } from "../support/notices.ts";
import { queryPlansOf } from "../support/query-plan.ts";
import { addWebhook, ReceiverInbox } from "../support/webhooks.ts";
import { runSql, sendFile } from "../support/worker.ts";

describe("queries on notices and recipients use an index", () => {
  it.each<[string, RegExp, (db: Database) => Promise<unknown>]>([
    [
      "counted downloads",
      new RegExp(
        [
          "counted USING PRIMARY KEY",
          "recipients USING INDEX recipients_token",
          "webhooks USING INDEX webhooks_owner",
          "files USING INDEX sqlite_autoindex_files_1",
          "recipients USING INDEX sqlite_autoindex_recipients_1",
          "earlier USING INDEX notice_events_transfer",
        ].join(".*"),
      ),
      async (db) => {
        const owner = await signUpVerified();
        await addWebhook(owner, new ReceiverInbox().url);
        const { uploadId } = await sendFile(owner, "some bytes");
        await runSql(
          "insert into recipients (id, transfer_id, email, token, sent_at) values ('r', ?, 'a@b.c', 't', 1)",
          uploadId,
        );
        await countDownloads(db, [finishedDownload(uploadId, { token: "t", entry: 1 })]);
      },
    ],
    ["notices that are due", /notice_events USING INDEX notice_events_due/, (db) => listDueNotices(db, 1, 10)],
    ["an account's day", /notice_events USING INDEX notice_events_daily/, (db) => listDailyNotices(db, "u", 10)],
    ["links that end", /files USING INDEX files_expired/, (db) => noteEnding(db, 1, 10)],
    ["a link's recipients", /recipients USING INDEX recipients_transfer/, (db) => listRecipients(db, "f")],
    ["stopped addresses", /mail_stops USING (?:COVERING )?INDEX/, (db) => findStops(db, ["d"], "u")],
  ])("%s: %s", async (_what, indexes, run) => {
    const plan = (await queryPlansOf(run)).join("; ");
    expect(plan).toMatch(indexes);
    expect(plan).not.toMatch(/SCAN (?!CONSTANT|\w+ (EXISTS )?VIRTUAL TABLE)|TEMP B-TREE/);
  });
});
