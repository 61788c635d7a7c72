import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { MAX_CHUNK_BYTES, MAX_REQUEST_BYTES } from "#domain/parts.ts";
import { formatBytes, KIB, MIB } from "#domain/units.ts";
import { countedBody, countingBucket } from "../support/bodies.ts";
import { createAccountFixture, type AccountFixture } from "../support/account-fixture.ts";
import { requestFor, ROUTES } from "../support/routes.ts";
import { workerWith } from "../support/worker-with-env.ts";
import { stripeEnv } from "../support/stripe.ts";
import { startTransfer } from "../support/transfers.ts";
import { makeKey } from "../support/v1.ts";
import { Client, logInAdmin, patternBytes, putOnPlan, signUp } from "../support/worker.ts";

let fixture: AccountFixture;
let root: Client;
let program: Client;

beforeAll(async () => {
  [fixture, root] = [await createAccountFixture(), await logInAdmin()];
  const { key } = await makeKey(fixture.owner);
  program = new Client("", (request) => {
    request.headers.set("authorization", `Bearer ${key}`);
    return workerWith(env)(request);
  });
});

function whoMayCall(key: string): Client {
  const who = ROUTES[key]?.who;
  return who === "administrator" ? root : who === "anybody" ? new Client() : fixture.owner;
}

describe("a request body", () => {
  const withJson = Object.entries(ROUTES).filter(([, { schema }]) => schema !== undefined);
  const maxKilobytes: Record<string, number> = {
    "POST /api/content": 320,
    "POST /api/content/preview": 320,
    "PUT /api/content/:id": 320,
    "POST /api/admin/block-list": 20_480,
    "PUT /api/files/:id/manifest": 1440,
    "POST /api/transfers": 1696,
    "POST /api/requests/by-link/:token/transfers": 256,
    "POST /api/transfers/:downloadId/batch": 256,
    "POST /api/v1/transfers": 1696,
    "POST /api/v1/transfers/:id/files": 256,
    "PUT /api/v1/uploads/:id/manifest": 1440,
  };

  it.each(withJson.map(([key]) => key))(
    "a JSON body that is too large is 413 with a clear message: %s",
    async (key) => {
      const { path, init } = requestFor(key, fixture);
      const maxBytes = (maxKilobytes[key] ?? 64) * KIB;
      const caller = ROUTES[key]?.limit === "needs a key" ? program : whoMayCall(key);
      const send = (body: BodyInit, headers: Record<string, string> = {}) =>
        caller.fetch(path, { ...init, body, headers: { "content-type": "application/json", ...headers } });
      const padded = `{"padding":"${"x".repeat(maxBytes)}"}`;
      const announced = countedBody(new TextEncoder().encode(padded));
      const responses = [
        await send(padded),
        await send(new Blob([padded]).stream()),
        await send(announced.stream, { "content-length": String(padded.length) }),
      ];
      // The rest is read behind the words, so that the sender hears them.
      expect(announced.readBytes()).toBeLessThanOrEqual(64 * KIB);
      for (const response of responses) {
        expect(response.status).toBe(413);
        expect(await response.json()).toMatchObject({
          code: "BODY_TOO_LARGE",
          message: `This request may hold at most ${formatBytes(maxBytes)}.`,
        });
      }
    },
  );

  it("a Stripe event has at most a megabyte", async () => {
    const stripe = new Client("", workerWith(stripeEnv));
    const body = "x".repeat(MIB + 1);
    const response = await stripe.fetch("/api/stripe/webhook", {
      method: "POST",
      body,
      headers: { "stripe-signature": "t=1,v1=00" },
    });
    expect(response.status).toBe(413);
  });

  /** Uploads through the Worker and their limits. The platform allows 100 MB per request. */
  const TRANSPORTS = [
    { transport: "a part", maxBytes: 8 * MIB, path: (id: string) => `/api/direct-upload/parts/${id}/1`, method: "PUT" },
    {
      transport: "a part of a transfer",
      maxBytes: 8 * MIB,
      path: (_: string, transfer: string) => `/api/transfers/${transfer}/objects/0/1`,
      method: "PUT",
    },
    { transport: "a form", maxBytes: MAX_REQUEST_BYTES, path: () => "/api/direct-upload/proxy-upload", method: "POST" },
    { transport: "a chunk", maxBytes: MAX_CHUNK_BYTES, path: () => "/api/chunked-upload/chunk", method: "POST" },
  ];

  it.each(TRANSPORTS)(
    "$transport with a Content-Length over the limit is 413 before it is read [HOLD-14]",
    async ({ maxBytes, path, method }) => {
      const person = await signUp();
      await putOnPlan(person.email, "ultimate");
      const { downloadId } = await person.startUpload(40 * MIB);
      const transfer = await startTransfer(person, [], {
        totals: { entries: 1, bytes: 40 * MIB },
        entries: { from: 0, list: [["large.bin", 40 * MIB, 0]] },
        open: [{ object: 0, runs: [[0, 1]] }],
      });
      expect(maxBytes).toBeLessThanOrEqual(100_000_000);
      const { stream, readBytes } = countedBody(new Uint8Array(MIB));
      const headers = {
        "content-type": "multipart/form-data; boundary=x",
        "content-length": String(maxBytes + 64 * KIB),
      };
      const response = await person.fetch(path(downloadId, transfer.downloadId), { method, body: stream, headers });
      // The rest is read behind the words.
      expect(readBytes()).toBeLessThanOrEqual(64 * KIB);
      expect([response.status, await response.json()]).toMatchObject([413, { message: expect.any(String) as string }]);
    },
  );

  it("a long form is read only as fast as its parts are stored [HOLD-14]", async () => {
    const bytes = { maxHeld: 0, sent: 0, stored: 0 };
    const bucket = countingBucket((storedBytes) => {
      bytes.stored += storedBytes;
    });
    const person = await signUp();
    const sender = new Client(person.cookie, workerWith({ ...env, BUCKET: bucket }));
    const head = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.bin"\r\n\r\n';
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (bytes.sent === 0) controller.enqueue(new TextEncoder().encode(head));
        if (bytes.sent >= 40 * MIB) {
          controller.enqueue(new TextEncoder().encode("\r\n--x--\r\n"));
          controller.close();
          return;
        }
        controller.enqueue(patternBytes(MIB));
        bytes.sent += MIB;
        bytes.maxHeld = Math.max(bytes.maxHeld, bytes.sent - bytes.stored);
      },
    });
    const response = await sender.fetch("/api/direct-upload/proxy-upload", {
      method: "POST",
      body,
      headers: { "content-type": "multipart/form-data; boundary=x" },
    });
    expect(response.status).toBe(200);
    // One part of 8 MiB and the streams' buffers; a Worker has 128 MB of memory.
    expect(bytes.maxHeld).toBeLessThanOrEqual(12 * MIB);
  });
});
