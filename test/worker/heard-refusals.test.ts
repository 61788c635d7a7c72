import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { BYTES, newProgram, send, SPOKEN, startTus, tusOf, create, type Tus } from "../support/tus.ts";
import { makeKey, type Program } from "../support/v1.ts";
import { workerWith } from "../support/worker-with-env.ts";
import { signUp } from "../support/worker.ts";

const MIB = 1_048_576;
const READ_ON_BYTES = 25_165_824;

let program: Program;
let key: string;
let reader: string;
let begun: Tus;
let ended: Tus;
let openEnded: Tus;

beforeAll(async () => {
  program = await newProgram();
  const person = await signUp();
  ({ key } = await makeKey(person));
  ({ key: reader } = await makeKey(person, { scopes: ["files:read"] }));
  begun = await startTus(60 * MIB, program);
  await send(begun, 0, "hello");
  ended = await startTus(60 * MIB, program);
  await program.fetch(ended.path.replace("/api/v1", ""), { method: "DELETE", headers: SPOKEN });
  openEnded = await tusOf(create(program, null));
});

/** A body that goes on as long as it is read. */
function endlessBody(): { body: ReadableStream<Uint8Array>; readBytes(): number } {
  const { readable, writable } = new IdentityTransformStream();
  const writer = writable.getWriter();
  const piece = new Uint8Array(65_536);
  let read = 0;
  const feed = async (): Promise<void> => {
    await writer.write(piece);
    read += piece.byteLength;
    await feed();
  };
  // Nobody reads any more.
  feed().catch(() => undefined);
  return { body: readable, readBytes: () => read };
}

interface Sent {
  method: string;
  path: string;
  headers: Record<string, string>;
}

const JSON_TYPE = { "content-type": "application/json" };
const FORM = { "content-type": "multipart/form-data; boundary=line" };
const keyed = () => ({ authorization: `Bearer ${key}` });
const tus = (headers: Record<string, string> = {}) => ({
  ...SPOKEN,
  ...BYTES,
  "upload-metadata": "filename YQ==",
  ...headers,
});

/** What is refused while its body is on its way. */
const REFUSED: [title: string, status: number, sent: () => Sent][] = [
  ["a call of v1 without a key", 401, () => ({ method: "POST", path: "/api/v1/uploads", headers: JSON_TYPE })],
  [
    "a call of v1 with an unknown key",
    401,
    () => ({ method: "POST", path: "/api/v1/uploads", headers: { ...JSON_TYPE, authorization: "Bearer mayfly_no" } }),
  ],
  [
    "a call of v1 with a key that may not",
    403,
    () => ({ method: "POST", path: "/api/v1/uploads", headers: { ...JSON_TYPE, authorization: `Bearer ${reader}` } }),
  ],
  [
    "a call of v1 of another type",
    415,
    () => ({ method: "POST", path: "/api/v1/uploads", headers: { ...keyed(), "content-type": "text/plain" } }),
  ],
  [
    "a call of v1 that announces too much",
    413,
    () => ({
      method: "POST",
      path: "/api/v1/uploads",
      headers: { ...keyed(), ...JSON_TYPE, "content-length": "30000000" },
    }),
  ],
  [
    "a call of v1 that becomes too much",
    413,
    () => ({ method: "POST", path: "/api/v1/uploads", headers: { ...keyed(), ...JSON_TYPE } }),
  ],
  ["a call that v1 does not have", 404, () => ({ method: "POST", path: "/api/v1/nothing", headers: keyed() })],
  [
    "a part for an unknown upload of v1",
    404,
    () => ({
      method: "PUT",
      path: `/api/v1/uploads/${crypto.randomUUID()}/parts/1`,
      headers: { ...keyed(), "content-length": "5000000" },
    }),
  ],
  [
    "an encoded body",
    415,
    () => ({ method: "POST", path: "/api/v1/tus", headers: tus({ "content-encoding": "gzip" }) }),
  ],
  ["a start of tus without a key", 401, () => ({ method: "POST", path: "/api/v1/tus", headers: tus() })],
  [
    "a start of another tus",
    412,
    () => ({ method: "POST", path: "/api/v1/tus", headers: { ...tus(), ...keyed(), "tus-resumable": "0.2.2" } }),
  ],
  [
    "a start of tus with more than its size",
    413,
    () => ({
      method: "POST",
      path: "/api/v1/tus",
      headers: { ...tus(), ...keyed(), "upload-length": "5", "content-length": "30000000" },
    }),
  ],
  [
    "a PATCH to an unknown address",
    404,
    () => ({
      method: "PATCH",
      path: `/api/v1/tus/${crypto.randomUUID()}/${"A".repeat(22)}`,
      headers: tus({ "upload-offset": "0" }),
    }),
  ],
  [
    "a PATCH of another type",
    415,
    () => ({
      method: "PATCH",
      path: begun.path,
      headers: { ...SPOKEN, "upload-offset": "5", "content-type": "text/plain" },
    }),
  ],
  ["a PATCH without an offset", 400, () => ({ method: "PATCH", path: begun.path, headers: tus() })],
  [
    "a PATCH at another offset",
    409,
    () => ({ method: "PATCH", path: begun.path, headers: tus({ "upload-offset": "7" }) }),
  ],
  [
    "a PATCH that does not fit",
    413,
    () => ({
      method: "PATCH",
      path: begun.path,
      headers: tus({ "upload-offset": "5", "content-length": String(60 * MIB) }),
    }),
  ],
  [
    "a PATCH to an upload that has ended",
    410,
    () => ({ method: "PATCH", path: ended.path, headers: tus({ "upload-offset": "0" }) }),
  ],
  [
    "a PATCH without a length to an upload without a size",
    411,
    () => ({ method: "PATCH", path: openEnded.path, headers: tus({ "upload-offset": "0" }) }),
  ],
  [
    "a part of nobody's upload",
    401,
    () => ({ method: "PUT", path: "/api/direct-upload/parts/AAAAAAAAAAAAAAAAAAAAAA/1", headers: {} }),
  ],
  ["a chunk of nobody's upload", 401, () => ({ method: "POST", path: "/api/chunked-upload/chunk", headers: FORM })],
  ["a form of nobody", 401, () => ({ method: "POST", path: "/api/direct-upload/proxy-upload", headers: FORM })],
];

async function expectHeard(_: string, status: number, sent: () => Sent): Promise<void> {
  const { method, path, headers } = sent();
  const { body, readBytes } = endlessBody();
  const response = await workerWith(env)(new Request(new URL(path, env.APP_ORIGIN), { method, headers, body }));
  expect([response.status, response.headers.get("connection")]).toEqual([status, "close"]);
  const { message } = await response.json<{ message: string }>();
  expect(message).toMatch(/\w/);
  expect(readBytes()).toBeGreaterThanOrEqual(READ_ON_BYTES - 65_536);
  expect(readBytes()).toBeLessThan(READ_ON_BYTES + 4 * MIB);
}

/** One of each kind: before and within the body, and where a Durable Object had it. */
const EVERY_DAY = ["a call of v1 without a key", "a call of v1 that becomes too much", "a PATCH at another offset"];

describe("the words of a refusal come at once, and the rest is read as far as 24 MiB:", () => {
  const sample = REFUSED.filter(([title]) => EVERY_DAY.includes(title));
  const others = REFUSED.filter(([title]) => !EVERY_DAY.includes(title));

  it.each(sample)("%s", expectHeard);

  it.each(others)("%s", { tags: "long" }, expectHeard);

  it("a PATCH that becomes too long, in the middle", async () => {
    const small = await startTus(MIB, program);
    const { body, readBytes } = endlessBody();
    const headers = tus({ "upload-offset": "0" });
    const request = new Request(`${env.APP_ORIGIN}${small.path}`, { method: "PATCH", headers, body });
    const response = await workerWith(env)(request);
    expect([response.status, response.headers.get("connection")]).toEqual([413, "close"]);
    expect((await response.json<{ code: string }>()).code).toBe("BODY_TOO_LARGE");
    expect(readBytes()).toBeGreaterThanOrEqual(READ_ON_BYTES);
  });

  it("also when the sender is silent", async () => {
    for (const { method, path, headers } of [
      { method: "PATCH", path: begun.path, headers: tus({ "upload-offset": "7" }) },
      { method: "POST", path: "/api/v1/uploads", headers: JSON_TYPE },
    ]) {
      const { readable } = new IdentityTransformStream();
      const request = new Request(`${env.APP_ORIGIN}${path}`, { method, headers, body: readable });
      const response = await workerWith(env)(request);
      expect(response.status).toBeGreaterThanOrEqual(400);
      expect((await response.json<{ message: string }>()).message).toMatch(/\w/);
    }
  });
});

describe("a refusal of a body that has been read", () => {
  it("keeps its connection", async () => {
    const headers = { ...keyed(), ...JSON_TYPE };
    const refused = await workerWith(env)(
      new Request(`${env.APP_ORIGIN}/api/v1/uploads`, { method: "POST", headers, body: "{}" }),
    );
    expect([refused.status, refused.headers.get("connection")]).toEqual([400, null]);
  });
});
