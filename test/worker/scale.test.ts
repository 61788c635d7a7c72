// @module-tag long
import { env } from "cloudflare:workers";
import { beforeAll, expect, it } from "vitest";
import { Client, logInAdmin, putOnPlan, signUp } from "../support/worker.ts";
import { workerWith } from "../support/worker-with-env.ts";
import { recordQueryCost, type QueryCost } from "#test/support/query-cost.ts";

declare global {
  // oxlint-disable-next-line typescript/no-namespace -- how generated Env types are extended
  namespace Cloudflare {
    interface Env {
      SCALE_FILES: string;
      SCALE_MOST_MS: string;
    }
  }
}

/** Lists count at most ten thousand rows, so a page must cost the same with more. */
const FILES = Number(env.SCALE_FILES);
const USERS = Math.max(24_000, FILES / 10);
const FILES_OF_ONE_USER = 10_000;

const PAGES = [
  "/api/files?page=1",
  "/api/files?page=100&sort=oldest",
  "/api/files?page=1&sort=largest",
  "/api/files?page=1&q=report",
  "/api/admin/users?page=1",
  "/api/admin/users?page=100&sort=oldest",
  "/api/admin/users?page=1&sort=email",
  "/api/admin/users?page=1&q=scaled",
  "/api/admin/users/owner/files?page=1",
  "/api/admin/users/owner/files?page=100&sort=largest",
  "/api/admin/users/owner/files?page=1&q=report",
  "/api/admin/files/expired?page=1",
  "/api/admin/files/expired?page=100",
  "/api/admin/files/expired?page=1&q=scaled",
  "/api/admin/upload-log?page=1",
  "/api/admin/overview",
  "/api/files/download/0000000000000000000001",
];

let person: Client & { id: string; email: string };
let admin: Client;

beforeAll(async () => {
  person = await signUp();
  await putOnPlan(person.email, "ultimate");
  admin = await logInAdmin();
});

/** Generates rows in SQL, 20,000 per statement. */
async function insertRows(from: number, to: number, insertion: string, ...values: unknown[]): Promise<void> {
  for (let start = from; start < to; start += 20_000) {
    const end = Math.min(start + 20_000, to);
    const numbers = `with recursive n(i) as (select ${start + 1} union all select i + 1 from n where i < ${end})`;
    await env.DB.prepare(`${numbers} ${insertion}`)
      .bind(...values)
      .run();
  }
}

/** Half of the files have expired; the first ten thousand belong to one user. */
async function fill(files: [number, number], users: [number, number]): Promise<void> {
  await insertRows(
    ...users,
    `insert into users (id, email, current_period_start, current_period_end, created_at, updated_at)
     select 'scaled-' || i, 'scaled-' || i || '@example.com', 0, 4e15, i, i from n`,
  );
  await insertRows(
    ...files,
    `insert into files (id, user_id, filename, original_filename, size, mime_type, s3_key, download_id, status,
       expiration, created_at, uploaded_at, expires_at, etag, reserved_period_start, abandon_at)
     select 'scaled-' || i, case when i <= ${FILES_OF_ONE_USER} then ?1 else 'scaled-' || (i % ${USERS / 2} + 1) end,
       'scaled report ' || i, 'f', i, 'text/plain', 'files/scaled-' || i, printf('%022d', i), 'ready', '1d', i, i,
       case when i % 2 = 0 and i > ${FILES_OF_ONE_USER} then 1000 + i else 4e15 end, 'e', 0, 0 from n`,
    person.id,
  );
  await insertRows(
    ...files,
    `insert into upload_audit_logs (id, original_filename, file_size, mime_type, status, error_code, timestamp)
     select 'scaled-' || i, 'f', 1, 'text/plain', 'success', 'COMPLETED', i from n`,
  );
}

async function measureAll(): Promise<Map<string, QueryCost>> {
  const costs = new Map<string, QueryCost>();
  for (const page of PAGES) {
    const { DB, measure } = recordQueryCost(env.DB);
    const { cookie } = page.startsWith("/api/admin") ? admin : person;
    const path = page.replace("/owner/", `/${person.id}/`);
    const answer = await new Client(cookie, workerWith({ ...env, DB })).fetch(path);
    expect([page, answer.status]).toEqual([page, 200]);
    costs.set(page, await measure());
  }
  return costs;
}

/** For differences such as the number of sessions. */
const LEEWAY_ROWS = 50;

it("the cost of a page does not grow with the tables", { timeout: 1_200_000 }, async () => {
  await fill([0, FILES / 2], [0, USERS / 2]);
  const before = await measureAll();
  await fill([FILES / 2, FILES], [USERS / 2, USERS]);
  const after = await measureAll();
  for (const [page, { rows, ms }] of after) {
    console.log(`measured ${page}: ${rows} rows read, ${ms.toFixed(1)} ms`);
    expect.soft(rows, page).toBeLessThanOrEqual((before.get(page)?.rows ?? 0) + LEEWAY_ROWS);
    if (env.SCALE_MOST_MS !== "") expect.soft(ms, page).toBeLessThan(Number(env.SCALE_MOST_MS));
  }
});
