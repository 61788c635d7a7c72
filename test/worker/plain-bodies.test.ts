import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { createAccountFixture, type AccountFixture } from "../support/account-fixture.ts";
import { requestFor, ROUTES } from "../support/routes.ts";
import { BYTES, call, create, newProgram, offsetOf, send, startTus } from "../support/tus.ts";
import { makeKey, type Program } from "../support/v1.ts";
import { answerOf, Client, monthlyUsage, putOnPlan, signUp } from "../support/worker.ts";

let person: Awaited<ReturnType<typeof signUp>>;
let key: string;
let program: Program;

beforeAll(async () => {
  person = await signUp();
  await putOnPlan(person.email, "professional");
  ({ key } = await makeKey(person));
  program = await newProgram();
});

const ENCODED = "Content-Encoding is not decoded here: files are stored as they come. Send the bytes without it.";
const PARTIAL =
  "Content-Range says that this is a part of a file. Send the whole file, or send it with tus, which goes on after a break.";

function formOf(): { body: string; headers: Record<string, string> } {
  const body =
    '--line\r\nContent-Disposition: form-data; name="f"; filename="a.txt"\r\n\r\nhello\r\n' +
    '--line\r\nContent-Disposition: form-data; name="expiration"\r\n\r\n1d\r\n--line--\r\n';
  return { body, headers: { "content-type": "multipart/form-data; boundary=line" } };
}

/** Each call that stores a body as it comes. */
const WAYS: Record<string, (headers: Record<string, string>) => Promise<Response>> = {
  "PUT /{name}": (headers) =>
    new Client().fetch("/a.txt", {
      method: "PUT",
      headers: { authorization: `Bearer ${key}`, ...headers },
      body: "hello",
    }),
  "POST /": (headers) => {
    const form = formOf();
    const all = { authorization: `Bearer ${key}`, ...form.headers, ...headers };
    return new Client().fetch("/", { method: "POST", headers: all, body: form.body });
  },
  "a page's form": (headers) => {
    const form = formOf();
    const init = { method: "POST", headers: { ...form.headers, ...headers }, body: form.body };
    return person.fetch("/api/direct-upload/proxy-upload", init);
  },
  "a start of tus": (headers) => create(program, 5, { ...BYTES, ...headers }, "hello"),
};

async function stored(): Promise<number[]> {
  const row = await env.DB.prepare("select count(*) as rows from files").first<{ rows: number }>();
  return [row?.rows ?? -1, (await env.BUCKET.list()).objects.length];
}

describe.each(Object.entries(WAYS))("%s", (_, sendTo) => {
  it.each(["gzip", "br", "GZIP", "identity, gzip", "aes128gcm"])("refuses a body in %s", async (coding) => {
    const before = [await stored(), await monthlyUsage(person.email)];
    const response = await sendTo({ "content-encoding": coding, accept: "application/json" });
    expect(response.headers.get("accept-encoding")).toBe("identity");
    expect(await answerOf(response)).toMatchObject([415, { code: "UNSUPPORTED_MEDIA_TYPE", message: ENCODED }]);
    expect([await stored(), await monthlyUsage(person.email)]).toEqual(before);
  });

  it.each(["bytes 3-7/8", "bytes 0-4/5", "bytes */5", "lines 1-2/2"])("refuses a part of a file: %s", async (range) => {
    const before = [await stored(), await monthlyUsage(person.email)];
    const response = sendTo({ "content-range": range, accept: "application/json" });
    expect(await answerOf(response)).toMatchObject([400, { code: "BAD_REQUEST", message: PARTIAL }]);
    expect([await stored(), await monthlyUsage(person.email)]).toEqual(before);
  });

  it("takes a body that says that it is the bytes themselves", async () => {
    const response = await sendTo({ "content-encoding": "identity" });
    expect([200, 201]).toContain(response.status);
  });
});

describe("a PATCH of tus", () => {
  it("with an encoded body, or a part, leaves the upload as it was", async () => {
    const tus = await startTus(5, program);
    expect(await answerOf(send(tus, 0, "hello", { "content-encoding": "gzip" }))).toMatchObject([
      415,
      { message: ENCODED },
    ]);
    expect(await answerOf(send(tus, 0, "hello", { "content-range": "bytes 0-4/5" }))).toMatchObject([
      400,
      { message: PARTIAL },
    ]);
    const refused = await call(
      tus.path,
      "PATCH",
      { ...BYTES, "upload-offset": "0", "content-encoding": "br" },
      "hello",
    );
    expect(refused.headers.get("tus-resumable")).toBe("1.0.0");
    expect(await offsetOf(tus)).toBe(0);
    expect((await send(tus, 0, "hello", { "content-encoding": "identity" })).status).toBe(204);
  });
});

describe("a file of a form", () => {
  it.each([
    ["base64", 415],
    ["quoted-printable", 415],
    ["binary", 201],
    ["8BIT", 201],
  ])("whose bytes are written as %s is %i", async (encoding, status) => {
    const body = `--line\r\nContent-Disposition: form-data; name="f"; filename="a.txt"\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\naGVsbG8=\r\n--line--\r\n`;
    const headers = { authorization: `Bearer ${key}`, "content-type": "multipart/form-data; boundary=line" };
    const response = await new Client().fetch("/", { method: "POST", headers, body });
    expect([response.status, await response.text()]).toEqual([
      status,
      status === 201
        ? expect.stringContaining("/download/")
        : "Content-Transfer-Encoding is not decoded here. Send the bytes of the file without it.",
    ]);
  });
});

describe("every call with a body", () => {
  let fixture: AccountFixture;

  beforeAll(async () => {
    fixture = await createAccountFixture();
    // The passwords of five accounts are hashed: that takes seconds on a busy machine.
  }, 60_000);

  it("refuses encoded ones and parts", { tags: "long" }, async () => {
    const routes = Object.keys(ROUTES).filter((route) => /^(POST|PUT|PATCH) \/api\/(?!stripe)/.test(route));
    expect(routes.length).toBeGreaterThan(80);
    for (const route of routes) {
      const { path, init } = requestFor(route, fixture);
      const own = Object.fromEntries(new Headers(init.headers));
      const encoded = { ...init, headers: { ...own, "content-encoding": "gzip" } };
      const part = { ...init, headers: { ...own, "content-range": "bytes 1-2/3" } };
      const statuses = [
        (await fixture.owner.fetch(path, encoded)).status,
        (await fixture.owner.fetch(path, part)).status,
      ];
      expect([route, ...statuses]).toEqual([route, 415, 400]);
    }
  });
});
