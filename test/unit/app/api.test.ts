import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { api, ApiError } from "#app/lib/api.ts";
import { saveMessages } from "#app/lib/i18n/messages.ts";
import { compiledGroup } from "#messages/compiled.ts";

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

let answer: Handler = (_request, response) => response.end();
const server = createServer((request, response) => {
  answer(request, response);
});
const originalFetch = globalThis.fetch;

beforeAll(async () => {
  saveMessages({ locale: "en", groups: { signIn: compiledGroup("en", "signIn") } });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  // A page's own address: fetch takes the paths that api.ts calls relative to it.
  globalThis.fetch = (input, init) =>
    originalFetch(typeof input === "string" ? `http://127.0.0.1:${port}${input}` : input, init);
});

afterAll(() => {
  globalThis.fetch = originalFetch;
  server.closeAllConnections();
  server.close();
});

afterEach(() => {
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
  throw new Error("the call was not refused by the server", { cause: error });
}

const LOGIN = { email: "a@example.com", password: "123456", rememberMe: false };

describe("what a person reads of a refused call", () => {
  it.each([
    ["the body's message", { message: "M", details: "D", error: "E" }, "M"],
    ["else its details", { details: "D", error: "E" }, "D"],
    ["else its error", { error: "E" }, "E"],
    ["an empty message is none", { message: "", error: "E" }, "E"],
    ["a message that is no text is none", { message: { a: 1 }, details: "D" }, "D"],
    ["else the status and the body", { reason: "R" }, '400: {"reason":"R"}'],
    ["an empty object too", {}, "400: {}"],
  ])("%s", async (_what, body, message) => {
    answerWith(400, JSON.stringify(body));
    const error = await failureOf(api.sessions());
    expect(error).toMatchObject({ status: 400, message, body });
  });

  it.each([
    ["the text, where it is not JSON", "Out of order", "text/plain", "Oops", "Out of order"],
    ["the text, where it only says it is JSON", "{nonsense", "application/json", "Oops", "{nonsense"],
    ["the text, where it has no type", "Out of order", "", "Oops", "Out of order"],
    ["the status text, where there is no text", "", "text/plain", "Gone fishing", "Gone fishing"],
    ["the status text, where there is nothing at all", "", "", "Gone fishing", "Gone fishing"],
    ["'Unknown Error', where there is nothing to say", "", "text/plain", "", "Unknown Error"],
  ])("%s", async (_what, body, type, statusText, message) => {
    answer = (_request, response) => {
      // Node fills in a status text of its own where none is given, unless it writes the line itself.
      const head = type ? `content-type: ${type}\r\n` : "";
      response.socket?.end(
        `HTTP/1.1 502 ${statusText}\r\n${head}content-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
      );
    };
    expect(await failureOf(api.sessions())).toMatchObject({ status: 502, message, body: {} });
  });

  it.each(["application/problem+json", "application/json; charset=utf-8"])(
    "a body of type %s is JSON",
    async (type) => {
      answerWith(422, '{"message":"M","code":"C"}', type);
      expect(await failureOf(api.sessions())).toMatchObject({ message: "M", body: { code: "C" } });
    },
  );

  it.each(["application/json", "text/plain"])("a 401 from the login is about the password (%s)", async (type) => {
    answerWith(401, '{"message":"whatever"}', type);
    expect(await failureOf(api.login(LOGIN))).toMatchObject({
      status: 401,
      message: "The password you entered is incorrect. Please try again or use the Forgot Password link.",
    });
  });

  it.each(["application/json", "text/plain"])("any other 401 is about logging in (%s)", async (type) => {
    answerWith(401, '{"message":"whatever"}', type);
    for (const call of [() => api.sessions(), () => api.deleteFile("x"), () => api.changePassword({ ...PASSWORDS })]) {
      expect((await failureOf(call())).message).toBe("You need to log in to access this feature.");
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
    expect(await failureOf(api.sessions())).toMatchObject({ status, message });
  });
});

const PASSWORDS = { currentPassword: "123456", newPassword: "654321" };

describe("a call", () => {
  it("gives the JSON that was answered, and null for anything else", async () => {
    answerWith(200, '[{"id":"a"}]');
    expect(await api.sessions()).toEqual([{ id: "a" }]);
    answerWith(200, "fine", "text/plain");
    expect(await api.me()).toBeNull();
    answerWith(200, "null");
    expect(await api.me()).toBeNull();
  });

  it("who is signed in: nobody where the answer is 401, and unknown where it is another failure", async () => {
    for (const type of ["application/json", "text/plain"]) {
      answerWith(401, '{"message":"whatever"}', type);
      expect(await api.me()).toBeNull();
    }
    for (const status of [403, 404, 429, 500, 503]) {
      answerWith(status, '{"message":"whatever"}');
      expect(await failureOf(api.me())).toMatchObject({ status });
    }
  });

  it("sends JSON, to the right place", async () => {
    const seen: unknown[] = [];
    answer = (request, response) => {
      let text = "";
      request.on("data", (chunk: Buffer) => (text += chunk.toString()));
      request.on("end", () => {
        seen.push([request.method, request.url, request.headers["content-type"], text]);
        response.writeHead(200, { "content-type": "application/json" }).end("{}");
      });
    };
    await api.cancelUpload("an-id");
    await api.deleteFile("a/b?c");
    await api.sessions();
    expect(seen).toEqual([
      ["POST", "/api/direct-upload/cancel", "application/json", '{"downloadId":"an-id"}'],
      ["DELETE", "/api/files/a%2Fb%3Fc", undefined, ""],
      ["GET", "/api/auth/sessions", undefined, ""],
    ]);
  });

  it("is not repeated when it fails", async () => {
    let calls = 0;
    answer = (_request, response) => {
      calls += 1;
      response.writeHead(503).end();
    };
    await failureOf(api.sessions());
    expect(calls).toBe(1);
  });

  it("ends when it is cancelled, with the reason", async () => {
    const abort = new AbortController();
    const reason = new DOMException("Upload aborted", "AbortError");
    answer = () => {
      abort.abort(reason);
    };
    await expect(api.signParts({ downloadId: "x", parts: [], receipts: [] }, abort.signal)).rejects.toBe(reason);
  });

  it("that nothing answers is no refusal", async () => {
    answer = (request) => {
      request.destroy();
    };
    await expect(api.sessions()).rejects.toBeInstanceOf(TypeError);
  });
});
