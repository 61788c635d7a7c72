// @module-tag long
import { beforeAll, describe, expect, it } from "vitest";
import type { DownloadInfo, FilesPage, ProxyUploadAnswer } from "#domain/wire.ts";
import { finalize, init, put } from "../support/chunked.ts";
import { mailTo } from "../support/mails.ts";
import { runSql, Client, contentPath, logInAdmin, putOnPlan, rowOf, sendFile, signUp } from "../support/worker.ts";

const BODY = "hello";
const visitor = new Client();
let sender: Client & { email: string };
let admin: Client;

beforeAll(async () => {
  sender = await signUp();
  await putOnPlan(sender.email, "ultimate");
  admin = await logInAdmin();
});

const NOT_PLAIN = "The file name cannot contain slashes or control characters.";
const ONLY_DOTS = "The file name cannot consist of dots and spaces only.";

/** Rejected names with their messages. */
const REJECTED: [filename: string, message: string][] = [
  ["", "Please enter a file name."],
  [" ", NOT_PLAIN],
  [".", ONLY_DOTS],
  ["..", ONLY_DOTS],
  ["...", ONLY_DOTS],
  [" . ", ONLY_DOTS],
  ["a\u0000.txt", NOT_PLAIN],
  ["a\u001b.txt", NOT_PLAIN],
  ["a\u0085.txt", NOT_PLAIN],
  ["a\u2028.txt", NOT_PLAIN],
  ["a\u202egnp.exe", NOT_PLAIN],
  ["a\u2066b.txt", NOT_PLAIN],
  ["a/b.txt", NOT_PLAIN],
  ["a\\b.txt", NOT_PLAIN],
  ["n".repeat(256), "The file's name may hold at most 255 characters."],
];

/** Accepted names, and how they are shown and served. */
const ACCEPTED: [filename: string, safe: string][] = [
  ["report.pdf", "report.pdf"],
  ["a.txt. .", "a.txt"],
  ["  a.txt  ", "a.txt"],
  ["\u200fשלום.pdf", "שלום.pdf"],
  ["CON", "_CON"],
  ["nul.txt", "_nul.txt"],
  ["COM1.tar.gz", "_COM1.tar.gz"],
  ["n".repeat(255), "n".repeat(255)],
];

/** Names that older rows may have. */
const OLDER: [filename: string, safe: string][] = [
  ...ACCEPTED,
  ["..", "download"],
  [" . ", "download"],
  ["a\r\nset-cookie: b", "aset-cookie: b"],
  ["a\u202egnp.exe", "agnp.exe"],
  ["a/b\\c.txt", "a_b_c.txt"],
];

const FORM = "/api/direct-upload/proxy-upload";

function formOf(field: string): FormData {
  const form = new FormData();
  form.set("filename", field);
  form.set("file", new File([BODY], "another name.txt"));
  return form;
}

/** Every call that takes a name. */
const START: Record<string, (filename: string) => Promise<Response>> = {
  direct: (filename) =>
    sender.post("/api/direct-upload/presigned-url", { filename, fileSize: BODY.length, expiration: "1d" }),
  chunked: (filename) =>
    sender.post("/api/chunked-upload/init", { filename, totalSize: "5", totalChunks: "1", expiration: "1d" }),
  form: (filename) => sender.postForm(FORM, formOf(filename)),
  rename: async (filename) => {
    const { uploadId } = await sendFile(sender, BODY);
    return sender.fetch(`/api/files/${uploadId}`, {
      method: "PATCH",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ filename }),
    });
  },
};

/** Uploads a file of that name by each transport. @returns its ids */
const SEND: Record<string, (filename: string) => Promise<{ uploadId: string; downloadId: string }>> = {
  direct: (filename) => sendFile(sender, BODY, { filename }),
  chunked: async (filename) => {
    const upload = await init(sender, BODY.length, { filename });
    await put(sender, upload.uploadId, 0, new TextEncoder().encode(BODY));
    await finalize(sender, upload.uploadId);
    return upload;
  },
  form: async (filename) => {
    const { downloadId } = await (await sender.postForm(FORM, formOf(filename))).json<ProxyUploadAnswer>();
    const { id } = await rowOf<{ id: string }>("select id from files where download_id = ?", downloadId);
    return { uploadId: id, downloadId };
  },
};

async function expectNamed({ uploadId, downloadId }: { uploadId: string; downloadId: string }, safe: string) {
  const info = await visitor.fetch(`/api/files/download/${downloadId}`);
  expect((await info.json<DownloadInfo>()).filename).toBe(safe);
  for (const path of [contentPath(downloadId), `/api/files/download/${downloadId}/preview`]) {
    const { headers, status } = await visitor.fetch(path, { method: "HEAD" });
    if (status === 415) continue;
    const [, extended = ""] = (headers.get("content-disposition") ?? "").split("filename*=UTF-8''");
    expect(decodeURIComponent(extended)).toBe(safe);
  }
  const page = await (await visitor.fetch(`/download/${downloadId}`)).text();
  expect(page).toContain(`>${safe}</h1>`);
  const listed = await (await sender.fetch("/api/files?page=1")).json<FilesPage>();
  expect(listed.files.find(({ id }) => id === uploadId)?.filename).toBe(safe);
  const found = await admin.fetch(`/api/admin/files?q=${downloadId}`);
  expect((await found.json<{ filename: string }>()).filename).toBe(safe);
  const friend = `${crypto.randomUUID()}@example.com`;
  await sender.post(`/api/files/${uploadId}/share`, { email: friend });
  expect((await mailTo(friend)).text).toContain(`${sender.email} sent you ${safe} (5 Bytes).`);
}

describe.each(Object.entries(START))("a name, sent %s,", (_way, start) => {
  it.each(REJECTED)("%j is rejected with a message", async (filename, message) => {
    const response = await start(filename);
    expect([response.status, await response.json()]).toMatchObject([400, { message, field: "filename" }]);
  });

  it.each(ACCEPTED)("%j is stored unchanged", async (filename) => {
    expect((await start(filename)).status).toBe(200);
    const row = "select filename from files where user_id is not null order by rowid desc limit 1";
    expect(await rowOf(row)).toEqual({ filename });
  });
});

describe.each(Object.entries(SEND))("a file, sent %s,", (_way, send) => {
  it.each(ACCEPTED)("named %j is shown and served as %j", async (filename, safe) => {
    await expectNamed(await send(filename), safe);
  });
});

describe("a row's name from an earlier version", () => {
  it.each(OLDER)("%j is shown and served as %j", async (filename, safe) => {
    const file = await sendFile(sender, BODY);
    await runSql(
      "update files set filename = ?, original_filename = ? where id = ?",
      filename,
      filename,
      file.uploadId,
    );
    await expectNamed(file, safe);
  });
});

describe("half a character in a name", () => {
  it.each(["direct", "chunked", "rename"])("is rejected, sent %s", async (way) => {
    const response = await START[way]?.("a\ud83d.txt");
    expect([response?.status, await response?.json()]).toMatchObject([400, { message: NOT_PLAIN }]);
  });
});
