import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { adminApi } from "#app/features/admin/admin-api.ts";
import { filesApi } from "#app/features/files/files-api.ts";
import { browserCalls } from "#app/features/upload/browser/browser-ports.ts";
import { api, ApiError, call } from "#app/lib/api.ts";
import { saveMessages } from "#app/lib/i18n/messages.ts";
import { compiledGroup } from "#messages/compiled.ts";

const sessions = () => call("GET /api/auth/sessions");

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

let answer: Handler = (_request, response) => response.end();
const server = createServer((request, response) => {
  answer(request, response);
});
const originalFetch = globalThis.fetch;

beforeAll(async () => {
  saveMessages({
    locale: "en",
    groups: { common: compiledGroup("en", "common"), signIn: compiledGroup("en", "signIn") },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  // In a browser, fetch resolves paths against the page's address.
  globalThis.fetch = (input, init) =>
    originalFetch(typeof input === "string" ? `http://127.0.0.1:${port}${input}` : input, init);
});

afterAll(() => {
  globalThis.fetch = originalFetch;
  server.closeAllConnections();
  server.close();
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  answer = (_request, response) => response.end();
});

function answerWith(status: number, body: string, type = "application/json", statusText?: string): void {
  answer = (request, response) => {
    request.resume();
    response.writeHead(status, statusText ?? "", type ? { "content-type": type } : {});
    response.end(body);
  };
}

async function failureOf(call: Promise<unknown>): Promise<ApiError> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof ApiError) return error;
  throw new Error("the call did not fail with an ApiError", { cause: error });
}

const LOGIN = { email: "a@example.com", password: "123456", rememberMe: false };

describe("the error message of a failed API call [API-1, ERR-1, ERR-2, ERR-3, ERR-4, ERR-5, ERR-6]", () => {
  it.each([
    ["the body's message", { message: "M", details: "D", error: "E" }, "M"],
    ["else its details", { details: "D", error: "E" }, "D"],
    ["else its error", { error: "E" }, "E"],
    ["an empty message is none", { message: "", error: "E" }, "E"],
    ["a message that is no text is none", { message: { a: 1 }, details: "D" }, "D"],
    ["else the status and the body", { reason: "R" }, '400: {"reason":"R"}'],
    ["an empty object too", {}, "400: {}"],
  ])("%s", async (_case, body, message) => {
    answerWith(400, JSON.stringify(body));
    const error = await failureOf(sessions());
    expect(error).toMatchObject({ status: 400, message, body });
  });

  it.each([
    ["the text, if it is not JSON", "Out of order", "text/plain", "Oops", "Out of order"],
    ["the text, if it is invalid JSON", "{nonsense", "application/json", "Oops", "{nonsense"],
    ["the text, if it has no type", "Out of order", "", "Oops", "Out of order"],
    ["the status text, if the body is empty", "", "text/plain", "Gone fishing", "Gone fishing"],
    ["the status text, if body and type are missing", "", "", "Gone fishing", "Gone fishing"],
    ["'Unknown Error', if there is no text at all", "", "text/plain", "", "Unknown Error"],
  ])("%s", async (_case, body, type, statusText, message) => {
    answer = (_request, response) => {
      // Written by hand, because Node adds a status text where none is given.
      const head = type ? `content-type: ${type}\r\n` : "";
      response.socket?.end(
        `HTTP/1.1 502 ${statusText}\r\n${head}content-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
      );
    };
    expect(await failureOf(sessions())).toMatchObject({ status: 502, message, body: {} });
  });

  it.each(["application/problem+json", "application/json; charset=utf-8"])(
    "a body of type %s is parsed as JSON",
    async (type) => {
      answerWith(422, '{"message":"M","code":"C"}', type);
      expect(await failureOf(sessions())).toMatchObject({ message: "M", body: { code: "C" } });
    },
  );

  it.each(["application/json", "text/plain"])("a 401 from the login asks to check the password (%s)", async (type) => {
    answerWith(401, '{"message":"whatever"}', type);
    expect(await failureOf(call("POST /api/auth/login", { body: LOGIN }))).toMatchObject({
      status: 401,
      message: "The password you entered is incorrect. Please try again or use the Forgot Password link.",
    });
  });

  it("a 401 of a locked link is the server's message", async () => {
    answerWith(401, '{"code":"LINK_LOCKED","message":"This link is protected with a password."}');
    expect(await failureOf(api.downloadInfo("abc"))).toMatchObject({
      status: 401,
      message: "This link is protected with a password.",
    });
  });

  it.each(["application/json", "text/plain"])("any other 401 asks to log in (%s)", async (type) => {
    answerWith(401, '{"message":"whatever"}', type);
    for (const send of [
      () => sessions(),
      () => filesApi.deleteFile("x"),
      () => call("POST /api/auth/change-password", { body: { ...PASSWORDS } }),
    ]) {
      expect((await failureOf(send())).message).toBe("You need to log in to access this feature.");
    }
  });

  it.each([
    [401, "Unauthorized", "Authentication required. Please log in."],
    [500, "Broken", "500: Broken"],
    [500, "", "500: Unknown Error"],
  ])("a %d %j whose body cannot be read: %s", async (status, statusText, message) => {
    answer = (_request, response) => {
      response.socket?.end(
        `HTTP/1.1 ${status} ${statusText}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"mess`,
      );
    };
    expect(await failureOf(sessions())).toMatchObject({ status, message });
  });
});

const PASSWORDS = { currentPassword: "123456", newPassword: "654321" };

describe("a call", () => {
  it("returns a JSON answer, and null for anything else [API-2]", async () => {
    answerWith(200, '[{"id":"a"}]');
    expect(await sessions()).toEqual([{ id: "a" }]);
    answerWith(200, "fine", "text/plain");
    expect(await api.me()).toBeNull();
    answerWith(200, "null");
    expect(await api.me()).toBeNull();
  });

  it("reads a 401 as signed out, and throws any other error when asking who is signed in", async () => {
    for (const type of ["application/json", "text/plain"]) {
      answerWith(401, '{"message":"whatever"}', type);
      expect(await api.me()).toBeNull();
    }
    for (const status of [403, 404, 429, 500, 503]) {
      answerWith(status, '{"message":"whatever"}');
      expect(await failureOf(api.me())).toMatchObject({ status });
    }
  });

  it("sends JSON to the right path [API-2]", async () => {
    const received: unknown[] = [];
    answer = (request, response) => {
      let text = "";
      request.on("data", (chunk: Buffer) => (text += chunk.toString()));
      request.on("end", () => {
        received.push([request.method, request.url, request.headers["content-type"], text]);
        response.writeHead(200, { "content-type": "application/json" }).end("{}");
      });
    };
    await api.cancelUpload("an-id");
    await filesApi.deleteFile("a/b?c");
    await sessions();
    expect(received).toEqual([
      ["POST", "/api/direct-upload/cancel", "application/json", '{"downloadId":"an-id"}'],
      ["DELETE", "/api/files/a%2Fb%3Fc", undefined, ""],
      ["GET", "/api/auth/sessions", undefined, ""],
    ]);
  });

  it("names the word admin as the author of a page's text, whoever sends it [ENT-14]", async () => {
    const received: [method: string | undefined, body: unknown][] = [];
    answer = (request, response) => {
      let text = "";
      request.on("data", (chunk: Buffer) => (text += chunk.toString()));
      request.on("end", () => {
        received.push([request.method, JSON.parse(text)]);
        response.writeHead(200, { "content-type": "application/json" }).end("{}");
      });
    };
    const page = { title: "Terms", slug: "terms", content: "Some text." };
    await adminApi.createContent(page);
    await adminApi.updateContent("an-id", page);
    expect(received).toEqual([
      ["POST", { ...page, lastUpdatedBy: "admin" }],
      ["PUT", { ...page, lastUpdatedBy: "admin" }],
    ]);
  });

  it.each([200, 201, 202, 206, 226, 299])("succeeds with the status %d [CONST-18]", async (status) => {
    answerWith(status, '[{"id":"a"}]');
    expect(await sessions()).toEqual([{ id: "a" }]);
  });

  it.each([204, 205])("succeeds with the status %d, which has no body [CONST-18]", async (status) => {
    answer = (_request, response) => response.writeHead(status).end();
    expect(await sessions()).toBeNull();
  });

  it.each([300, 304, 400, 404, 418, 499, 500, 599])("fails with the status %d [CONST-18]", async (status) => {
    answer = (_request, response) => response.writeHead(status).end();
    expect(await failureOf(sessions())).toMatchObject({ status });
  });

  it("has no time limit [CONST-18]", async () => {
    const limit = vi.spyOn(AbortSignal, "timeout");
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const asked = Promise.withResolvers<ServerResponse>();
    answer = (_request, response) => {
      asked.resolve(response);
    };
    const listed = sessions();
    const response = await asked.promise;
    await vi.advanceTimersByTimeAsync(24 * 60 * 60 * 1000);
    response.writeHead(200, { "content-type": "application/json" }).end("[]");
    expect(await listed).toEqual([]);
    expect(limit).not.toHaveBeenCalled();
  });

  it("is not retried [ERR-7]", async () => {
    let calls = 0;
    answer = (_request, response) => {
      calls += 1;
      response.writeHead(503).end();
    };
    await failureOf(sessions());
    expect(calls).toBe(1);
  });

  it("rejects with the signal's reason when it is aborted", async () => {
    const abort = new AbortController();
    const reason = new DOMException("Upload aborted", "AbortError");
    answer = () => {
      abort.abort(reason);
    };
    await expect(browserCalls.signParts({ downloadId: "x", parts: [], receipts: [] }, abort.signal)).rejects.toBe(
      reason,
    );
  });

  it("throws a TypeError, not an ApiError, without a response", async () => {
    answer = (request) => {
      request.destroy();
    };
    await expect(sessions()).rejects.toThrow(
      new TypeError("The server cannot be reached. Check your internet connection, and try again."),
    );
    await expect(sessions()).rejects.toBeInstanceOf(TypeError);
  });
});
