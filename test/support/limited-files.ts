import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { MINUTE_MS } from "#domain/units.ts";
import { DownloadGate } from "#durable-objects/gate/download-gate.ts";
import { namespaceWithEnv } from "./durable-objects-with-env.ts";
import { faultyEnv, type Fate } from "./faults.ts";
import { rowOf, runSql } from "./worker.ts";

export const SIZE_BYTES = 1000;
export const QUARTER = 15 * MINUTE_MS;
/** Never in the past: alarms that are due run at once. */
export const START = Date.UTC(2100, 0, 1, 12);

export type Stub = Pick<
  DurableObjectStub<DownloadGate>,
  "take" | "open" | "renew" | "ended" | "setLimit" | "forget" | "letGoOn"
>;

/** A row with a download limit, and its gate. */
export interface LimitedFile {
  id: string;
  gate: DurableObjectStub<DownloadGate>;
  limit: number;
}

export async function limitedFile(limit: number): Promise<LimitedFile> {
  const [id, downloadId] = [crypto.randomUUID(), crypto.randomUUID()];
  await runSql(
    `insert into files (id, filename, original_filename, size, mime_type, s3_key, download_id, status, expiration,
       created_at, uploaded_at, etag, reserved_period_start, abandon_at, max_downloads)
     values (?, 'a', 'a', ?, 'text/plain', ?, ?, 'ready', 'never', 0, 0, 'e', 0, 0, ?)`,
    id,
    SIZE_BYTES,
    `files/${id}`,
    downloadId,
    limit,
  );
  return { id, gate: env.GATES.get(env.GATES.idFromName(downloadId)), limit };
}

/** With D1 failing as `fate` says. */
export function gateWithFaults({ gate }: LimitedFile, fate: Fate): Stub {
  return namespaceWithEnv(
    env.GATES,
    DownloadGate,
    faultyEnv(env, fate, () => null),
  ).get(gate.id);
}

export function take(file: LimitedFile, lease: string, gate: Stub = file.gate) {
  return gate.take(lease, { fileId: file.id, sizeBytes: SIZE_BYTES, limit: file.limit, used: 0, expiresAt: null });
}

export function open(file: LimitedFile, lease: string, response: string, gate: Stub = file.gate) {
  const range = { response, resource: "file", from: 0, to: SIZE_BYTES };
  return gate.open(lease, { ...range, wholes: [[0, SIZE_BYTES]] });
}

export async function download(file: LimitedFile, lease: string, gate: Stub = file.gate): Promise<void> {
  expect(await take(file, lease, gate)).toMatchObject({ ok: true });
  expect(await open(file, lease, `of ${lease}`, gate)).toEqual({ ok: true, lease });
  await gate.ended(lease, `of ${lease}`, SIZE_BYTES, SIZE_BYTES);
}

export function rowOfFile({ id }: LimitedFile) {
  return rowOf<{
    used: number;
    endedAt: number | null;
    expiresAt: number | null;
    reason: string | null;
    limit: number;
  }>(
    `select downloads_used as used, ended_at as endedAt, expires_at as expiresAt, end_reason as reason,
       max_downloads as "limit" from files where id = ?`,
    id,
  );
}

export async function waitForUsed(file: LimitedFile, used: number): Promise<void> {
  await expect.poll(async () => (await rowOfFile(file)).used).toBe(used);
}

export async function evict({ gate }: LimitedFile): Promise<void> {
  // Loads the object first: evicting one that is not in memory fails.
  await runInDurableObject(gate, () => undefined);
  await evictDurableObject(gate);
}

/** All rows of the gate's own tables; null when there is nothing. */
export function tablesOf({ gate }: LimitedFile): Promise<Record<string, unknown[]> | null> {
  return runInDurableObject(gate, (_, { storage: { sql } }) => {
    const found = sql.exec("select 1 from sqlite_master where name = 'link'").toArray();
    if (found.length === 0) return null;
    return Object.fromEntries(
      ["link", "leases", "spans"].map((table) => [table, sql.exec(`select * from ${table}`).toArray()]),
    );
  });
}
