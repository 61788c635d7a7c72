import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { sendLimited, takeAndRead, usedOf } from "../support/limited-links.ts";
import { Recipient } from "../support/recipient.ts";
import { withMethod, workerWith } from "../support/worker-with-env.ts";
import { sendTransfer, startTransfer, textFile } from "../support/transfers.ts";
import { answerOf, patternBytes, rowOf, sha256Of, signUp, stopClockAt } from "../support/worker.ts";

const MIB = 1024 ** 2;
const MINUTE = 60_000;
/** Cut into sixteen stretches of one MiB. */
const BYTES = patternBytes(16 * MIB, 7);

const link = (downloadId: string, end = "") => `/api/files/download/${downloadId}${end}`;

/** Reads this much and leaves. */
async function readAndLeave(response: Response, bytes: number): Promise<void> {
  const reader = (response.body as ReadableStream<Uint8Array> | null)?.getReader();
  for (let read = 0; read < bytes;) {
    const { value } = (await reader?.read()) ?? {};
    if (!value) throw new Error("the response ended");
    read += value.byteLength;
  }
  await reader?.cancel();
}

describe("a form of a page", () => {
  it.each(["unlock", "take"])("to an address that has no link is 404: %s", async (call) => {
    for (const id of [
      "%0D%0Ax",
      "%0d%0aset-cookie:%20a=b",
      "%00",
      "%E2%80%8B",
      "x%2F..%2Fy",
      "..%2F..%2Fadmin",
      "short",
    ]) {
      const response = await new Recipient().submit(`/api/files/download/${id}/${call}`, { password: "a password" });
      expect([id, response.status, await response.json()]).toEqual([
        id,
        404,
        expect.objectContaining({ code: "FILE_NOT_FOUND" }),
      ]);
    }
    const unknown = await new Recipient().submit(`/api/files/download/${"A".repeat(22)}/${call}`, { password: "one" });
    expect([unknown.status, unknown.headers.get("location")]).toEqual([
      303,
      `/download/${"A".repeat(22)}?refused=FILE_NOT_FOUND`,
    ]);
  });
});

describe("a link with a download limit", () => {
  it("gives no bytes without a download taken", async () => {
    const { downloadId } = await sendLimited(2);
    const response = await new Recipient().content(downloadId);
    expect([response.status, await response.json()]).toEqual([
      409,
      {
        code: "LEASE_NEEDED",
        message: "Downloads of this link are counted. Take one first, with POST to the address that ends in /take.",
      },
    ]);
    expect((await new Recipient().fetch(link(downloadId, "/preview"))).status).toBe(409);
  });

  it("shows what it leads to, and answers HEAD, and counts neither", async () => {
    const { downloadId } = await sendLimited(2);
    const recipient = new Recipient();
    const [, info] = await answerOf(recipient.fetch(link(downloadId)));
    expect(info).toMatchObject({ filename: "a file.txt", guards: { password: false, maxDownloads: 2, left: 2 } });
    expect((await recipient.fetch(link(downloadId, "/content"), { method: "HEAD" })).status).toBe(200);
    expect((await recipient.fetch(`/download/${downloadId}`)).status).toBe(200);
    expect(await usedOf(downloadId)).toBe(0);
  });

  it("counts a finished download, and ends with the last one [GRD-13]", async () => {
    const { downloadId } = await sendLimited(2);
    const first = new Recipient();
    const [status, taken] = await answerOf(first.take(downloadId));
    expect(status).toBe(201);
    expect(taken).toMatchObject({ left: 2 });
    expect(String(taken.lease)).toMatch(/^[\w-]{22}\.[\w-]{43}$/);
    expect(await (await first.content(downloadId)).text()).toBe("the file");
    await expect.poll(() => usedOf(downloadId)).toBe(1);
    const second = new Recipient();
    expect(await answerOf(second.take(downloadId))).toEqual([201, expect.objectContaining({ left: 1 })]);
    await (await second.content(downloadId)).text();
    await expect.poll(() => usedOf(downloadId)).toBe(2);
    const usedUp = {
      code: "DOWNLOADS_USED_UP",
      message: "This link was good for 2 downloads, and all have been made.",
    };
    for (const end of ["", "/content", "/preview", "/entries"]) {
      expect(await answerOf(new Recipient().fetch(link(downloadId, end)))).toEqual([410, usedUp]);
    }
    expect(await answerOf(new Recipient().take(downloadId))).toEqual([410, usedUp]);
  });

  it("lets the browser that has its last download go on for an hour", async () => {
    const { downloadId } = await sendLimited(1);
    const recipient = new Recipient();
    await takeAndRead(recipient, downloadId);
    await expect.poll(() => usedOf(downloadId)).toBe(1);
    expect(await (await recipient.content(downloadId)).text()).toBe("the file");
    expect((await recipient.fetch(link(downloadId))).status).toBe(200);
    stopClockAt(Date.now() + 61 * MINUTE);
    expect((await recipient.content(downloadId)).status).toBe(409);
    expect((await recipient.take(downloadId)).status).toBe(410);
    await expect
      .poll(() =>
        rowOf("select end_reason, expires_at <= ? as over from files where download_id = ?", Date.now(), downloadId),
      )
      .toEqual({ end_reason: "downloads", over: 1 });
  });

  it("answers the same download to a browser that takes twice", async () => {
    const { downloadId } = await sendLimited(1);
    const recipient = new Recipient();
    const [, first] = await answerOf(recipient.take(downloadId));
    const [status, second] = await answerOf(recipient.take(downloadId));
    expect([status, second.lease]).toEqual([201, first.lease]);
  });

  it("is busy while all that is left is held, and says until when", async () => {
    const { downloadId } = await sendLimited(1);
    const start = Date.now();
    stopClockAt(start);
    await new Recipient().take(downloadId);
    stopClockAt(start + 5 * MINUTE);
    const response = await new Recipient().take(downloadId);
    expect([response.status, response.headers.get("retry-after"), await response.json()]).toEqual([
      409,
      "600",
      {
        code: "DOWNLOADS_BUSY",
        freeAt: new Date(start + 15 * MINUTE).toISOString(),
        retryAfterSeconds: 600,
        message: "Somebody is downloading this right now. If they do not finish, it is free again in 10 minutes.",
      },
    ]);
    stopClockAt(start + 15 * MINUTE);
    expect((await new Recipient().take(downloadId)).status).toBe(201);
  });

  it("counts a download that broke off at 97 % and went on, once [GRD-14]", async () => {
    const { downloadId } = await sendLimited(1, BYTES);
    const recipient = new Recipient();
    await recipient.take(downloadId);
    const from = Math.floor(0.97 * BYTES.length);
    await readAndLeave(await recipient.content(downloadId), from);
    expect(await usedOf(downloadId)).toBe(0);
    const rest = await recipient.content(downloadId, { range: `bytes=${from}-` });
    expect(rest.status).toBe(206);
    const bytes = new Uint8Array(await rest.arrayBuffer());
    expect(await sha256Of(bytes)).toBe(await sha256Of(BYTES.subarray(from)));
    await expect.poll(() => usedOf(downloadId)).toBe(1);
  });

  it("counts the ranges of a download that come at once, once", async () => {
    const { downloadId } = await sendLimited(2, BYTES);
    const recipient = new Recipient();
    await recipient.take(downloadId);
    const quarter = BYTES.length / 4;
    await Promise.all(
      [0, 1, 2, 3].map(async (n) => {
        const range = `bytes=${n * quarter}-${(n + 1) * quarter - 1}`;
        await (await recipient.content(downloadId, { range })).arrayBuffer();
      }),
    );
    await expect.poll(() => usedOf(downloadId)).toBe(1);
  });

  it("does not count all but the last byte", async () => {
    const { downloadId } = await sendLimited(1, BYTES);
    const recipient = new Recipient();
    const start = Date.now();
    stopClockAt(start);
    await recipient.take(downloadId);
    await (await recipient.content(downloadId, { range: `bytes=0-${BYTES.length - 2}` })).arrayBuffer();
    stopClockAt(start + 15 * MINUTE);
    expect((await recipient.content(downloadId)).status).toBe(409);
    expect(await usedOf(downloadId)).toBe(0);
  });

  it("opens none for 304, 412 and 416", async () => {
    const { downloadId } = await sendLimited(1);
    const recipient = new Recipient();
    await recipient.take(downloadId);
    const headers: Record<string, string>[] = [
      { "if-none-match": "*" },
      { "if-match": '"another"' },
      { range: "bytes=100-" },
    ];
    const statuses = await Promise.all(headers.map(async (each) => (await recipient.content(downloadId, each)).status));
    expect(statuses).toEqual([304, 412, 416]);
    expect(await usedOf(downloadId)).toBe(0);
  });

  it("counts an empty file", async () => {
    const { downloadId } = await sendLimited(1, "");
    expect(await takeAndRead(new Recipient(), downloadId)).toBe("");
    await expect.poll(() => usedOf(downloadId)).toBe(1);
  });

  it("counts a preview that shows all of a file", async () => {
    const { downloadId } = await sendLimited(1);
    const recipient = new Recipient();
    await recipient.take(downloadId);
    expect(await (await recipient.fetch(link(downloadId, "/preview"))).text()).toBe("the file");
    await expect.poll(() => usedOf(downloadId)).toBe(1);
  });

  it("does not count its owner, who needs no download taken [GRD-16]", async () => {
    const { owner, downloadId } = await sendLimited(1);
    expect(await answerOf(owner.post(link(downloadId, "/take"), {}))).toEqual([
      201,
      { lease: null, left: null, until: null },
    ]);
    expect(await (await owner.fetch(link(downloadId, "/content"))).text()).toBe("the file");
    expect(await usedOf(downloadId)).toBe(0);
  });

  it("does not count its owner, who took a download before signing in", async () => {
    const { owner, downloadId } = await sendLimited(1);
    const [, { lease }] = await answerOf(new Recipient().take(downloadId));
    const content = await owner.fetch(link(downloadId, "/content"), { headers: { "mayfly-lease": String(lease) } });
    expect(await content.text()).toBe("the file");
    expect(await usedOf(downloadId)).toBe(0);
  });

  it("serves programs without cookies: by a form's redirect, and by a header", async () => {
    const { downloadId } = await sendLimited(2);
    const response = await new Recipient().fetch(link(downloadId, "/take"), {
      method: "POST",
      body: new URLSearchParams(),
    });
    const location = response.headers.get("location") ?? "";
    expect([response.status, location]).toEqual([303, expect.stringMatching(/\/content\?lease=[\w-]{22}\.[\w-]{43}$/)]);
    expect(await (await new Recipient().fetch(location)).text()).toBe("the file");
    const [, { lease }] = await answerOf(new Recipient().take(downloadId));
    expect(await (await new Recipient().content(downloadId, { "mayfly-lease": String(lease) })).text()).toBe(
      "the file",
    );
    await expect.poll(() => usedOf(downloadId)).toBe(2);
  });

  it("refuses another link's lease, and one that nobody signed", async () => {
    const { downloadId } = await sendLimited(1);
    const other = await sendLimited(1);
    const [, { lease }] = await answerOf(new Recipient().take(other.downloadId));
    for (const token of [String(lease), `${"A".repeat(22)}.${"A".repeat(43)}`, "x"]) {
      expect((await new Recipient().content(downloadId, { "mayfly-lease": token })).status).toBe(409);
    }
  });

  it("tells a page without scripts what was refused", async () => {
    const { downloadId } = await sendLimited(1);
    await new Recipient().take(downloadId);
    const busy = await new Recipient().submit(link(downloadId, "/take"));
    expect([busy.status, busy.headers.get("location")]).toEqual([
      303,
      `/download/${downloadId}?refused=DOWNLOADS_BUSY&wait=900`,
    ]);
    const navigation = await new Recipient().content(downloadId, { "sec-fetch-mode": "navigate" });
    expect([navigation.status, navigation.headers.get("location")]).toEqual([303, `/download/${downloadId}`]);
  });

  it("gives no bytes when its gate does not answer", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    vi.spyOn(console, "warn").mockReturnValue();
    const { downloadId } = await sendLimited(1);
    const recipient = new Recipient();
    const [, { lease }] = await answerOf(recipient.take(downloadId));
    const broken = withMethod(env.GATES, "get", () => {
      throw new Error("Durable Object storage operation exceeded timeout");
    });
    const response = await new Recipient(workerWith({ ...env, GATES: broken })).content(downloadId, {
      "mayfly-lease": String(lease),
    });
    expect([response.status, (await response.json<{ code: string }>()).code]).toEqual([503, "GATE_UNAVAILABLE"]);
    expect(await usedOf(downloadId)).toBe(0);
  });

  it("needs the password first", async () => {
    const { downloadId } = await sendLimited(1, "the file", { guards: { password: "open sesame", maxDownloads: 1 } });
    const recipient = new Recipient();
    expect((await recipient.take(downloadId)).status).toBe(401);
    await recipient.unlock(downloadId, "open sesame");
    expect(await takeAndRead(recipient, downloadId)).toBe("the file");
  });
});

describe("fifty who take three downloads at once", { tags: "long" }, () => {
  it.each(Array.from({ length: 20 }, (_, round) => [round + 1]))("hold three: round %i [GRD-13]", async () => {
    const { downloadId } = await sendLimited(3);
    const takers = Array.from({ length: 50 }, () => new Recipient());
    const taken = await Promise.all(
      takers.map(async (taker) => ({ taker, status: (await taker.take(downloadId)).status })),
    );
    const holders = taken.filter(({ status }) => status === 201);
    expect([holders.length, taken.filter(({ status }) => status === 409).length]).toEqual([3, 47]);
    await Promise.all(holders.map(async ({ taker }) => (await taker.content(downloadId)).text()));
    await expect.poll(() => usedOf(downloadId)).toBe(3);
    expect((await new Recipient().take(downloadId)).status).toBe(410);
  });
});

describe("a transfer with a download limit", () => {
  const FILES = [textFile("a.txt"), textFile("b.txt"), textFile("c.txt")];
  const sendThree = async (maxDownloads: number) => {
    const owner = await signUp();
    return { owner, ...(await sendTransfer(owner, FILES, { guards: { maxDownloads } })) };
  };

  it.each([
    ["the ZIP", "/content"],
    ["a selection", "/content?pick=Aw"],
    ["one file", "/entries/1/content"],
  ])("counts %s as a download [GRD-15]", async (_what, end) => {
    const { downloadId } = await sendThree(1);
    const recipient = new Recipient();
    expect((await recipient.fetch(link(downloadId, end))).status).toBe(409);
    await recipient.take(downloadId);
    expect((await (await recipient.fetch(link(downloadId, end))).arrayBuffer()).byteLength).toBeGreaterThan(0);
    await expect.poll(() => usedOf(downloadId)).toBe(1);
  });

  it("follows a resumed start's new limit, although somebody has taken a download", async () => {
    const owner = await signUp();
    const fingerprint = "a".repeat(64);
    const start = (maxDownloads: number) => startTransfer(owner, FILES, { fingerprint, guards: { maxDownloads } });
    const { downloadId } = await start(5);
    expect((await new Recipient().take(downloadId)).status).toBe(201);
    expect(await start(1)).toMatchObject({ downloadId, guards: { maxDownloads: 1 } });
    expect((await new Recipient().take(downloadId)).status).toBe(409);
  });

  it("counts the files that one browser takes one by one once", async () => {
    const { downloadId } = await sendThree(1);
    const recipient = new Recipient();
    await recipient.take(downloadId);
    for (const n of [0, 1, 2]) {
      expect(await (await recipient.fetch(link(downloadId, `/entries/${n}/content`))).text()).toBe(
        `text of ${["a", "b", "c"][n]}.txt`,
      );
    }
    await expect.poll(() => usedOf(downloadId)).toBe(1);
  });

  it("sends a form on to the file that it names", async () => {
    const { downloadId } = await sendThree(1);
    const response = await new Recipient().submit(link(downloadId, "/take?entry=2"));
    expect(response.headers.get("location")).toMatch(/\/entries\/2\/content\?lease=/);
  });
});
