import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { MAX_REQUEST_BYTES } from "#domain/parts.ts";
import { DAY_MS, HOUR_MS, KIB, MIB } from "#domain/units.ts";
import type { ProxyUploadAnswer } from "#domain/wire.ts";
import { createApp } from "#worker/app.ts";
import {
  Client,
  contentPath,
  monthlyUsage,
  patternBytes,
  putOnPlan,
  sha256Of,
  signUp,
  stopClockAt,
} from "../support/worker.ts";

const PATH = "/api/direct-upload/proxy-upload";

let opened: { key: string; uploadId: string }[] = [];

/** Records opened multipart uploads, which R2 cannot list. */
const bucket = new Proxy(env.BUCKET, {
  get(target, name): unknown {
    const value: unknown = Reflect.get(target, name);
    if (typeof value !== "function") return value;
    if (name !== "createMultipartUpload") return value.bind(target) as unknown;
    return async (...args: Parameters<R2Bucket["createMultipartUpload"]>): Promise<R2MultipartUpload> => {
      const upload = await target.createMultipartUpload(...args);
      opened.push(upload);
      return upload;
    };
  },
});
const watched = { ...env, BUCKET: bucket };
const api = createApp();

async function sender(): Promise<Client & { email: string }> {
  const { cookie, email } = await signUp();
  return Object.assign(new Client(cookie, (request) => api.fetch(request, watched)), { email });
}

beforeEach(() => {
  opened = [];
});

type Entry = [name: string, value: string] | [name: string, file: Uint8Array<ArrayBuffer>, filename: string];

function formOf(entries: Entry[], type = "text/plain"): FormData {
  const form = new FormData();
  for (const [name, value, filename] of entries) {
    if (typeof value === "string") form.append(name, value);
    else form.append(name, new File([value], filename ?? "", { type }));
  }
  return form;
}

/** Checks right after the answer: the platform may stop any work that still runs. */
async function expectNothingLeft(person: { email: string }, objectsBefore: number): Promise<void> {
  for (const { key, uploadId } of opened) {
    const late = env.BUCKET.resumeMultipartUpload(key, uploadId).uploadPart(1, "x");
    await expect(late).rejects.toThrow("10024");
  }
  expect((await env.BUCKET.list()).objects).toHaveLength(objectsBefore);
  expect(await monthlyUsage(person.email)).toEqual({ bytes: 0, transfers: 0 });
}

describe("a file in a form", () => {
  it.each([0, 1, 8 * MIB - 1, 8 * MIB, 8 * MIB + 1, 20 * MIB])(
    "of %i bytes becomes the same file [API-17, HOLD-1, UP-20]",
    async (size) => {
      const person = await sender();
      const bytes = patternBytes(size);
      const form = formOf([
        ["file", bytes, "local.txt"],
        ["expiration", "1d"],
        ["filename", "añejo 🥃.txt"],
      ]);
      const response = await person.postForm(PATH, form);
      const answer = await response.json<ProxyUploadAnswer>();
      expect([response.status, answer]).toEqual([
        200,
        {
          downloadId: expect.stringMatching(/^[\w-]{22}$/) as string,
          originalName: "añejo 🥃.txt",
          downloadUrl: `${env.APP_ORIGIN}${contentPath(answer.downloadId)}`,
          expiresAt: expect.any(String) as string,
        },
      ]);
      const download = await new Client().fetch(answer.downloadUrl);
      expect(download.headers.get("content-type")).toBe("text/plain");
      const sha256 = await sha256Of(bytes);
      expect(await sha256Of(await download.arrayBuffer())).toBe(sha256);
      const info = await new Client().fetch(`/api/files/download/${answer.downloadId}`);
      expect(await info.json()).toMatchObject({ status: "ready", size, sha256, sha256Source: "server" });
      expect(await monthlyUsage(person.email)).toEqual({ bytes: size, transfers: 1 });
    },
  );

  const fields: Entry[] = [
    ["expiration", "6h"],
    ["filename", "named.txt"],
  ];
  it.each([
    { order: "before the file", entries: [...fields, ["file", patternBytes(5), "local.txt"]] as Entry[] },
    { order: "after the file", entries: [["file", patternBytes(5), "local.txt"], ...fields] as Entry[] },
    { order: "around it", entries: [fields[0], ["file", patternBytes(5), "local.txt"], fields[1]] as Entry[] },
  ])("is read with its fields $order [API-17]", async ({ entries }) => {
    const person = await sender();
    const now = Date.now();
    stopClockAt(now);
    const answer = await (await person.postForm(PATH, formOf(entries))).json();
    const expiresAt = new Date(now + 6 * HOUR_MS).toISOString();
    expect(answer).toMatchObject({ originalName: "named.txt", expiresAt });
  });

  it("without fields has its own name and expires in three days", async () => {
    const person = await sender();
    const now = Date.now();
    stopClockAt(now);
    const answer = await (await person.postForm(PATH, formOf([["file", patternBytes(5), "own.txt"]]))).json();
    const expiresAt = new Date(now + 3 * DAY_MS).toISOString();
    expect(answer).toMatchObject({ originalName: "own.txt", expiresAt });
  });

  it("that never expires has null for expiresAt", async () => {
    const person = await sender();
    await putOnPlan(person.email, "ultimate");
    const form = formOf([
      ["file", patternBytes(5), "own.txt"],
      ["expiration", "never"],
    ]);
    expect(await (await person.postForm(PATH, form)).json()).toMatchObject({ expiresAt: null });
  });
});

describe("a form is rejected, and leaves nothing in storage or in the quota,", () => {
  const file: Entry = ["file", patternBytes(9 * MIB), "a.txt"];
  it.each([
    { fault: "with no file", entries: [["expiration", "1d"]], status: 400 },
    { fault: "with text for a file", entries: [["file", "hello"]], status: 400 },
    { fault: "with two files", entries: [file, ["file", patternBytes(5), "b.txt"]], status: 400 },
    { fault: "with an unknown expiration", entries: [file, ["expiration", "2d"]], status: 400 },
    { fault: "with a path for a name", entries: [file, ["filename", "../a.txt"]], status: 400 },
    { fault: "with an empty name", entries: [file, ["filename", ""]], status: 400 },
    { fault: "with an end that the plan lacks", entries: [["expiration", "7d"], file], status: 403 },
  ] as { fault: string; entries: Entry[]; status: number }[])("$fault: $status", async ({ entries, status }) => {
    const person = await sender();
    const { objects } = await env.BUCKET.list();
    const response = await person.postForm(PATH, formOf(entries));
    expect([response.status, await response.json()]).toMatchObject([status, { message: expect.any(String) as string }]);
    await expectNothingLeft(person, objects.length);
  });

  it("when the monthly quota is used up", async () => {
    const person = await sender();
    await env.DB.prepare("update users set monthly_transfer_count = 20 where email = ?").bind(person.email).run();
    const { objects } = await env.BUCKET.list();
    const response = await person.postForm(PATH, formOf([file]));
    expect([response.status, await response.json()]).toMatchObject([403, { planLimitExceeded: true }]);
    await env.DB.prepare("update users set monthly_transfer_count = 0 where email = ?").bind(person.email).run();
    await expectNothingLeft(person, objects.length);
    expect(opened).toHaveLength(1);
  });

  it.each([
    { broken: "in the middle of its file", keep: 8 * MIB + 100 },
    { broken: "after its file, before its last boundary", keep: -30 },
  ])("broken off $broken", async ({ keep }) => {
    const person = await sender();
    const { objects } = await env.BUCKET.list();
    const encoded = new Response(formOf([file, ["expiration", "1d"]]));
    const body = (await encoded.arrayBuffer()).slice(0, keep);
    const response = await person.fetch(PATH, { method: "POST", headers: encoded.headers, body });
    expect([response.status, await response.json()]).toMatchObject([400, { code: "BAD_REQUEST" }]);
    await expectNothingLeft(person, objects.length);
  });

  it("when the connection breaks within the file", async () => {
    const person = await sender();
    const { objects } = await env.BUCKET.list();
    const encoded = new Response(formOf([file]));
    const bytes = new Uint8Array(await encoded.arrayBuffer()).subarray(0, 8 * MIB + 100);
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (opened.length === 0) controller.enqueue(bytes);
        else controller.error(new Error("the line broke"));
      },
    });
    const response = await person.fetch(PATH, { method: "POST", headers: encoded.headers, body });
    expect(response.status).toBe(400);
    await expectNothingLeft(person, objects.length);
  });

  it.each([
    ["application/json", 415],
    ["multipart/form-data", 415],
    ["", 415],
  ])("sent as %j: %i", async (type, status) => {
    const person = await sender();
    const response = await person.fetch(PATH, { method: "POST", headers: { "content-type": type }, body: "{}" });
    expect(response.status).toBe(status);
    expect(opened).toEqual([]);
  });

  it("with a Content-Length above the limit: 413, before its body is read", async () => {
    const person = await sender();
    const headers = {
      "content-type": "multipart/form-data; boundary=x",
      "content-length": String(MAX_REQUEST_BYTES + 16 * KIB + 1),
    };
    const response = await person.fetch(PATH, { method: "POST", headers, body: "--x--" });
    expect([response.status, await response.json()]).toMatchObject([413, { code: "BODY_TOO_LARGE" }]);
    expect(opened).toEqual([]);
  });

  it("without an account: 401", async () => {
    const response = await new Client("", (request) => api.fetch(request, watched)).postForm(PATH, formOf([file]));
    expect([response.status, await response.json()]).toMatchObject([401, { requiresAuth: true }]);
    expect(opened).toEqual([]);
  });
});
