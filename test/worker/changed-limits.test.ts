// @module-tag long
import { describe, expect, it } from "vitest";
import { sendLimited, takeAndRead, usedOf } from "../support/limited-links.ts";
import { Recipient } from "../support/recipient.ts";
import { answerOf, patternBytes, stopClockAt } from "../support/worker.ts";

const MINUTE = 60_000;
const BYTES = patternBytes(16 * 1024 ** 2, 7);

describe("changing the limit", () => {
  it("revives a link that was used up, while its bytes exist", async () => {
    const { owner, uploadId, downloadId } = await sendLimited(1);
    await takeAndRead(new Recipient(), downloadId);
    await expect.poll(() => usedOf(downloadId)).toBe(1);
    expect((await new Recipient().take(downloadId)).status).toBe(410);
    const [, changed] = await answerOf(owner.patch(`/api/files/${uploadId}`, { guards: { maxDownloads: 2 } }));
    expect(changed).toMatchObject({
      guards: { password: false, sealed: false, maxDownloads: 2, downloadsUsed: 1, isUsedUp: false },
    });
    expect(await takeAndRead(new Recipient(), downloadId)).toBe("the file");
  });

  it("takes it away: bytes are free again", async () => {
    const { owner, uploadId, downloadId } = await sendLimited(1);
    await takeAndRead(new Recipient(), downloadId);
    await expect.poll(() => usedOf(downloadId)).toBe(1);
    await owner.patch(`/api/files/${uploadId}`, { guards: { maxDownloads: null } });
    expect(await (await new Recipient().content(downloadId)).text()).toBe("the file");
  });

  it("away and back keeps what was counted, and the new limit holds", async () => {
    const { owner, uploadId, downloadId } = await sendLimited(3);
    for (const _ of [1, 2]) await takeAndRead(new Recipient(), downloadId);
    for (const maxDownloads of [null, 3]) await owner.patch(`/api/files/${uploadId}`, { guards: { maxDownloads } });
    expect(await answerOf(new Recipient().take(downloadId))).toEqual([201, expect.objectContaining({ left: 1 })]);
    expect((await new Recipient().take(downloadId)).status).toBe(409);
  });

  it("below what was used ends the link for others", async () => {
    const { owner, uploadId, downloadId } = await sendLimited(3);
    for (const _ of [1, 2]) await takeAndRead(new Recipient(), downloadId);
    await expect.poll(() => usedOf(downloadId)).toBe(2);
    const [, changed] = await answerOf(owner.patch(`/api/files/${uploadId}`, { guards: { maxDownloads: 1 } }));
    expect(changed).toMatchObject({ guards: { maxDownloads: 1, downloadsUsed: 2, isUsedUp: true } });
    expect((await new Recipient().take(downloadId)).status).toBe(410);
  });

  it("cannot revive a link that has expired", async () => {
    const { owner, uploadId, downloadId } = await sendLimited(1);
    await takeAndRead(new Recipient(), downloadId);
    await expect.poll(() => usedOf(downloadId)).toBe(1);
    stopClockAt(Date.now() + 61 * MINUTE);
    expect((await owner.patch(`/api/files/${uploadId}`, { guards: { maxDownloads: 5 } })).status).toBe(410);
  });

  it("shows the owner who is downloading, and lets a link go on that unfinished copies stopped", async () => {
    const { owner, uploadId, downloadId } = await sendLimited(1, BYTES);
    const start = Date.now();
    for (let copy = 0; copy < 4; copy += 1) {
      stopClockAt(start + copy * 15 * MINUTE);
      const recipient = new Recipient();
      expect((await recipient.take(downloadId)).status).toBe(201);
      await (await recipient.content(downloadId, { range: `bytes=0-${BYTES.length - 2}` })).arrayBuffer();
      expect(await answerOf(owner.fetch(`/api/files/${uploadId}/guards`))).toEqual([
        200,
        {
          password: false,
          sealed: false,
          maxDownloads: 1,
          downloadsUsed: 0,
          isUsedUp: false,
          running: 1,
          isWaiting: false,
        },
      ]);
    }
    stopClockAt(start + 60 * MINUTE);
    expect(await answerOf(new Recipient().take(downloadId))).toEqual([
      409,
      {
        code: "ATTEMPTS_USED_UP",
        message: "Too many downloads of this link were broken off. Ask the sender to let it go on.",
      },
    ]);
    expect(await answerOf(owner.fetch(`/api/files/${uploadId}/guards`))).toMatchObject([200, { isWaiting: true }]);
    await owner.patch(`/api/files/${uploadId}`, { guards: { letGoOn: true } });
    expect((await new Recipient().take(downloadId)).status).toBe(201);
  });
});
