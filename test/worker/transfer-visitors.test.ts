import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { finish, join, putObject, sendBatch, startRequest, startTransfer, textFile } from "../support/transfers.ts";
import { workerWith } from "../support/worker-with-env.ts";
import { answerOf, Client, rowOf } from "../support/worker.ts";

const FILES = [textFile("a.txt", "first"), textFile("b.txt", "second"), textFile("c.txt", "third")];
const worker = workerWith({ ...env, ANONYMOUS_UPLOADS: "on" });

function change(client: Client, id: string, body: Record<string, unknown>): Promise<Response> {
  return client.fetch(`/api/files/${id}`, {
    method: "PATCH",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

describe("a visitor's transfer", () => {
  it("can be renamed and thinned out by that visitor alone, while it uploads and afterwards [TRF-38]", async () => {
    const visitor = new Client("", worker);
    const open = [{ object: 0, runs: [[0, 3]] }];
    const started = await startTransfer(visitor, FILES, { open });
    const { uploadId: id, downloadId } = started;
    const renamed = { filename: "Trip", message: "Hello" };
    const expectChanges = async (n: number) => {
      expect(await answerOf(change(visitor, id, renamed))).toMatchObject([200, { title: "Trip", message: "Hello" }]);
      expect((await visitor.delete(`/api/files/${id}/entries/${n}`)).status).toBe(200);

      const other = new Client("", worker);
      const { uploadId: othersId } = await other.startUpload(1);
      expect((await change(other, id, renamed)).status).toBe(404);
      expect((await other.delete(`/api/files/${id}/entries/2`)).status).toBe(404);
      // A single file of a visitor cannot be changed.
      expect((await change(other, othersId, { filename: "y" })).status).toBe(401);
      expect((await change(new Client("", worker), id, renamed)).status).toBe(401);
      expect((await change(visitor, id, { expiration: "1d" })).status).toBe(401);
    };
    await expectChanges(0);
    const receipts = await putObject(started, 0, join(FILES.map(({ bytes }) => bytes)));
    expect((await finish(visitor, downloadId, receipts)).status).toBe(200);
    await expectChanges(1);
    expect(await rowOf("select filename, message, status, entry_count as n from files where id = ?", id)).toEqual({
      filename: "Trip",
      message: "Hello",
      status: "ready",
      n: 1,
    });
    expect(await answerOf(visitor.delete(`/api/files/${id}/entries/2`))).toMatchObject([200, { isExpired: true }]);
    expect((await visitor.fetch(`/api/files/download/${downloadId}`)).status).toBe(410);
  });

  it("keeps its token for ten days after each call that sends it [TRF-38]", async () => {
    const visitor = new Client("", worker);
    const tokenIn = (response: Response) => response.headers.getSetCookie().find((cookie) => cookie.includes("token"));
    const started = await visitor.post("/api/transfers", startRequest(FILES));
    const cookie = tokenIn(started) ?? expect.unreachable();
    expect(cookie).toContain("; Max-Age=864000;");
    const { downloadId } = await started.json<{ downloadId: string }>();
    expect(tokenIn(await sendBatch(visitor, downloadId, {}))).toBe(cookie);
  });
});
