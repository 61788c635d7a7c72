import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, expect, it, vi } from "vitest";
import { toBase64url } from "#domain/bytes-as-text.ts";
import { deriveLinkKeys, randomBytes, type Bytes } from "#domain/seal/keys.ts";
import { downloadsCounted } from "../support/downloads.ts";
import { Recipient } from "../support/recipient.ts";
import { hex } from "../support/seal/sealed-files.ts";
import { sendSealedTransfer, type StartedTransfer } from "../support/sealed-transfers.ts";
import {
  manifestOf,
  newSeal,
  putManifest,
  requireOk,
  sealAtStart,
  sealedBytes,
  SEALED_FILE,
  unlockSealed,
  unlockWith,
  type PlainFile,
  type Sealer,
} from "../support/sealed-uploads.ts";
import { logInAdmin, putIncoming, signUp, type Client } from "../support/worker.ts";

const utf8 = (text: string) => new Uint8Array(new TextEncoder().encode(text));

/** Words that occur nowhere else. */
const WORDS = [
  "Xylophon-Verzeichnis",
  "application/x-ganz-geheim",
  "Wir treffen uns in Quedlinburg",
  "Ausflug-nach-Zeitz",
];
const [NAME = "", TYPE = "", MESSAGE = "", TITLE = ""] = WORDS;
const FILE: PlainFile = { name: `${NAME}.bin`, type: TYPE, bytes: utf8("Klartext der Datei Nummer eins") };
const MANIFEST = { message: MESSAGE, title: TITLE };

const logged: unknown[] = [];

beforeEach(() => {
  logged.length = 0;
  for (const level of ["log", "info", "warn", "error", "debug"] as const) {
    vi.spyOn(console, level).mockImplementation((...line: unknown[]) => {
      logged.push(line);
    });
  }
});

/** Every row of every table, as text. */
async function dumpDatabase(): Promise<string> {
  const { results } = await env.DB.prepare(
    "select name from sqlite_master where type = 'table' and name not like '\\_cf%' escape '\\'",
  ).all<{ name: string }>();
  const tables = results.map(({ name }) => env.DB.prepare(`select * from "${name}"`));
  return JSON.stringify((await env.DB.batch(tables)).map((table) => table.results));
}

/** Everything that a Durable Object has stored, as text. */
function dumpObject(stub: DurableObjectStub): Promise<string> {
  return runInDurableObject(stub, (_, { storage }) => {
    const tables = storage.sql
      .exec<{ name: string }>(
        "select name from sqlite_master where type = 'table' and name not like '\\_cf%' escape '\\'",
      )
      .toArray();
    const rows = tables.map(({ name }) => storage.sql.exec(`select * from "${name}"`).toArray());
    return JSON.stringify([rows, [...storage.kv.list()]]);
  });
}

/** Keys, metadata and bytes of every object, the bytes one character each. */
async function dumpStorage(): Promise<string> {
  const { objects } = await env.BUCKET.list();
  const bodies = await Promise.all(
    objects.map(async ({ key, httpMetadata, customMetadata }) => {
      const body = new Uint8Array(await ((await env.BUCKET.get(key))?.arrayBuffer() ?? new ArrayBuffer(0)));
      return JSON.stringify([key, httpMetadata, customMetadata]) + new TextDecoder("latin1").decode(body);
    }),
  );
  return bodies.join("\n");
}

/** As text, bytes, hexadecimal and both kinds of Base64. */
function spellingsOf(secret: Bytes): string[] {
  const urlSafe = toBase64url(secret);
  const latin1 = new TextDecoder("latin1").decode(secret);
  return [
    latin1,
    hex(secret),
    urlSafe,
    btoa(String.fromCharCode(...secret)).replaceAll("=", ""),
    [...secret].join(","),
  ];
}

function secretsOf(sealer: Sealer, passwordHash: Bytes): Map<string, Bytes> {
  return new Map([
    ["the link's secret", sealer.linkSecret],
    ["the transfer's secret", sealer.secret],
    ["the access", sealer.link.access],
    ["the password's hash", passwordHash],
    ["the plaintext", FILE.bytes],
    ...WORDS.map((word) => [word, utf8(word)] as const),
  ]);
}

function leaksIn(places: Record<string, string>, secrets: Map<string, Bytes>): string[] {
  return Object.entries(places).flatMap(([place, text]) =>
    [...secrets]
      .filter(([, secret]) => spellingsOf(secret).some((spelling) => text.includes(spelling)))
      .map(([what]) => `${what} in ${place}`),
  );
}

/** A file, with everything that can be done with it and everything that can be refused. */
async function useFile(owner: Client, sealer: Sealer): Promise<{ uploadId: string; downloadId: string }> {
  const bytes = await sealedBytes(sealer, FILE.bytes);
  const seal = await sealAtStart(sealer, manifestOf([FILE], false, MANIFEST));
  const { uploadId, downloadId } = await owner.startUpload(bytes.length, { ...SEALED_FILE, seal });
  await putIncoming(uploadId, bytes);
  await owner.complete(downloadId);
  await putManifest(owner, uploadId, sealer, 7, manifestOf([FILE], true, MANIFEST));
  await requireOk(putManifest(owner, uploadId, sealer, 1, manifestOf([FILE], true, MANIFEST)));
  await requireOk(owner.complete(downloadId));
  await readFile(downloadId, sealer);
  await owner.fetch("/api/files");
  await owner.patch(`/api/files/${uploadId}`, { filename: "refused" });
  return { uploadId, downloadId };
}

async function readFile(downloadId: string, sealer: Sealer, end = "/content"): Promise<void> {
  const recipient = new Recipient();
  await recipient.fetch(`/download/${downloadId}`);
  await unlockWith(recipient, downloadId, randomBytes(32));
  await unlockSealed(recipient, downloadId, sealer);
  await recipient.fetch(`/api/files/download/${downloadId}${end}`).then((response) => response.arrayBuffer());
  await recipient.post(`/api/files/download/${downloadId}/opened`, {});
  await recipient.post(`/api/files/download/${downloadId}/report`, { reason: "other" });
}

async function lookAsAdmin({ uploadId, downloadId }: { uploadId: string; downloadId: string }): Promise<void> {
  const admin = await logInAdmin();
  await admin.fetch(`/api/admin/files/${downloadId}`);
  await requireOk(admin.post(`/api/admin/files/${uploadId}/take-down`, { reason: "A test of what is logged." }));
}

it("no row, no object, no byte and no log line holds a key, a password, a name, a type or a word of a sealed link [SEAL-20]", async () => {
  const owner = await signUp();
  const passwordHash = randomBytes(32);
  const plain = await newSeal(true);
  const sealer = { ...plain, link: await deriveLinkKeys(plain.linkSecret, passwordHash, plain.salt) };
  const file = await useFile(owner, sealer);
  const transfer: StartedTransfer = await sendSealedTransfer(owner, [FILE, { ...FILE, name: `${NAME}/2.bin` }]);
  await readFile(transfer.downloadId, transfer.sealer, "/entries/0/content");

  await downloadsCounted();
  const places = {
    "the database": await dumpDatabase(),
    "the upload's object": await dumpObject(env.UPLOADS.get(env.UPLOADS.idFromName(file.uploadId))),
    "the transfer's object": await dumpObject(env.TRANSFERS.get(env.TRANSFERS.idFromName(transfer.uploadId))),
    "the store": await dumpStorage(),
  };
  await lookAsAdmin(file);
  await lookAsAdmin(transfer);
  const all = { ...places, "the log": JSON.stringify(logged), "the database afterwards": await dumpDatabase() };
  // The search finds what is there.
  expect(all["the database"]).toContain(file.uploadId);
  expect(all["the transfer's object"]).toContain("sealed-00001");
  expect(all["the store"]).toContain(file.uploadId);
  expect(all["the log"]).toContain("/api/files/:id/manifest");
  expect(leaksIn({ check: all["the database"] }, new Map([["the salt", sealer.salt]]))).toEqual(["the salt in check"]);

  expect(leaksIn(all, secretsOf(sealer, passwordHash))).toEqual([]);
  expect(leaksIn(all, secretsOf(transfer.sealer, passwordHash))).toEqual([]);
});
