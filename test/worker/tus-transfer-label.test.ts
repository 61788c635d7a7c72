import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { makeKey, Program } from "../support/v1.ts";
import { workerWith } from "../support/worker-with-env.ts";
import { create, metadata, tusOf, call } from "../support/tus.ts";
import { answerOf, rowOf, runSql, signUp } from "../support/worker.ts";

type Person = Awaited<ReturnType<typeof signUp>>;

const send = workerWith({ ...env, RATE_LIMITS: "on" });

let person: Person;
let program: Program;

beforeEach(async () => {
  person = await signUp();
  program = await newProgram();
});

/** Of the person, on the free plan, with the limits on. */
async function newProgram(): Promise<Program> {
  return new Program((await makeKey(person)).key, send);
}

function start(transfer?: string, from = program): Promise<Response> {
  return create(from, 5, { "upload-metadata": metadata({ filename: "a.txt", ...(transfer && { transfer }) }) });
}

async function startAll(labels: (string | undefined)[]): Promise<number[]> {
  const answers = await Promise.all(labels.map((label) => start(label)));
  return answers.map(({ status }) => status).sort();
}

const TOO_MANY =
  "You have 5 unfinished uploads, the maximum of your plan. Finish or discard one on your dashboard, then try again.";

describe("uploads with the same transfer in their metadata", () => {
  it("count as one unfinished upload, also in parallel [TUS-11]", async () => {
    expect(await startAll(Array<string>(15).fill("photos"))).toEqual(Array<number>(15).fill(201));
    expect(await startAll([undefined, "films", undefined, undefined])).toEqual([201, 201, 201, 201]);
    expect(await answerOf(start())).toMatchObject([429, { code: "RATE_LIMITED", message: TOO_MANY }]);
    expect((await start("songs")).status).toBe(429);
    expect((await start("photos")).status).toBe(201);
  });

  it("make room when the last of them has ended [TUS-11]", async () => {
    const [first, second] = [await tusOf(start("photos")), await tusOf(start("photos"))];
    expect(await startAll(["a", "b", "c", "d"])).toEqual([201, 201, 201, 201]);
    await call(first.path, "DELETE");
    expect((await start()).status).toBe(429);
    await call(second.path, "DELETE");
    expect((await start()).status).toBe(201);
  });

  it("are those of one key [TUS-11]", async () => {
    const other = await newProgram();
    expect(await startAll(["photos", "a", "b", "c"])).toEqual([201, 201, 201, 201]);
    expect((await start("photos", other)).status).toBe(201);
    expect((await start("films", other)).status).toBe(429);
    expect((await start("photos", other)).status).toBe(201);
    expect((await start("photos")).status).toBe(201);
  });

  it("are links of their own, and at most a hundred in all [TUS-11]", async () => {
    const { id, downloadId } = await tusOf(start("photos"));
    expect((await tusOf(start("photos"))).downloadId).not.toBe(downloadId);
    await runSql(
      `insert into files (id, user_id, filename, original_filename, size, mime_type, s3_key, download_id, expiration,
         created_at, reserved_period_start, abandon_at, api_key_id, transfer_label)
       select ?1 || '-' || value, user_id, 'f', 'f', 0, 'text/plain', ?1 || value, ?1 || value, '1d', 0, 0, 4e12,
         api_key_id, transfer_label
       from files, json_each(?2) where files.id = ?1`,
      id,
      JSON.stringify(Array.from({ length: 98 }, (_, n) => n)),
    );
    const message = TOO_MANY.replace("5", "100");
    expect(await answerOf(start("photos"))).toMatchObject([429, { code: "RATE_LIMITED", message }]);
    expect(await rowOf("select count(*) as n from files where user_id = ?", person.id)).toEqual({ n: 100 });
  });

  it("have a label of at most 64 characters [TUS-11]", async () => {
    expect((await start("é".repeat(64))).status).toBe(201);
    expect(await answerOf(start("é".repeat(65)))).toEqual([
      400,
      { code: "BAD_REQUEST", message: 'What "transfer" says in Upload-Metadata has at most 64 characters.' },
    ]);
  });
});
