import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { ProxyUploadAnswer } from "#domain/wire.ts";
import { UploadSession } from "#durable-objects/upload/upload-session.ts";
import { createApp } from "#worker/app.ts";
import { finalize, init, put } from "../support/chunked.ts";
import { namespaceWithEnv } from "../support/durable-objects-with-env.ts";
import { withMethod } from "../support/worker-with-env.ts";
import { putIncoming, Client, contentPath, monthlyUsage, signUp } from "../support/worker.ts";

const EMPTY_SHA256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/** Rejects multipart uploads: S3 completes none without a part. */
const plain = {
  ...env,
  BUCKET: withMethod(env.BUCKET, "createMultipartUpload", () => {
    throw new Error("an empty file has no parts");
  }),
};
plain.UPLOADS = namespaceWithEnv(env.UPLOADS, UploadSession, plain);
const api = createApp();

async function sender(): Promise<Client & { email: string }> {
  const { cookie, email } = await signUp();
  return Object.assign(new Client(cookie, (request) => api.fetch(request, plain)), { email });
}

async function completed(person: Client, downloadId: string): Promise<string> {
  expect((await person.complete(downloadId)).status).toBe(200);
  return downloadId;
}

const TRANSPORTS: [transport: string, send: (person: Client) => Promise<string>][] = [
  [
    "by a presigned PUT",
    async (person) => {
      const { uploadId, downloadId } = await person.startUpload(0);
      await putIncoming(uploadId, "");
      return completed(person, downloadId);
    },
  ],
  ...[new Uint8Array(0), undefined].map((body): (typeof TRANSPORTS)[number] => [
    body ? "as a part through the Worker" : "as a part through the Worker, without a body",
    async (person) => {
      const { downloadId } = await person.startUpload(0);
      const init = { method: "PUT", headers: { "content-length": "0" }, ...(body ? { body } : {}) };
      expect((await person.fetch(`/api/direct-upload/parts/${downloadId}/1`, init)).status).toBe(200);
      return completed(person, downloadId);
    },
  ]),
  [
    "in a form",
    async (person) => {
      const form = new FormData();
      form.set("file", new File([], "empty.txt", { type: "text/plain" }));
      const response = await person.postForm("/api/direct-upload/proxy-upload", form);
      expect(response.status).toBe(200);
      return (await response.json<ProxyUploadAnswer>()).downloadId;
    },
  ],
  [
    "in no chunks",
    async (person) => {
      const { uploadId, downloadId } = await init(person, 0);
      expect((await put(person, uploadId, 0, new Uint8Array(0))).status).toBe(400);
      expect((await finalize(person, uploadId)).status).toBe(200);
      return downloadId;
    },
  ],
];

describe.each(TRANSPORTS)("an empty file, sent %s,", (_transport, send) => {
  it("is stored with one put and downloads as zero bytes", async () => {
    const person = await sender();
    const downloadId = await send(person);
    const visitor = new Client();
    const bytes = await visitor.fetch(contentPath(downloadId));
    expect([bytes.status, bytes.headers.get("content-length"), await bytes.text()]).toEqual([200, "0", ""]);
    const head = await visitor.fetch(contentPath(downloadId), { method: "HEAD" });
    expect([head.status, head.headers.get("content-length")]).toEqual([200, "0"]);
    for (const range of ["bytes=0-", "bytes=0-0", "bytes=-1"]) {
      const part = await visitor.fetch(contentPath(downloadId), { headers: { range } });
      expect([part.status, part.headers.get("content-range")]).toEqual([416, "bytes */0"]);
    }
    const info = await visitor.fetch(`/api/files/download/${downloadId}`);
    expect(await info.json()).toMatchObject({ status: "ready", size: 0, mimeType: "text/plain" });
    expect(await monthlyUsage(person.email)).toEqual({ bytes: 0, transfers: 1 });
  });
});

describe("an empty file in a form", () => {
  it("has a checksum, like every form's file", async () => {
    const person = await signUp();
    const downloadId = await (TRANSPORTS.find(([transport]) => transport === "in a form")?.[1](person) ??
      expect.unreachable());
    const info = await new Client().fetch(`/api/files/download/${downloadId}`);
    expect(await info.json()).toMatchObject({ sha256: EMPTY_SHA256, sha256Source: "server" });
  });

  it("leaves nothing in storage if the form is rejected", async () => {
    const person = await sender();
    const { objects } = await env.BUCKET.list();
    const form = new FormData();
    form.set("file", new File([], "empty.txt"));
    form.set("expiration", "2d");
    expect((await person.postForm("/api/direct-upload/proxy-upload", form)).status).toBe(400);
    expect((await env.BUCKET.list()).objects).toHaveLength(objects.length);
    expect(await monthlyUsage(person.email)).toEqual({ bytes: 0, transfers: 0 });
  });
});
