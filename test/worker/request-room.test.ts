import { describe, expect, it } from "vitest";
import { createRequest, listRequests, Sender } from "../support/requests.ts";
import { answerOf, rowOf, signUp } from "../support/worker.ts";
import { textFile } from "../support/transfers.ts";

const monthOf = (id: string) =>
  rowOf("select monthly_upload_total as bytes, monthly_transfer_count as transfers from users where id = ?", id);

describe("the room of a request", () => {
  it("is filled to its last byte by ten starts at once, and not beyond", async () => {
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

  it("goes back to request and month when an upload is cancelled, and to the request when it is deleted", async () => {
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
    expect(await monthOf(owner.id)).toEqual({ bytes: 10, transfers: 1 });
    await new Sender(made).send([textFile("a.txt", "ten bytes.")]);
  });

  it("limits how an upload grows, and says how much is left", async () => {
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

  it("is its owner's month, whose words a stranger does not hear", async () => {
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

  it("leaves its owner's own unfinished uploads alone", async () => {
    const owner = await signUp();
    const made = await createRequest(owner);
    for (let count = 0; count < 6; count += 1) await new Sender(made).begin([textFile("a.txt", "x")]);
    expect(await (await owner.fetch("/api/direct-upload/unfinished")).json()).toEqual([]);
  });
});
