import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect } from "vitest";
import type { Entry } from "#domain/transfers/pages.ts";
import type { TransferBatch, CompletedObjectPart } from "#domain/wire.ts";
import type { TransferRecord } from "#durable-objects/transfer/state.ts";
import { TransferStore } from "#durable-objects/transfer/store.ts";
import type { TransferSession } from "#durable-objects/transfer/transfer-session.ts";
import { numberedPrefix } from "#worker/storage/keys.ts";
import { faultyEnv, type Fate } from "../support/faults.ts";
import { storedKeys } from "../support/storage-and-rows.ts";
import { listOf as readList } from "../support/transfer-lists.ts";
import { join, putObject, startTransfer, type TransferFile } from "../support/transfers.ts";
import { clientFrom } from "../support/worker-with-env.ts";
import { rowOf, signUp, type Client } from "../support/worker.ts";

export type Batch = Partial<TransferBatch> & Record<string, unknown>;

export interface Transfer {
  owner: Client & { id: string; email: string };
  id: string;
  downloadId: string;
  stub: DurableObjectStub<TransferSession>;
  /** Of object 0, whose URLs came with the start; none for an object that was not opened. */
  sendPack(bytes: Uint8Array<ArrayBuffer>): Promise<CompletedObjectPart[]>;
}

/** Starts a transfer with a new account. */
export async function start(files: TransferFile[], more: Record<string, unknown> = {}): Promise<Transfer> {
  const owner = await signUp();
  const started = await startTransfer(owner, files, more);
  return {
    owner,
    id: started.uploadId,
    downloadId: started.downloadId,
    stub: env.TRANSFERS.get(env.TRANSFERS.idFromName(started.uploadId)),
    sendPack: (bytes) => putObject(started, 0, bytes),
  };
}

/** Opens object 0 with all files. */
export function startPack(files: TransferFile[], more: Record<string, unknown> = {}): Promise<Transfer> {
  return start(files, { open: [{ object: 0, runs: [[0, files.length]] }], ...more });
}

export function bytesOf(files: TransferFile[]): Uint8Array<ArrayBuffer> {
  return join(files.map(({ bytes }) => bytes));
}

/** The transfer's owner, when storage fails as `fate` says. */
export function ownerWithFaults({ owner }: Transfer, fate: Fate): Client {
  return clientFrom(
    "192.0.2.1",
    faultyEnv(env, () => null, fate),
    owner.cookie,
  );
}

export async function evict({ stub }: Transfer): Promise<void> {
  // Loads the object first: evicting one that is not in memory fails.
  await runInDurableObject(stub, () => undefined);
  await evictDurableObject(stub);
}

function inStore<Result>({ stub }: Transfer, read: (store: TransferStore) => Result): Promise<Result> {
  return runInDurableObject(stub, (_, { storage }) => read(new TransferStore(storage)));
}

export function recordOf(transfer: Transfer): Promise<TransferRecord | null> {
  return inStore(transfer, (store) => store.find());
}

/** Simulates a crash or passed time: changes the stored record and evicts the object. */
export async function changeRecord(transfer: Transfer, change: Partial<TransferRecord>): Promise<void> {
  await inStore(transfer, (store) => {
    const record = store.find();
    if (!record) throw new Error("the transfer has no record");
    store.save({ ...record, ...change });
  });
  await evict(transfer);
}

/** Runs the alarm before its time, and repeats it after an eviction, as the platform may. */
export async function runAlarmTwice(transfer: Transfer): Promise<void> {
  expect(await runDurableObjectAlarm(transfer.stub)).toBe(true);
  await evict(transfer);
  await runDurableObjectAlarm(transfer.stub);
}

/** By object number. */
export function phasesOf(transfer: Transfer): Promise<Record<number, string>> {
  return inStore(transfer, (store) => {
    const objects = store.objects.list("open", "joining", "stored", "rejected", "dropped");
    return Object.fromEntries(objects.map(({ object, phase }) => [object, phase]));
  });
}

export async function waitForPhases(transfer: Transfer, phases: Record<number, string>): Promise<void> {
  await expect.poll(() => phasesOf(transfer)).toEqual(phases);
}

/** All rows of the session's own tables. */
export function tablesOf({ stub }: Transfer): Promise<Record<string, unknown[]>> {
  return runInDurableObject(stub, (_, { storage }) =>
    Object.fromEntries(
      ["entries", "removed", "sender_sums", "objects", "parts"].map((table) => [
        table,
        storage.sql.exec(`select * from ${table}`).toArray(),
      ]),
    ),
  );
}

export function keysOf({ id }: Transfer): Promise<string[]> {
  return storedKeys(numberedPrefix(id));
}

/** As storage holds it. */
export async function textOf({ id }: Transfer, object: number): Promise<string | undefined> {
  const stored = await env.BUCKET.get(`${numberedPrefix(id)}${String(object).padStart(5, "0")}`);
  return stored?.text();
}

export function rowOfTransfer({ id }: Transfer) {
  return rowOf<{ status: string; size: number; entryCount: number; etag: string; expiresAt: number }>(
    "select status, size, entry_count as entryCount, etag, expires_at as expiresAt from files where id = ?",
    id,
  );
}

export function monthOf({ owner }: Transfer) {
  return rowOf<{ bytes: number; transfers: number }>(
    "select monthly_upload_total as bytes, monthly_transfer_count as transfers from users where id = ?",
    owner.id,
  );
}

/** The list of a ready transfer. Empty without one. */
export function listOf({ id }: Transfer): Promise<Entry[]> {
  return readList(id);
}

/** Row, month, storage and session agree that it has ended without a file. */
export async function expectEnded(transfer: Transfer, status: "failed" | "cancelled"): Promise<void> {
  expect(await rowOfTransfer(transfer)).toMatchObject({ status });
  expect(await monthOf(transfer)).toEqual({ bytes: 0, transfers: 0 });
  expect(await keysOf(transfer)).toEqual([]);
  expect(await listOf(transfer)).toEqual([]);
  expect(await recordOf(transfer)).toMatchObject({ phase: status, cleanedUp: true });
}
