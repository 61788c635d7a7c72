import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { browserPorts } from "#app/features/upload/browser/browser-ports.ts";
import { chunkedUpload } from "#app/features/upload/browser/chunked-upload.ts";
import { messageFor } from "#app/features/upload/upload-error-messages.ts";
import { DirectUpload } from "#engine/direct-upload.ts";
import { UploadError } from "#engine/errors.ts";
import { translatorFor } from "#messages/compiled.ts";
import { file, listOf, send, TransferServer, unreadable } from "./transfer-server.ts";

const t = translatorFor("en", "uploads");
let server: TransferServer;
beforeEach(() => {
  server = new TransferServer();
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** Three files, of which the second cannot be read. */
async function sendWithProblem() {
  const sending = send(listOf(file("a"), unreadable("b"), file("c")));
  await sending.started;
  await vi.waitFor(() => {
    expect([0, 1, 2].map((n) => sending.upload.entries.state(n))).toEqual(["stored", "unreadable", "stored"]);
  });
  return sending;
}

const largestTotals = () => ({
  entries: Math.max(...server.batches.map(({ totals }) => totals?.entries ?? 0)),
  bytes: Math.max(...server.batches.map(({ totals }) => totals?.bytes ?? 0)),
});

describe("a file that is sent again", () => {
  it("counts once, and takes the place of the first in one call [TRF-59]", async () => {
    const { upload, run } = await sendWithProblem();
    upload.retry(1, file("b", 12));
    expect((await run).entries).toBe(3);
    expect(server.paths).toEqual(["a", "c", "b"]);
    expect(server.batches.find(({ remove }) => remove?.includes(1))).toMatchObject({
      remove: [1],
      entries: { from: 3, list: [["b", 12, expect.any(Number)]] },
    });
    expect(largestTotals()).toEqual({ entries: 3, bytes: 32 });
  });

  it("stays with the server's words when it is refused, and the others go on [TRF-47]", async () => {
    const { upload, run } = await sendWithProblem();
    server.refuse = ({ remove }) => (remove.includes(1) ? "Too large for this month." : null);
    upload.retry(1, file("b", 12));
    await vi.waitFor(() => {
      expect(upload.entries.reason(1)?.message).toBe("Too large for this month.");
    });
    expect([upload.entries.state(1), upload.canReload(1)]).toEqual(["changed", true]);
    expect((await upload.add(listOf(file("d")))).map(({ path }) => path)).toEqual(["d"]);
    server.refuse = () => null;
    upload.retry(1);
    expect((await run).entries).toBe(4);
    expect(server.paths).toEqual(["a", "c", "d", "b"]);
  });

  it("is not held up by another that is refused", async () => {
    const { upload, run } = send(listOf(unreadable("a"), unreadable("b"), unreadable("c")));
    await vi.waitFor(() => {
      expect(upload.entries.count("unreadable")).toBe(3);
    });
    server.refuse = ({ entries }) => (entries?.list.some(([path]) => path === "b") ? "No." : null);
    for (const [n, name] of ["a", "b", "c"].entries()) upload.retry(n, file(name));
    await vi.waitFor(() => {
      expect([0, 1, 2].map((n) => upload.entries.state(n))).toEqual(["removed", "changed", "removed"]);
    });
    upload.remove(1);
    expect((await run).entries).toBe(2);
  });

  it("is removed when the person removes it while it is announced", async () => {
    const { upload, run } = await sendWithProblem();
    upload.retry(1, file("b", 12));
    upload.remove(1);
    expect((await run).entries).toBe(2);
    expect(server.paths).toEqual(["a", "c"]);
  });
});

describe("an addition", () => {
  it("that is refused adds nothing and ends nothing [TRF-53]", async () => {
    const { upload, run } = await sendWithProblem();
    const many = Array.from({ length: 501 }, (_, n) => file(`d${n}`, 0));
    server.refuse = ({ entries }) => (entries?.list.some(([path]) => path === "d500") ? "Too many." : null);
    await expect(upload.add(listOf(...many))).rejects.toThrow("Too many.");
    upload.remove(1);
    expect((await run).entries).toBe(2);
    expect(server.paths).toEqual(["a", "c"]);
  });

  it("ends with the transfer when a removal before it is refused", async () => {
    const { upload, run } = await sendWithProblem();
    server.refuse = ({ remove }) => (remove.length > 0 ? "Not on this plan." : null);
    upload.remove(0);
    const added = upload.add(listOf(file("d"))).catch((reason: unknown) => reason);
    await expect(run).rejects.toThrow("Not on this plan.");
    expect(await added).toBeInstanceOf(UploadError);
  });

  it("follows the one before, leaves out what that has brought, and tells the paths [TRF-53]", async () => {
    const { upload, run } = await sendWithProblem();
    const other = new File([new Uint8Array(20)], "d");
    const [first, second, third] = await Promise.all([
      upload.add(listOf(file("d"), file("empty", 0))),
      upload.add(listOf(file("d"))),
      upload.add(listOf(other)),
    ]);
    expect([first, second, third].map((added) => added.map(({ path }) => path))).toEqual([
      ["d", "empty"],
      [],
      ["d (2)"],
    ]);
    upload.remove(1);
    expect((await run).entries).toBe(5);
  });

  it("waits for the start, and says so in words when that fails", async () => {
    server.failing.set("POST /api/transfers", 409);
    const { upload, run } = send(listOf(file("a")));
    const added = upload.add(listOf(file("b")));
    const error: unknown = await added.catch((reason: unknown) => reason);
    expect(messageFor(error, t, "")).toBe(
      "The upload has stopped, so these files were not added. Add them again when it goes on.",
    );
    await expect(run).rejects.toThrow("Not now.");
  });
});

describe("a removal that the server has not heard of", () => {
  it("is made when the transfer goes on in another tab [TRF-46]", async () => {
    const list = listOf(file("a"), unreadable("b"), file("c"));
    const first = send(list);
    await first.started;
    await vi.waitFor(() => {
      expect(first.upload.entries.state(0)).toBe("stored");
    });
    server.failing.set("POST /api/transfers/link/batch", 409);
    first.upload.remove(0);
    await expect(first.run).rejects.toThrow("Not now.");
    server.failing.clear();

    const second = send(listOf(file("a"), file("b"), file("c")));
    expect((await second.run).entries).toBe(2);
    expect(server.paths).toEqual(["b", "c"]);
    expect([...server.kept]).toEqual([]);
  });

  it("is made when the person removed it before the server had answered", async () => {
    const first = send(listOf(file("a"), unreadable("b")));
    await first.started;
    server.failing.set("POST /api/transfers/link/batch", 409);
    first.upload.remove(1);
    await expect(first.run).rejects.toThrow("Not now.");
    server.failing.clear();
    server.kept.clear();

    const gate = Promise.withResolvers<undefined>();
    server.beforeStart = gate.promise;
    const second = send(listOf(file("a"), file("b")));
    second.upload.remove(1);
    gate.resolve(undefined);
    expect((await second.run).entries).toBe(1);
    expect(server.paths).toEqual(["a"]);
  });
});

describe("a cancel before the server has answered the start", () => {
  const options = { expiration: "1d", expirationChosen: false } as const;
  const events = {
    onStarted: () => undefined,
    onProgress: () => undefined,
    onTransport: () => undefined,
    onParts: () => undefined,
    onChunk: () => undefined,
    onFinishing: () => undefined,
  };

  it.each([
    { what: "many files", start: () => send(listOf(file("a"))), call: "POST /api/transfers" },
    {
      what: "a file",
      start: () => {
        const upload = new DirectUpload(browserPorts, file("a"), options, events);
        return { upload, run: upload.run() };
      },
      call: "POST /api/direct-upload/presigned-url",
    },
    {
      what: "a file in chunks",
      start: () => {
        const upload = chunkedUpload(file("a"), options, events);
        return { upload, run: upload.run() };
      },
      call: "POST /api/chunked-upload/init",
    },
  ])("cancels the upload of $what there once it has", async ({ start, call }) => {
    const gate = Promise.withResolvers<undefined>();
    const started = Promise.withResolvers<undefined>();
    const cancelled: unknown[] = [];
    vi.stubGlobal("fetch", async (path: string, { method, body }: { method: string; body: string }) => {
      if (`${method} ${path}` === call) {
        started.resolve(undefined);
        await gate.promise;
        const urls = { urls: [], received: [], chunkSize: 1, nextChunk: 0 };
        return Response.json({ uploadId: "file", downloadId: "link", shareUrl: "/d/link", resumed: false, ...urls });
      }
      cancelled.push([path, JSON.parse(body)]);
      return Response.json({});
    });
    const { upload, run } = start();
    await started.promise;
    upload.cancel();
    gate.resolve(undefined);
    await expect(run).rejects.toThrow(expect.objectContaining({ name: "AbortError" }));
    expect(cancelled).toMatchObject([["/api/direct-upload/cancel", { downloadId: "link" }]]);
  });
});
