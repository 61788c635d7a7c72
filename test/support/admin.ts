import { createScheduledController } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect } from "vitest";
import type { AdminLogEntry, Paged } from "#domain/wire.ts";
import worker from "#worker/index.ts";
import type { Client } from "./worker.ts";

/** Fetches JSON and expects status 200. */
export async function read<Answer>(admin: Client, path: string): Promise<Answer> {
  const response = await admin.fetch(path);
  expect(response.status, path).toBe(200);
  return response.json();
}

export async function runCron(): Promise<void> {
  await worker.scheduled(createScheduledController({ scheduledTime: new Date() }), env);
}

/** The audit log's entries for a target, oldest first: action, administrator, details. */
export async function auditEntriesFor(admin: Client, target: string): Promise<[string, string, string][]> {
  const { items } = await read<Paged<AdminLogEntry>>(admin, `/api/admin/admin-log?page=1&target=${target}`);
  return items
    .map(({ action, adminName, details }): [string, string, string] => [action, adminName, details])
    .reverse();
}
