import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { JSON_BODY_MAX_BYTES } from "#worker/api/input.ts";
import { Client, signUp } from "../support/worker.ts";

const visitor = new Client();
let person = visitor;

beforeAll(async () => {
  person = await signUp();
});

const BODIES = [
  "/api/direct-upload/presigned-url",
  "/api/direct-upload/sign-parts",
  "/api/direct-upload/complete",
  "/api/direct-upload/cancel",
  "/api/auth/login",
  "/api/auth/register",
  "/api/auth/reset-password",
  "/api/auth/resend-verification",
  "/api/auth/change-email",
  "/api/auth/change-password",
  "/api/contact",
];

/** Errors are `{message, code}` and reveal nothing internal. */
async function expectRefusal(response: Response, status: number, code?: string): Promise<void> {
  const text = await response.text();
  expect([response.status, text]).toEqual([status, text]);
  expect(response.headers.get("content-type")).toMatch(/^application\/json/);
  const body = JSON.parse(text) as Record<string, unknown>;
  expect(body).toMatchObject({
    message: expect.stringMatching(/\S/) as string,
    code: code ?? (expect.stringMatching(/^[A-Z_]+$/) as string),
  });
  expect(text).not.toMatch(/\bat .*\.[jt]s\b|\bstack\b|SQLITE|D1_ERROR|drizzle|select .* from|insert into|ZodError/i);
}

function send(path: string, body: BodyInit, headers: Record<string, string> = {}): Promise<Response> {
  return person.fetch(path, { method: "POST", body, headers: { "content-type": "application/json", ...headers } });
}

it("a form sent to a page without an action is rejected", async () => {
  const response = await visitor.fetch("/pricing", { method: "POST", body: new FormData() });
  expect(response.status).toBe(405);
  expect(await response.text()).toContain("This request could not be understood.");
});

describe.each(BODIES)("POST %s", (path) => {
  it.each(["", "{", "{'a':1}", "undefined", '{"a":1}}', "\u0000", new Uint8Array([0x22, 0xff, 0xfe, 0x22])])(
    "answers 400 to invalid JSON: %j",
    async (body) => {
      await expectRefusal(await send(path, body), 400, "BAD_JSON");
    },
  );

  it.each(["null", "[]", "7", '"text"', "true", "{}", `${"[".repeat(20_000)}${"]".repeat(20_000)}`])(
    "answers 400 to JSON of the wrong shape (no. %#)",
    async (body) => {
      await expectRefusal(await send(path, body), 400, "BAD_REQUEST");
    },
  );

  it.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/jsonp",
    "",
  ])("answers 415 to a body of type %j", async (type) => {
    await expectRefusal(await send(path, "{}", { "content-type": type }), 415, "UNSUPPORTED_MEDIA_TYPE");
  });

  it("answers 413 to one byte over the limit, with or without Content-Length", async () => {
    const body = (bytes: number) => `"${"x".repeat(bytes - 2)}"`;
    const maxBytes = JSON_BODY_MAX_BYTES;
    await expectRefusal(await send(path, body(maxBytes)), 400, "BAD_REQUEST");
    await expectRefusal(await send(path, body(maxBytes + 1)), 413, "BODY_TOO_LARGE");
    const streamed = new Blob([body(maxBytes + 1)]).stream();
    await expectRefusal(await send(path, streamed), 413, "BODY_TOO_LARGE");
  });

  it.each(["https://evil.example", "null", `${env.APP_ORIGIN}.evil.example`, env.APP_ORIGIN.replace("http", "https")])(
    "rejects requests from %s",
    async (origin) => {
      await expectRefusal(await send(path, "{}", { origin }), 403, "CROSS_SITE");
    },
  );

  it("accepts requests from its own pages", async () => {
    await expectRefusal(await send(path, "{}", { origin: env.APP_ORIGIN }), 400, "BAD_REQUEST");
  });
});

describe("another site", () => {
  it("another site can neither delete a file nor log a user out", async () => {
    const { uploadId, downloadId } = await person.startUpload(5);
    const headers = { origin: "https://evil.example" };
    const sessions = await person.fetch("/api/auth/sessions", { method: "DELETE", headers });
    await expectRefusal(sessions, 403, "CROSS_SITE");
    await expectRefusal(await person.fetch(`/api/files/${uploadId}`, { method: "DELETE", headers }), 403, "CROSS_SITE");
    await expectRefusal(await send("/api/auth/logout", "{}", headers), 403, "CROSS_SITE");
    await expectRefusal(await send("/api/direct-upload/cancel", JSON.stringify({ downloadId }), headers), 403);
    expect(await (await person.fetch("/api/auth/me")).json()).not.toBeNull();
    expect(await (await visitor.fetch(`/api/files/download/${downloadId}`)).json()).toMatchObject({
      status: "uploading",
    });
  });
});

describe("unknown URLs", () => {
  it("/api is 404, and with PUT the name of a file", async () => {
    for (const method of ["GET", "POST", "DELETE", "PATCH", "OPTIONS"]) {
      await expectRefusal(await person.fetch("/api", { method }), 404);
    }
    const headers = { accept: "application/json" };
    await expectRefusal(await person.fetch("/api", { method: "PUT", headers }), 401, "KEY_MISSING");
  });

  it.each([
    "/api/",
    "/api/nothing",
    "/api/files/some-id/nothing",
    "/api/files/a/b/c/d",
    "/api/%00",
    "/api/auth",
    "/api/.",
  ])("%s is 404", async (path) => {
    for (const method of ["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"]) {
      await expectRefusal(await person.fetch(path, { method }), 404);
    }
  });

  it.each([
    ["PUT", "/api/files"],
    ["POST", "/api/files"],
    ["PUT", "/api/files/some-id"],
    ["GET", "/api/direct-upload/presigned-url"],
    ["DELETE", "/api/direct-upload/complete"],
    ["POST", "/api/files/download/AAAAAAAAAAAAAAAAAAAAAA"],
    ["DELETE", "/api/files/download/AAAAAAAAAAAAAAAAAAAAAA/content"],
    ["GET", "/api/auth/login"],
    ["PUT", "/api/auth/me"],
  ])("%s %s is 404", async (method, path) => {
    const response = await person.fetch(path, { method });
    expect([404, 405]).toContain(response.status);
    await expectRefusal(response, response.status);
  });

  const IDS = ["x", "%00", "%E0%A4%A", "'--", "a".repeat(3000), "%F0%9F%92%A5", "..%2F..%2Fusers", "null", "-1", "*"];

  it.each(IDS)("no file has the id %j", async (id) => {
    await expectRefusal(await visitor.fetch(`/api/files/download/${id}`), 404);
    await expectRefusal(await visitor.fetch(`/api/files/download/${id}/content`), 404);
    await expectRefusal(await person.fetch(`/api/files/${id}`, { method: "DELETE" }), 404);
    await expectRefusal(await visitor.fetch(`/ws?id=${id}`, { headers: { upgrade: "websocket" } }), 404);
  });

  it.each([...IDS, "", 7, null, {}, [], true])("%j is not a valid upload id: 400", async (downloadId) => {
    for (const call of ["complete", "cancel", "sign-parts"]) {
      const response = await person.post(`/api/direct-upload/${call}`, { downloadId, parts: [] });
      await expectRefusal(response, 400, "BAD_REQUEST");
    }
  });

  it("/ws without an upgrade answers that a WebSocket is required", async () => {
    await expectRefusal(await visitor.fetch("/ws?id=AAAAAAAAAAAAAAAAAAAAAA"), 426, "UPGRADE_REQUIRED");
  });
});

describe("signing parts", () => {
  it.each([
    ["part 0", { parts: [0] }],
    ["part -1", { parts: [-1] }],
    ["half a part", { parts: [1.5] }],
    ["a part in words", { parts: ["1"] }],
    ["101 parts at once", { parts: Array.from({ length: 101 }, (_, index) => index + 1) }],
    ["part 10,001", { parts: [10_001] }],
    ["a part the file does not have", { parts: [4] }],
    ["a receipt for a part it does not have", { parts: [], receipts: [{ part: 4, etag: "abc" }] }],
    ["a receipt without an ETag", { parts: [], receipts: [{ part: 1 }] }],
    ["a receipt with a strange ETag", { parts: [], receipts: [{ part: 1, etag: "<a>" }] }],
    ["201 receipts", { parts: [], receipts: Array.from({ length: 201 }, () => ({ part: 1, etag: "abc" })) }],
  ])("rejects %s: 400 [VAL-14]", async (_what, request) => {
    const { downloadId } = await person.startUpload(16 * 1024 * 1024 + 1);
    await expectRefusal(await person.post("/api/direct-upload/sign-parts", { downloadId, ...request }), 400);
    await person.post("/api/direct-upload/cancel", { downloadId });
  });
});

describe("the language of errors", () => {
  const login = (body: unknown, headers: Record<string, string>) =>
    send("/api/auth/login", JSON.stringify(body), headers).then((response) => response.json());

  it("errors of codes and fields are in the requested language", async () => {
    const german = { "accept-language": "de-AT, en;q=0.5" };
    expect(await login({ email: "nobody@example.com", password: "123456" }, german)).toEqual({
      message: "Die E-Mail-Adresse oder das Passwort ist falsch.",
      code: "INVALID_CREDENTIALS",
    });
    expect(await login({ email: "nobody", password: "123456" }, german)).toEqual({
      message: "Bitte gib eine gültige E-Mail-Adresse ein",
      code: "BAD_REQUEST",
      field: "email",
      received: ["email", "password"],
    });
  });

  it("errors are in English by default", async () => {
    const english = { message: "Please enter a valid email address" };
    expect(await login({ email: "nobody", password: "123456" }, {})).toMatchObject(english);
    expect(await login({ email: "nobody", password: "123456" }, { "accept-language": "fr" })).toMatchObject(english);
  });
});
