// @module-tag long
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { DAY_MS, MINUTE_MS } from "#domain/units.ts";
import { ORPHAN_MIN_AGE_MS } from "#domain/upload-lifetime.ts";
import type { ReconciliationFinding } from "#domain/wire.ts";
import { servicesFor } from "#worker/services.ts";
import { inspectWindow, reconcile } from "#worker/sweep/reconciliation.ts";
import { sweep } from "#worker/sweep/sweep.ts";
import { FILM, FILM_PART, FILM_PARTS, FILM_SIZE, openObject, sendParts } from "../support/film-transfers.ts";
import { emptyStorageAndTables, storedKeys } from "../support/storage-and-rows.ts";
import { listOf, putListInD1, storedIn } from "../support/transfer-lists.ts";
import { finish, putObject, startTransfer, textFile } from "../support/transfers.ts";
import { rowOf, runSql, signUp, type Client } from "../support/worker.ts";

const services = servicesFor(env);

beforeEach(emptyStorageAndTables);

/** Two packs, by default of 10 and of 4 bytes. @param first the first file's text */
async function sendTwoPacks(person: Client, first = "first"): Promise<string> {
  const files = [textFile("a.txt", first), textFile("b.txt", "other"), textFile("c.txt", "last")];
  const open = [
    { object: 0, runs: [[0, 2]] },
    { object: 3, runs: [[2, 1]] },
  ];
  const started = await startTransfer(person, files, { open });
  const receipts = [
    ...(await putObject(started, 0, textFile("", `${first}other`).bytes)),
    ...(await putObject(started, 3, textFile("", "last").bytes)),
  ];
  const finished = await finish(person, started.downloadId, receipts);
  if (!finished.ok) throw new Error(await finished.text());
  return started.uploadId;
}

async function findings(windowSize?: number): Promise<ReconciliationFinding[]> {
  const found: ReconciliationFinding[] = [];
  const now = Date.now() + ORPHAN_MIN_AGE_MS + MINUTE_MS;
  // Living files, although a day later.
  await runSql("update files set expires_at = null where status = 'ready' and expires_at > ?", Date.now());
  for (let after: string | null = ""; after !== null;) {
    const window = await inspectWindow(services, after, now, windowSize);
    found.push(...window.findings);
    after = window.next;
  }
  return found;
}

/** A film in nine segments, numbers 0 to 8, a note in object 9, and another in object 10. */
async function sendFilm(person: Client): Promise<string> {
  const notes = [textFile("a.txt", "note"), textFile("b.txt", "more")];
  const { uploadId, downloadId } = await startTransfer(person, [FILM, ...notes]);
  const transfer = { owner: person, downloadId };
  await openObject(transfer, 0, 0);
  await sendParts(transfer, FILM_PARTS);
  const receipts = [];
  for (const [at, { bytes }] of notes.entries())
    receipts.push(...(await putObject(await openObject(transfer, at + 1, at + 1), at + 1, bytes)));
  const finished = await finish(person, downloadId, receipts);
  if (!finished.ok) throw new Error(await finished.text());
  return uploadId;
}

describe("the reconciliation of transfers", () => {
  it.each([1000, 1, 2])("knows the objects of a transfer, in windows of %i", async (windowSize) => {
    const person = await signUp();
    await sendTwoPacks(person);
    await startTransfer(person, [textFile("x.txt")], { open: [{ object: 0, runs: [[0, 1]] }] });
    expect(await findings(windowSize)).toEqual([]);
    const later = Date.now() + 9 * DAY_MS;
    await reconcile(services, () => later);
    expect(await storedKeys()).toHaveLength(2);
  });

  it.each([1000, 1])("reports a transfer with a missing object once, in windows of %i", async (windowSize) => {
    const id = await sendTwoPacks(await signUp());
    await env.BUCKET.delete(`files/${id}/00003`);
    expect(await findings(windowSize)).toEqual([{ kind: "lost", s3Key: `files/${id}/`, fileId: id, size: 14 }]);
  });

  it("knows the segments of a transfer's large file, and misses one that is gone or too short [FOL-22]", async () => {
    const person = await signUp();
    const id = await sendFilm(person);
    expect(await findings()).toEqual([]);
    // After a removal, the size of each object is compared with the list.
    await person.delete(`/api/files/${id}/entries/2`);
    expect(await findings(3)).toEqual([]);
    const lost = [{ kind: "lost", s3Key: `files/${id}/`, fileId: id, size: FILM_SIZE + 4 }];
    await env.BUCKET.put(`files/${id}/00004`, new Uint8Array(FILM_PART - 1));
    await env.BUCKET.put(`files/${id}/00009`, "note and more");
    expect(await findings()).toEqual(lost);
  });

  it("finds nothing of a large file that was removed, and its segments are deleted at once [FOL-24]", async () => {
    const person = await signUp();
    const id = await sendFilm(person);
    await person.delete(`/api/files/${id}/entries/0`);
    expect(await storedKeys()).toEqual([`files/${id}/00009`, `files/${id}/00010`]);
    expect(await rowOf("select count(*) as n from entry_wipes")).toEqual({ n: 0 });
    expect(await findings()).toEqual([]);
  });

  it("does not miss an object whose files were all removed", async () => {
    const person = await signUp();
    const id = await sendTwoPacks(person);
    await person.delete(`/api/files/${id}/entries/2`);
    expect(await storedKeys()).toEqual([`files/${id}/00000`]);
    expect(await findings()).toEqual([]);
  });

  it("misses an object beside zeros of removed files", async () => {
    const person = await signUp();
    const id = await sendTwoPacks(person);
    await person.delete(`/api/files/${id}/entries/0`);
    expect(await findings()).toEqual([]);
    await env.BUCKET.put(`files/${id}/00003`, "too long");
    expect(await findings()).toEqual([{ kind: "lost", s3Key: `files/${id}/`, fileId: id, size: 9 }]);
  });

  it("misses an object of as many bytes as the zeros of removed files", async () => {
    const person = await signUp();
    const id = await sendTwoPacks(person, "four");
    await person.delete(`/api/files/${id}/entries/0`);
    expect(await findings()).toEqual([]);
    await env.BUCKET.delete(`files/${id}/00003`);
    expect(await findings()).toEqual([{ kind: "lost", s3Key: `files/${id}/`, fileId: id, size: 9 }]);
  });

  it("reads the lists of more than 50 transfers in several windows", async () => {
    const person = await signUp();
    const id = await sendTwoPacks(person);
    await person.delete(`/api/files/${id}/entries/0`);
    await putListInD1(id);
    const { results } = await env.DB.prepare("select name from pragma_table_info('files')").all<{ name: string }>();
    const columns = results.map(({ name }) => name);
    const copied = (column: string) =>
      ["id", "s3_key", "download_id"].includes(column) ? `replace(${column}, ?1, ?2)` : column;
    const copies = Array.from({ length: 60 }, (_, n) => `zz-${String(n).padStart(2, "0")}`);
    for (const copy of copies) {
      await runSql("update files set download_id = id where id = ?", id);
      await runSql(
        `insert into files (${columns.join()}) select ${columns.map(copied).join()} from files where id = ?1`,
        id,
        copy,
      );
      await runSql(
        "insert into transfer_pages select ?2, page, entries from transfer_pages where file_id = ?1",
        id,
        copy,
      );
      await env.BUCKET.put(`files/${copy}/00000`, "zerosother");
      await env.BUCKET.put(`files/${copy}/00003`, "last");
    }
    expect(await findings()).toEqual([]);
    await env.BUCKET.put("files/zz-59/00003", "other");
    expect(await findings()).toEqual([{ kind: "lost", s3Key: "files/zz-59/", fileId: "zz-59", size: 9 }]);
  });

  it("finds each object without a row, and numbers that the transfer never had", async () => {
    const id = await sendTwoPacks(await signUp());
    for (const key of [`files/${id}/00004`, "files/gone/00000", "files/gone/00001"]) await env.BUCKET.put(key, "x");
    const found = await findings();
    expect(found.map(({ kind, s3Key, fileId }) => [kind, s3Key, fileId]).sort()).toEqual(
      [
        ["orphan", `files/${id}/00004`, id],
        ["orphan", "files/gone/00000", null],
        ["orphan", "files/gone/00001", null],
      ].sort(),
    );
  });
});

describe("the sweep of an expired transfer", () => {
  it("deletes every object, and what is known of single files", async () => {
    const person = await signUp();
    const [ended, living] = [await sendTwoPacks(person), await sendTwoPacks(person)];
    for (const id of [ended, living]) {
      await runSql("insert into entry_downloads (file_id, n, count) values (?, 0, 1)", id);
      await runSql("insert into entry_wipes values (?, 0, 5, ?, 0)", `files/${id}/00000`, id);
    }
    await runSql("update files set expires_at = 1 where id = ?", ended);
    expect(await sweep(services, Date.now)).toMatchObject({ expiredFiles: 1, finished: true });
    expect(await storedKeys()).toEqual([`files/${living}/00000`, `files/${living}/00003`]);
    for (const table of ["entry_downloads", "entry_wipes"]) {
      expect(await rowOf(`select group_concat(file_id) as ids from ${table}`)).toEqual({ ids: living });
    }
    expect(await storedIn(ended)).toEqual([]);
    expect((await listOf(living)).map(({ path }) => path)).toEqual(["a.txt", "b.txt", "c.txt"]);
  });

  it("pays for the calls of a transfer with many objects", async () => {
    const id = await sendTwoPacks(await signUp());
    await runSql("update files set expires_at = 1, object_count = 20000 where id = ?", id);
    // The claim, 20 calls of 1,000 keys, a call for the list, and the note.
    expect(await sweep(services, Date.now, { ms: 10_000, calls: 22 })).toMatchObject({ finished: false });
    expect(await storedKeys()).toHaveLength(2);
    expect(await sweep(services, Date.now, { ms: 10_000, calls: 200 })).toMatchObject({ expiredFiles: 1 });
    expect(await storedKeys()).toEqual([]);
  });

  it("is what the owner's and the account's deletion do at once", async () => {
    const person = await signUp();
    const id = await sendTwoPacks(person);
    await sendTwoPacks(person);
    expect((await person.delete(`/api/files/${id}`)).status).toBe(200);
    expect(await storedKeys(`files/${id}/`)).toEqual([]);
    expect(await storedIn(id)).toEqual([]);
    await person.fetch("/api/auth/account", {
      method: "DELETE",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ password: "a good password" }),
    });
    await expect.poll(() => storedKeys()).toEqual([]);
  });
});
