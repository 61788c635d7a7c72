import { exports } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { createRequest, listRequests, Sender } from "../support/requests.ts";
import { answerOf, rowOf, runSql, signUp } from "../support/worker.ts";
import { sendTransfer, textFile } from "../support/transfers.ts";

const MIB = 1024 * 1024;

/** A sender from a network of its own. */
function newcomer(made: { link: string }, number: number): Sender {
  return new Sender(made, (request) => {
    request.headers.set("cf-connecting-ip", `203.0.${number}.1`);
    return exports.default.fetch(request);
  });
}

/** Announces so many bytes, and sends none. */
const announce = (sender: Sender, bytes: number) =>
  sender.start([], { totals: { entries: 1, bytes }, entries: { from: 0, list: [] } });

const FULL = [
  403,
  {
    code: "REQUEST_FULL",
    message: "Whoever asked for files cannot take more of them at the moment. Please tell them.",
  },
];

const monthOf = (id: string) =>
  rowOf("select monthly_upload_total as bytes, monthly_transfer_count as transfers from users where id = ?", id);

describe("the room of a request", () => {
  it("is filled to its last byte by ten starts at once, and not beyond [REQ-2]", async () => {
    const owner = await signUp();
    const made = await createRequest(owner, { mostBytes: 70 });
    const starts = await Promise.all(
      Array.from({ length: 10 }, () => new Sender(made).start([textFile("a.txt", "ten bytes.")])),
    );
    expect(starts.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 200, 200, 403, 403, 403]);
    expect((await listRequests(owner))[0]).toMatchObject({ receivedBytes: 70, receivedTransfers: 7 });
    expect(await monthOf(owner.id)).toEqual({ bytes: 70, transfers: 7 });
    expect(await answerOf(new Sender(made).start([textFile("a.txt", "x")]))).toMatchObject([
      403,
      { code: "REQUEST_FULL", message: "This request takes no more files." },
    ]);
  });

  it("goes back to request and month when an upload is cancelled, and to the request when it is deleted [REQ-2]", async () => {
    const owner = await signUp();
    const made = await createRequest(owner, { mostBytes: 15, mostTransfers: 1 });
    const cancelled = new Sender(made);
    const { downloadId } = await cancelled.begin([textFile("a.txt", "ten bytes.")]);
    expect(await answerOf(new Sender(made).start([textFile("b.txt", "x")]))).toMatchObject([
      403,
      { code: "REQUEST_FULL" },
    ]);
    expect((await cancelled.post("/api/direct-upload/cancel", { downloadId })).status).toBe(200);
    expect(await monthOf(owner.id)).toEqual({ bytes: 0, transfers: 0 });

    const { uploadId } = await new Sender(made).send([textFile("a.txt", "ten bytes.")]);
    expect((await listRequests(owner))[0]).toMatchObject({ receivedBytes: 10, receivedTransfers: 1 });
    expect((await owner.delete(`/api/files/${uploadId}`)).status).toBe(200);
    expect((await listRequests(owner))[0]).toMatchObject({ receivedBytes: 0, receivedTransfers: 0 });
    expect(await monthOf(owner.id)).toEqual({ bytes: 10, transfers: 0 });
    await new Sender(made).send([textFile("a.txt", "ten bytes.")]);
  });

  it("limits how an upload grows, and says how much is left [REQ-2]", async () => {
    const owner = await signUp();
    const made = await createRequest(owner, { mostBytes: 15 });
    const sender = new Sender(made);
    const { downloadId } = await sender.begin([textFile("a.txt", "ten bytes.")]);
    const grow = (bytes: number) =>
      sender.post(`/api/transfers/${downloadId}/batch`, { totals: { entries: 2, bytes } });
    expect(await answerOf(grow(16))).toMatchObject([
      403,
      { code: "REQUEST_FULL", message: "This request takes 5 Bytes more." },
    ]);
    expect((await grow(15)).status).toBe(200);
    expect((await listRequests(owner))[0]).toMatchObject({ receivedBytes: 15 });
    expect(await monthOf(owner.id)).toEqual({ bytes: 15, transfers: 1 });
  });

  it("is its owner's month, whose words a stranger does not hear [REQ-3]", async () => {
    const owner = await signUp();
    const made = await createRequest(owner);
    await rowOf("update users set monthly_transfer_count = 20 where id = ? returning id", owner.id);
    expect(await answerOf(new Sender(made).start([textFile("a.txt", "x")]))).toMatchObject([
      403,
      {
        code: "REQUEST_FULL",
        message: "Whoever asked for files cannot take more of them at the moment. Please tell them.",
      },
    ]);
  });

  it("without a bound of its own is half of the uploads that the month has left, by 24 starts at once [REQ-2]", async () => {
    const owner = await signUp();
    const made = await createRequest(owner);
    const starts = await Promise.all(
      Array.from({ length: 24 }, (_, number) => newcomer(made, number).start([textFile("a.txt", "x")])),
    );
    expect(starts.map(({ status }) => status).sort()).toEqual([
      ...Array<number>(10).fill(200),
      ...Array<number>(14).fill(403),
    ]);
    expect(await monthOf(owner.id)).toEqual({ bytes: 10, transfers: 10 });
    expect(await answerOf(newcomer(made, 24).start([textFile("a.txt", "x")]))).toMatchObject(FULL);
    // Its owner goes on.
    await sendTransfer(owner, [textFile("own.txt")]);
  });

  it("without a bound of its own is half of the bytes that the month has left, by eight starts at once [REQ-2]", async () => {
    const owner = await signUp();
    const made = await createRequest(owner);
    await owner.startUpload(48 * MIB);
    // (2048 - 48) / 2 = 1000 MiB are four times 250.
    expect(await answerOf(announce(newcomer(made, 9), 1001 * MIB))).toMatchObject(FULL);
    const starts = await Promise.all(
      Array.from({ length: 8 }, (_, number) => announce(newcomer(made, number), 250 * MIB)),
    );
    expect(starts.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 403, 403, 403, 403]);
    expect(await monthOf(owner.id)).toEqual({ bytes: 1048 * MIB, transfers: 5 });
    expect(await answerOf(announce(newcomer(made, 8), 1))).toMatchObject(FULL);
  });

  it("without a bound of its own limits how an upload grows", async () => {
    const owner = await signUp();
    const made = await createRequest(owner);
    const sender = new Sender(made);
    const { downloadId } = await sender.begin([textFile("a.txt", "ten bytes.")]);
    const grow = (bytes: number) =>
      sender.post(`/api/transfers/${downloadId}/batch`, { totals: { entries: 1, bytes } });
    expect(await answerOf(grow(1025 * MIB))).toMatchObject(FULL);
    expect((await grow(1024 * MIB)).status).toBe(200);
    expect(await answerOf(grow(1024 * MIB + 1))).toMatchObject(FULL);
    expect(await monthOf(owner.id)).toEqual({ bytes: 1024 * MIB, transfers: 1 });
  });

  it("is larger where its owner says so, and for each kind by itself", async () => {
    const owner = await signUp();
    const made = await createRequest(owner, { mostBytes: 2048 * MIB });
    const sender = newcomer(made, 0);
    expect((await announce(sender, 2000 * MIB)).status).toBe(200);
    expect((await owner.patch(`/api/requests/${made.id}`, { mostBytes: null, mostTransfers: 20 })).status).toBe(200);
    expect(await answerOf(announce(newcomer(made, 1), 1))).toMatchObject(FULL);
  });

  it("comes back with what its owner deletes unopened: the upload, not its bytes [REQ-2]", async () => {
    const owner = await signUp();
    const made = await createRequest(owner);
    await runSql("update users set monthly_transfer_count = 18 where id = ?", owner.id);
    const { uploadId } = await new Sender(made).send([textFile("a.txt", "ten bytes.")]);
    expect(await answerOf(new Sender(made).start([textFile("b.txt", "x")]))).toMatchObject(FULL);
    for (let count = 0; count < 2; count += 1) await owner.delete(`/api/files/${uploadId}`);
    expect(await monthOf(owner.id)).toEqual({ bytes: 10, transfers: 18 });
    await new Sender(made).send([textFile("b.txt", "x")]);
  });

  it.each([
    ["was downloaded", "update files set download_count = 1 where id = ?"],
    ["has a link", "update files set forwarded_at = 1 where id = ?"],
    ["came in another month", "update files set reserved_period_start = 1 where id = ?"],
    ["was its owner's own", "update files set request_id = null where id = ?"],
  ])("does not come back with what %s", async (_what, change) => {
    const owner = await signUp();
    const { uploadId } = await new Sender(await createRequest(owner)).send([textFile("a.txt", "ten bytes.")]);
    await runSql(change, uploadId);
    expect((await owner.delete(`/api/files/${uploadId}`)).status).toBe(200);
    expect(await monthOf(owner.id)).toEqual({ bytes: 10, transfers: 1 });
  });

  it("comes back once from ten deletions at once", async () => {
    const owner = await signUp();
    const made = await createRequest(owner);
    const [one] = [await new Sender(made).send([textFile("a.txt")]), await new Sender(made).send([textFile("b.txt")])];
    await Promise.all(Array.from({ length: 10 }, () => owner.delete(`/api/files/${one.uploadId}`)));
    expect(await monthOf(owner.id)).toMatchObject({ transfers: 1 });
  });

  it("leaves its owner's own unfinished uploads alone", async () => {
    const owner = await signUp();
    const made = await createRequest(owner);
    for (let count = 0; count < 6; count += 1) await new Sender(made).begin([textFile("a.txt", "x")]);
    expect(await (await owner.fetch("/api/direct-upload/unfinished")).json()).toEqual([]);
  });
});
