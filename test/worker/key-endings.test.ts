import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { V1_CALLS } from "#domain/v1/calls.ts";
import { beginUserDeletion } from "#worker/db/users.ts";
import { servicesFor } from "#worker/services.ts";
import { stubOf } from "../support/chunked.ts";
import { interceptQueries } from "../support/query-interceptor.ts";
import { storedKeys } from "../support/storage-and-rows.ts";
import { create, send, startTus } from "../support/tus.ts";
import { makeKey, Program, programOf } from "../support/v1.ts";
import { workerWith } from "../support/worker-with-env.ts";
import { answerOf, contentPath, monthlyUsage, putIncoming, rowOf, runSql, signUp } from "../support/worker.ts";

type Person = Awaited<ReturnType<typeof signUp>>;

let person: Person;
let program: Program & { id: string };

beforeEach(async () => {
  person = await signUp();
  program = await programOf(person);
});

async function start(by: Program, path: "/uploads" | "/transfers"): Promise<{ id: string; downloadId: string }> {
  const { example } = path === "/uploads" ? V1_CALLS.startUpload : V1_CALLS.startTransfer;
  return by.answer(path, "POST", example.body);
}

async function statusOf(id: string): Promise<string> {
  return (await rowOf<{ status: string }>("select status from files where id = ?", id)).status;
}

const revoke = ({ id }: { id: string }) => person.delete(`/api/keys/${id}`);

describe("revoking a key", () => {
  it("ends every upload that it has not finished, and gives the month back [KEY-14]", async () => {
    const [upload, transfer, tus] = [
      await start(program, "/uploads"),
      await start(program, "/transfers"),
      await startTus(5, program),
    ];
    await putIncoming(upload.id, "hello");
    expect((await send(tus, 0, "hel")).status).toBe(204);
    expect(await monthlyUsage(person.email)).toEqual({ bytes: 15, transfers: 3 });
    expect((await revoke(program)).status).toBe(200);
    for (const { id } of [upload, transfer, tus]) expect(await statusOf(id)).toBe("cancelled");
    expect(await monthlyUsage(person.email)).toEqual({ bytes: 0, transfers: 0 });
    expect((await send(tus, 3, "lo")).status).toBe(401);
    await expect.poll(() => storedKeys(`incoming/${upload.id}`)).toEqual([]);
  });

  it("leaves what it has sent, what another key sends, and what a browser sends [KEY-14]", async () => {
    const other = await programOf(person);
    const [sent, ofOther] = [await start(program, "/uploads"), await start(other, "/uploads")];
    const ofBrowser = await person.startUpload(5);
    await putIncoming(sent.id, "hello");
    await program.answer(`/uploads/${sent.id}/complete`, "POST", {});
    await revoke(program);
    expect(await statusOf(sent.id)).toBe("ready");
    expect((await person.fetch(contentPath(sent.downloadId))).status).toBe(200);
    expect(await statusOf(ofOther.id)).toBe("uploading");
    expect(await statusOf(ofBrowser.uploadId)).toBe("uploading");
  });

  it("finds its uploads among a hundred newer ones [KEY-14]", async () => {
    const { id } = await start(program, "/uploads");
    await runSql(
      `insert into files (id, user_id, filename, original_filename, size, mime_type, s3_key, download_id, expiration,
         created_at, reserved_period_start, abandon_at)
       select ?1 || '-' || value, ?1, 'f', 'f', 1, 'text/plain', ?1 || value, ?1 || value, '1d', 4e12, 0, 4e12
       from json_each(?2)`,
      person.id,
      JSON.stringify(Array.from({ length: 100 }, (_, n) => n)),
    );
    await revoke(program);
    expect(await statusOf(id)).toBe("cancelled");
  });
});

/** A person's key that is revoked right before the database is asked to reserve something for it. */
async function endedBeforeReserving(what: "start" | "growth" = "start"): Promise<Program> {
  const { key, id } = await makeKey(person);
  const reserves = what === "start" ? 'insert into "files"' : 'update "files" set "size"';
  const DB = interceptQueries(env.DB, async (queries, proceed) => {
    if (queries.some(({ text }) => text.startsWith(reserves))) {
      await runSql("update api_keys set revoked_at = ? where id = ?", Date.now(), id);
    }
    return proceed();
  });
  return new Program(key, workerWith({ ...env, DB }));
}

describe("a key that is revoked after it was checked", () => {
  const REFUSAL = {
    code: "KEY_INVALID",
    message: "This API key is unknown, has run out or was revoked. Make another one on your account page.",
  };

  it("is refused as revoked when it starts something, and nothing is reserved [KEY-14]", async () => {
    const byTus = await answerOf(create(await endedBeforeReserving(), 5));
    const { example } = V1_CALLS.startUpload;
    const byUpload = await answerOf((await endedBeforeReserving()).post("/uploads", example.body));
    const { body } = V1_CALLS.startTransfer.example;
    const byTransfer = await answerOf((await endedBeforeReserving()).post("/transfers", body));
    for (const answer of [byTus, byUpload, byTransfer]) expect(answer).toEqual([401, REFUSAL]);
    expect(await monthlyUsage(person.email)).toEqual({ bytes: 0, transfers: 0 });
    expect(await rowOf("select count(*) as n from files where user_id = ?", person.id)).toEqual({ n: 0 });
  });

  it("is refused as revoked when what it sends grows [KEY-14]", async () => {
    const growing = await endedBeforeReserving("growth");
    const { id } = await start(growing, "/transfers");
    const totals = { entries: 9, bytes: 9_000_000 };
    expect(await answerOf(growing.post(`/transfers/${id}/files`, { totals }))).toEqual([401, REFUSAL]);
  });

  it("leaves no upload whose session starts after the key was revoked [KEY-14]", async () => {
    const tus = await startTus(5, program);
    // As it is between the reservation and the start of the session.
    await runInDurableObject(stubOf(tus.id), (_, { storage }) => storage.deleteAll());
    expect((await revoke(program)).status).toBe(200);
    expect(await statusOf(tus.id)).toBe("cancelled");
    expect(await monthlyUsage(person.email)).toEqual({ bytes: 0, transfers: 0 });
  });
});

describe("deleting an account", () => {
  it("deletes its keys in the first batch, when everything else is still there [KEY-15]", async () => {
    await start(program, "/uploads");
    await beginUserDeletion(servicesFor(env).db, person.id, Date.now());
    expect(await rowOf("select count(*) as n from api_keys where user_id = ?", person.id)).toEqual({ n: 0 });
    expect(await rowOf("select count(*) as n from users where id = ?", person.id)).toEqual({ n: 1 });
    expect(await answerOf(program.fetch("/me"))).toMatchObject([401, { code: "KEY_INVALID" }]);
  });
});
