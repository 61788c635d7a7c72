import { beforeAll, describe, expect, it } from "vitest";
import { create, metadata, tusOf } from "../support/tus.ts";
import { makeKey, Program } from "../support/v1.ts";
import { Client, putOnPlan, rowOf, signUp } from "../support/worker.ts";

let person: Awaited<ReturnType<typeof signUp>>;
let program: Program;
let key: string;

beforeAll(async () => {
  person = await signUp();
  await putOnPlan(person.email, "ultimate");
  ({ key } = await makeKey(person));
  program = new Program(key);
});

/** A form as programs write it. @param parameters of each file, as `filename="a.txt"` */
function post(parameters: string[]): Promise<Response> {
  const files = parameters.map(
    (parameter) => `--line\r\nContent-Disposition: form-data; name="f"; ${parameter}\r\n\r\nhello\r\n`,
  );
  const headers = {
    authorization: `Bearer ${key}`,
    accept: "application/json",
    "content-type": "multipart/form-data; boundary=line",
  };
  return new Client().fetch("/", { method: "POST", headers, body: `${files.join("")}--line--\r\n` });
}

async function nameOf(response: Response): Promise<string | number> {
  if (!response.ok) return response.status;
  const { downloadId } = await response.json<{ downloadId: string }>();
  return storedName(downloadId);
}

async function storedName(downloadId: string): Promise<string> {
  const { filename } = await rowOf<{ filename: string }>(
    "select filename from files where download_id = ?",
    downloadId,
  );
  return filename;
}

/** As browsers and curl write a name (HTML, "multipart/form-data encoding"). */
const escaped = (name: string) => name.replaceAll("\n", "%0A").replaceAll("\r", "%0D").replaceAll('"', "%22");

/** Each way in for one file. @returns its name, or the status of the refusal */
const WAYS = {
  put: async (name: string) => {
    const headers = { authorization: `Bearer ${key}`, accept: "application/json" };
    const path = `/${encodeURIComponent(name)}`;
    return nameOf(await new Client().fetch(path, { method: "PUT", headers, body: "hello" }));
  },
  tus: async (name: string) => {
    const created = await create(program, 5, { "upload-metadata": metadata({ filename: name }) });
    return created.ok ? storedName((await tusOf(created)).downloadId) : created.status;
  },
  v1: async (name: string) => {
    const body = JSON.stringify({ name, size: 5, expires: "1d" });
    return nameOf(await program.fetch("/uploads", { method: "POST", headers: JSON_TYPE, body }));
  },
  page: async (filename: string) =>
    nameOf(await person.post("/api/direct-upload/presigned-url", { filename, fileSize: 5, expiration: "1d" })),
  form: async (name: string) => nameOf(await post([`filename="${escaped(name)}"`])),
  extended: async (name: string) => nameOf(await post([`filename*=UTF-8''${encodeURIComponent(name)}`])),
};
const JSON_TYPE = { "content-type": "application/json" };

/** @returns the names of a link of several files */
async function namesOf(parameters: string[]): Promise<unknown> {
  const response = await post(parameters);
  if (!response.ok) return response.status;
  const { downloadId } = await response.json<{ downloadId: string }>();
  const listed = await new Client().fetch(`/api/files/download/${downloadId}/entries`);
  const { entries } = await listed.json<{ entries: { path: string }[] }>();
  return entries.map(({ path }) => path);
}

type Outcome = string | number;

/** A name, what becomes of it where it is announced, in a form by itself, and among others. */
const NAMES: [name: string, announced: Outcome, alone: Outcome, among: string][] = [
  ["report.pdf", "report.pdf", "report.pdf", "report.pdf"],
  ["Screenshot 10:30:12.png", "Screenshot 10:30:12.png", "Screenshot 10:30:12.png", "Screenshot 10_30_12.png"],
  ["Cafe\u0301.txt", "Caf\u00e9.txt", "Caf\u00e9.txt", "Caf\u00e9.txt"],
  ["\u1112\u1161\u11ab.txt", "\ud55c.txt", "\ud55c.txt", "\ud55c.txt"],
  ['a"b.txt', 'a"b.txt', 'a"b.txt', "a_b.txt"],
  ["100%.txt", "100%.txt", "100%.txt", "100%.txt"],
  ["what?.txt", "what?.txt", "what?.txt", "what_.txt"],
  ["CON", "CON", "CON", "_CON"],
  ["a.txt.", "a.txt.", "a.txt.", "a.txt_"],
  [".DS_Store", ".DS_Store", ".DS_Store", ".DS_Store"],
  ["a\nb.txt", 400, "a_b.txt", "a_b.txt"],
  ["a\r\nb.txt", 400, "a__b.txt", "a__b.txt"],
  ["a\u202egnp.exe", 400, "a_gnp.exe", "a_gnp.exe"],
  ["...", 400, "___", "___"],
  [" ", 400, "_", "_"],
  ["a/b.txt", 400, "b.txt", "b.txt"],
  ["a\\b.txt", 400, "b.txt", "b.txt"],
  [`${"n".repeat(300)}.txt`, 400, `${"n".repeat(236)}.txt`, `${"n".repeat(236)}.txt`],
];

describe("the name of a file", () => {
  it.each(NAMES)("%j is, announced, %j; in a form %j; among others %j", async (name, announced, alone, among) => {
    const outcomes: Record<string, unknown> = {};
    for (const [way, send] of Object.entries(WAYS)) outcomes[way] = await send(name);
    expect(outcomes).toEqual({
      put: announced,
      tus: announced,
      v1: announced,
      page: announced,
      form: alone,
      extended: alone,
    });
    expect(await namesOf(['filename="other.bin"', `filename="${escaped(name)}"`])).toEqual(["other.bin", among]);
  });

  it("in a form may have its quotes behind a backslash, as older versions of curl write them", async () => {
    expect(await nameOf(await post(['filename="a\\"b.txt"']))).toBe('a"b.txt');
  });

  it("in a form counts in its extended form, which has no escapes of its own", async () => {
    const parameters = `filename="fallback.txt"; filename*=UTF-8''caf%C3%A9.txt`;
    expect(await nameOf(await post([parameters]))).toBe("caf\u00e9.txt");
  });

  it("is numbered among equal ones, also where they only become equal", async () => {
    const names = [
      "a.txt",
      "a.txt",
      "A.TXT",
      "b?.txt",
      "b:.txt",
      "a (2).txt",
      "e\u0301",
      "\u00e9",
      ".DS_Store",
      ".ds_store",
    ];
    const parameters = names.map((name) => `filename="${name}"`);
    expect(await namesOf(parameters)).toEqual([
      "a.txt",
      "a (3).txt",
      "A (4).TXT",
      "b_.txt",
      "b_ (2).txt",
      "a (2).txt",
      "\u00e9",
      "\u00e9 (2)",
      ".DS_Store",
      ".ds_store (2)",
    ]);
  });
});

describe("a file without a name", () => {
  it("is refused by itself, and gets one among others", async () => {
    const unnamed = 'x="y"\r\nContent-Type: application/octet-stream';
    expect(await nameOf(await post([unnamed]))).toBe(400);
    expect(await namesOf(['filename="a.txt"', unnamed])).toEqual(["a.txt", "_"]);
  });

  it("is none where a form's choice is empty", async () => {
    expect(await nameOf(await post(['filename=""']))).toBe(400);
    expect(await nameOf(await post(['filename=""', 'filename="a.txt"']))).toBe("a.txt");
  });

  it.each(["", " "])("is refused at a start: %j", async (name) => {
    for (const way of [WAYS.put, WAYS.tus, WAYS.v1, WAYS.page]) expect(await way(name)).toBe(400);
  });
});

describe("the name that a request chooses", () => {
  it("has its accents as one character, too", async () => {
    const headers = { authorization: `Bearer ${key}`, accept: "application/json", "mayfly-name": "Cafe\u0301.txt" };
    const sent = await new Client().fetch("/-", { method: "PUT", headers, body: "hello" });
    expect(await nameOf(sent)).toBe("Caf\u00e9.txt");
  });
});

describe("a transfer of v1", () => {
  it("is refused a name that not every system can hold before its bytes come", async () => {
    for (const name of ["a:b.txt", "Cafe\u0301.txt", "a/../b.txt"]) {
      const body = JSON.stringify({ totals: { entries: 1, bytes: 5 }, entries: { from: 0, list: [[name, 5, 0]] } });
      const response = await program.fetch("/transfers", { method: "POST", headers: JSON_TYPE, body });
      expect([name, response.status]).toEqual([name, 400]);
    }
  });
});
