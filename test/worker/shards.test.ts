import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { shardOfKey } from "#domain/api-keys.ts";
import { newRowId, shardOfLinkToken, shardOfRowId } from "#domain/ids.ts";
import { init } from "../support/chunked.ts";
import { codePage, SigningIn } from "../support/device.ts";
import { createRequest, Sender } from "../support/requests.ts";
import { startTransfer, textFile } from "../support/transfers.ts";
import { startTus } from "../support/tus.ts";
import { TusSender } from "../support/tus-requests.ts";
import { makeKey, Program } from "../support/v1.ts";
import { workerWith } from "../support/worker-with-env.ts";
import { Client, patternBytes, runSql, sendFile, signUp } from "../support/worker.ts";

const FILES = [textFile("a.txt")];

/** Gives the account an id of another shard, as if that shard were there. */
async function moveTo(shard: number, person: Client & { id: string; email: string }): Promise<void> {
  const id = newRowId(shard);
  await env.DB.batch([
    env.DB.prepare("pragma defer_foreign_keys = on"),
    env.DB.prepare("update users set id = ? where id = ?").bind(id, person.id),
    ...["accounts", "sessions", "devices", "account_events"].map((table) =>
      env.DB.prepare(`update ${table} set user_id = ? where user_id = ?`).bind(id, person.id),
    ),
  ]);
  person.id = id;
}

async function valuesOf(sql: string): Promise<string[]> {
  const { results } = await env.DB.prepare(sql).all<{ value: string }>();
  return results.map(({ value }) => value);
}

function formOf(names: string[]): FormData {
  const form = new FormData();
  for (const name of names) form.append("file", new File([patternBytes(5)], name));
  return form;
}

/** Sends in every way that makes a file. @returns the number of files */
async function sendInEveryWay(person: Client & { id: string }, key: string): Promise<number> {
  const program = new Program(key);
  const authorization = `Bearer ${key}`;
  const request = await createRequest(person);
  await sendFile(person, "hello");
  await init(person, 5);
  expect((await person.postForm("/api/direct-upload/proxy-upload", formOf(["a.txt"]))).status).toBe(200);
  await startTransfer(person, FILES);
  await program.answer("/uploads", "POST", { name: "a.txt", size: 5 });
  await program.answer("/transfers", "POST", {
    totals: { entries: 1, bytes: 5 },
    entries: { from: 0, list: [["a.txt", 5, 0]] },
  });
  await startTus(5, program);
  expect(
    (await new Client().fetch("/a.txt", { method: "PUT", headers: { authorization }, body: "hello" })).status,
  ).toBe(201);
  for (const names of [["a.txt"], ["a.txt", "b.txt"]]) {
    const form = new Response(formOf(names));
    const body = await form.arrayBuffer();
    const type = form.headers.get("content-type") ?? "";
    const headers = { authorization, "content-type": type, "content-length": String(body.byteLength) };
    expect((await new Client().fetch("/", { method: "POST", headers, body })).status).toBe(201);
  }
  await new Sender(request).begin(FILES);
  expect((await new TusSender(request).start({ size: 5 })).status).toBe(201);
  return 12;
}

it.each([0, 7])("everything that an account of shard %i makes names that shard [GROW-1]", async (shard) => {
  await runSql("delete from files");
  await runSql("delete from upload_requests");
  const person = await signUp();
  if (shard !== 0) await moveTo(shard, person);
  await runSql("update users set plan_type = 'ultimate' where id = ?", person.id);
  const { key } = await makeKey(person);
  const device = await SigningIn.begin();
  await codePage(() => person).approve(device.userCode);
  const { access_token: deviceKey } = await (await device.poll()).json<{ access_token: string }>();
  const sent = await sendInEveryWay(person, key);

  const ids = await valuesOf("select id as value from files");
  expect(ids).toHaveLength(sent);
  for (const id of ids) expect([id.charAt(14), shardOfRowId(id)]).toEqual(["8", shard]);
  const downloadIds = await valuesOf("select download_id as value from files");
  const tokens = await valuesOf("select token as value from upload_requests");
  expect(tokens).toHaveLength(1);
  for (const token of [...downloadIds, ...tokens]) expect(shardOfLinkToken(token)).toBe(shard);
  expect([shardOfKey(key), shardOfKey(deviceKey)]).toEqual([shard, shard]);
});

it("a link that is made of a received transfer, and its recipients, name the transfer's shard", async () => {
  const owner = await signUp();
  await moveTo(9, owner);
  const sender = new Sender(await createRequest(owner));
  const { uploadId } = await sender.send(FILES);
  const [before] = await valuesOf("select download_id as value from files where forwarded_at is null");
  expect((await owner.post(`/api/received/${uploadId}/link`, {})).status).toBe(201);
  const [after] = await valuesOf("select download_id as value from files where forwarded_at is not null");
  expect(after).not.toBe(before);
  expect(shardOfLinkToken(after ?? "")).toBe(9);
  expect((await owner.post(`/api/files/${uploadId}/share`, { email: "friend@example.com" })).status).toBe(200);
  const [recipient] = await valuesOf("select id as value from recipients");
  expect(shardOfRowId(recipient ?? "")).toBe(9);
});

it("what a visitor sends, and a new account, are in the first shard", async () => {
  await runSql("delete from files");
  const visitor = new Client("", workerWith({ ...env, ANONYMOUS_UPLOADS: "on" }));
  await visitor.startUpload(5);
  await startTransfer(visitor, FILES);
  const email = `${crypto.randomUUID()}@example.com`;
  await new Client().post("/api/auth/register", { email, password: "a good password" });
  const ids = await valuesOf(`select id as value from files union all select id from users where email = '${email}'`);
  expect(ids).toHaveLength(3);
  for (const id of ids) expect([id.charAt(14), shardOfRowId(id)]).toEqual(["8", 0]);
});
