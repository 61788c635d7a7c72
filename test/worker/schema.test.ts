import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { limitFor } from "#domain/plans.ts";
import { FILE_ORDERS } from "#domain/wire.ts";
import {
  changeBilling,
  findEventCustomer,
  listEndedMonths,
  type BillingChange,
  type BillingRow,
} from "#worker/db/billing.ts";
import type { Database } from "#worker/db/client.ts";
import { claimExpiredFiles, findFileByDownloadId, listFilesOf } from "#worker/db/files.ts";
import { deleteOldRows, OTHER_OLD_ROWS } from "#worker/db/retention.ts";
import { type NewFile, listPossiblyAbandoned, reserveFile } from "#worker/db/uploads.ts";
import { queryPlansOf } from "../support/query-plan.ts";

/** The specified entities and their columns. Passwords and tokens have their own tables. */
const ENTITIES = {
  users: `id username email is_admin plan_type stripe_customer_id stripe_subscription_id monthly_upload_total
    monthly_transfer_count current_period_start current_period_end is_verified verification_token
    verification_token_expiry`,
  files: `id filename original_filename size user_id s3_key download_id mime_type uploaded_at expires_at download_count
    is_expired s3_deleted_at admin_deleted`,
  subscriptions: `id user_id plan_type stripe_subscription_id stripe_customer_id current_period_start
    current_period_end status cancel_at_period_end created_at updated_at`,
  upload_audit_logs: `id user_id original_filename file_size mime_type ip_address user_agent status error_message
    error_code timestamp`,
  contact_submissions: "id name email subject message is_read created_at ip_address user_agent",
  seo_content: `id page title description keywords og_title og_description og_image twitter_title twitter_description
    twitter_image structured_data canonical_url updated_at created_at`,
  page_content: "id title slug content last_updated_by updated_at created_at",
  sessions: "id user_id token expires_at",
  accounts: "id user_id account_id provider_id password",
  verifications: "id identifier value expires_at",
  stripe_events: "id type handled_at",
};

type Row = Record<string, string | number | null>;

/** The required columns of each table. */
const REQUIRED: Record<string, () => Row> = {
  users: () => ({ id: unique(), email: unique(), current_period_start: 0, current_period_end: 1, ...STAMPS }),
  files: () => ({
    id: unique(),
    filename: "a",
    original_filename: "a",
    size: 0,
    mime_type: "text/plain",
    s3_key: unique(),
    download_id: unique(),
    expiration: "3d",
    created_at: 0,
    reserved_period_start: 0,
    abandon_at: 0,
  }),
  upload_audit_logs: () => ({
    id: unique(),
    original_filename: "a",
    file_size: 1,
    mime_type: "text/plain",
    status: "success",
    timestamp: 0,
  }),
  contact_submissions: () => ({ id: unique(), name: "a", email: "b", subject: "c", message: "d", created_at: 0 }),
  seo_content: () => ({ id: unique(), page: unique(), title: "a", description: "b", keywords: "c", ...STAMPS }),
  page_content: () => ({ id: unique(), title: "a", slug: unique(), content: "b", ...STAMPS }),
};
const STAMPS = { created_at: 0, updated_at: 0 };

function unique(): string {
  return crypto.randomUUID();
}

/** @returns the stored row with defaults */
async function insert(table: string, change: Row = {}): Promise<Row> {
  const row = { ...REQUIRED[table]?.(), ...change };
  const names = Object.keys(row);
  const stored = await env.DB.prepare(
    `insert into ${table} (${names.join(", ")}) values (${names.map(() => "?").join(", ")}) returning *`,
  )
    .bind(...Object.values(row))
    .first<Row>();
  return stored ?? expect.unreachable();
}

async function subscription(change: Row = {}): Promise<Row> {
  const { id } = await insert("users");
  REQUIRED.subscriptions = () => ({
    id: unique(),
    user_id: id ?? null,
    plan_type: "free",
    status: "active",
    ...STAMPS,
  });
  return insert("subscriptions", change);
}

describe("every specified entity", () => {
  it.each(Object.entries(ENTITIES))(
    "%s has its table and all columns [AUTH-17, ENT-1, ENT-4, ENT-7, ENT-8, ENT-10, ENT-11, ENT-13]",
    async (table, fields) => {
      const { results } = await env.DB.prepare("select name from pragma_table_info(?)")
        .bind(table)
        .all<{ name: string }>();
      expect(results.map(({ name }) => name)).toEqual(expect.arrayContaining(fields.split(/\s+/)));
    },
  );

  it("has the specified defaults [CONST-8, ENT-3, ENT-5, ENT-7]", async () => {
    expect(await insert("users")).toMatchObject({
      username: null,
      is_admin: 0,
      plan_type: "free",
      monthly_upload_total: 0,
      monthly_transfer_count: 0,
      is_verified: 0,
    });
    expect(await insert("files")).toMatchObject({
      user_id: null,
      status: "uploading",
      expiration_chosen: 0,
      download_count: 0,
      is_expired: 0,
      admin_deleted: 0,
      expires_at: null,
      s3_deleted_at: null,
      guard_revision: 0,
      max_downloads: null,
      downloads_used: 0,
    });
    expect(await subscription()).toMatchObject({ cancel_at_period_end: 0 });
    expect(await insert("contact_submissions")).toMatchObject({ is_read: 0 });
    expect(await insert("page_content")).toMatchObject({ last_updated_by: "admin" });
    expect(await insert("seo_content")).toMatchObject({ og_title: null, structured_data: null });
    expect(await insert("upload_audit_logs")).toMatchObject({ user_id: null, error_code: null });
  });
});

describe("the database rejects", () => {
  it.each<[string, Row]>([
    ["users", { monthly_upload_total: -1 }],
    ["users", { monthly_transfer_count: -1 }],
    ["files", { size: -1 }],
    ["files", { status: "done" }],
    ["files", { max_downloads: 0 }],
    ["files", { max_downloads: 1001 }],
    ["files", { status: "ready", uploaded_at: null, etag: "e" }],
    ["files", { status: "ready", uploaded_at: 1, etag: null }],
    ["upload_audit_logs", { status: "unknown" }],
  ])("%s with %j", async (table, fault) => {
    await expect(insert(table, fault)).rejects.toThrow(/CHECK constraint failed/);
  });

  it.each([
    ["users", "email"],
    ["files", "download_id"],
    ["files", "s3_key"],
    ["seo_content", "page"],
    ["page_content", "slug"],
  ])("a second %s with the same %s [ENT-2, ENT-5, ENT-11, ENT-14]", async (table, field) => {
    const first = await insert(table);
    await expect(insert(table, { [field]: first[field] ?? null })).rejects.toThrow(/UNIQUE constraint failed/);
  });

  it.each(Object.entries(REQUIRED).flatMap(([table, row]) => Object.keys(row()).map((field) => [table, field])))(
    "%s without %s",
    async (table = "", field = "") => {
      await expect(insert(table, { [field]: null })).rejects.toThrow(/NOT NULL constraint failed/);
    },
  );

  it("a file of an unknown user, but keeps the file of a deleted user", async () => {
    await expect(insert("files", { user_id: "nobody" })).rejects.toThrow(/FOREIGN KEY constraint failed/);
    const { id } = await insert("users");
    const file = await insert("files", { user_id: id ?? null });
    await env.DB.prepare("delete from users where id = ?").bind(id).run();
    const left = await env.DB.prepare("select user_id from files where id = ?").bind(file.id).first();
    expect(left).toEqual({ user_id: null });
  });
});

/** Leaves out the plan of the labels, which reads and sorts labelled files alone (FIND-6). */
const withoutLabels = (plans: string[]) => plans.filter((plan) => !plan.includes("INDEX files_labelled "));

describe("queries on files use an index", () => {
  it.each<[string, string, (db: Database) => Promise<unknown>]>([
    ["a link", "files_download_id", (db) => findFileByDownloadId(db, "d")],
    ["an owner's newest files", "files_listed", (db) => listFilesOf(db, "u", { order: "newest", search: "", page: 9 })],
    ["an owner's oldest files", "files_listed", (db) => listFilesOf(db, "u", { order: "oldest", search: "", page: 1 })],
    ["the sweep of expired files", "files_sweep", (db) => claimExpiredFiles(db, 1, 10)],
    ["the sweep of abandoned uploads", "files_abandoned", (db) => listPossiblyAbandoned(db, 1, 10)],
  ])("%s: %s, without reading or sorting other rows", async (_what, index, run) => {
    const plans = withoutLabels(await queryPlansOf(run));
    for (const plan of plans) {
      const inFiles = `SEARCH files USING (?:COVERING )?INDEX ${index} `;
      expect(plan).toMatch(new RegExp(`${inFiles}|SEARCH file_counts USING INDEX sqlite_autoindex`));
      expect(plan).not.toMatch(/SCAN|TEMP B-TREE/);
    }
    expect(plans.length).toBeGreaterThan(0);
  });

  it.each(FILE_ORDERS)("an owner's files by %s, searched by name: read only that owner's rows", async (order) => {
    const plans = withoutLabels(await queryPlansOf((db) => listFilesOf(db, "u", { order, search: "x", page: 2 })));
    for (const plan of plans) {
      expect(plan).toMatch(/SEARCH files USING INDEX files_listed(_by_(name|size|expiry))? /);
      expect(plan).not.toMatch(/SCAN/);
    }
  });
});

describe("queries on users and billing use an index", () => {
  const row: BillingRow = {
    userId: "u",
    email: "e",
    planType: "ultimate",
    revision: "r",
    bytes: 0,
    transfers: 0,
    stripeCustomerId: null,
    convertingCustomerId: null,
    stripeSubscriptionId: null,
    status: null,
    cancelAtPeriodEnd: null,
    anchor: new Date(0),
    signedUpAt: new Date(0),
    periodStart: new Date(0),
    periodEnd: new Date(1),
  };
  const change: BillingChange = {
    planType: "free",
    stripeCustomerId: null,
    convertingCustomerId: null,
    stripeSubscriptionId: null,
    anchor: null,
    period: { start: null, end: null },
    subscription: null,
    endForeverFiles: { at: 1, mail: { id: "m", to: "t", subject: "s", html: "h", text: "t", headers: null } },
  };

  it.each<[string, RegExp, (db: Database) => Promise<unknown>]>([
    [
      "a Stripe event's customer",
      /users_stripe_customer.*users_converting_customer/,
      (db) => findEventCustomer(db, "evt", "cus"),
    ],
    ["ended billing months", /users_period_end/, (db) => listEndedMonths(db, 1, 10)],
    ["old Stripe events", /stripe_events_handled/, (db) => deleteOldRows(db, OTHER_OLD_ROWS.stripeEvents, 1, 10)],
    ["a plan change and its files", /files_owner_forever/, (db) => changeBilling(db, row, change, null, 1)],
    [
      "the stored bytes of a user",
      /files_owner_unfinished.*autoindex_file_counts.*files_owner_unfinished/,
      (db) => reserveFile(db, { file: NEW_FILE, caller: CALLER, limits: limitFor("ultimate"), maxUnfinished: 20 }),
    ],
  ])("%s: %s", async (_what, indexes, run) => {
    const plan = (await queryPlansOf(run)).join("; ");
    expect(plan).toMatch(indexes);
    // What is counted distinctly are unfinished uploads of one person, which are few.
    expect(plan).not.toMatch(/SCAN (?!CONSTANT)|TEMP B-TREE (?!FOR count\(DISTINCT\))/);
  });
});

const CALLER = { ip: "192.0.2.1", userAgent: null };
const NEW_FILE: NewFile = {
  id: "new",
  userId: "nobody",
  uploadTokenHash: null,
  filename: "a",
  mimeType: "text/plain",
  s3Key: "k",
  layout: null,
  objectCount: 0,
  etag: null,
  downloadId: "d",
  lifetime: { expiration: "3d", expirationChosen: false, sizeBytes: 1 },
  lastModified: null,
  fingerprint: null,
  entryCount: null,
  message: null,
  passwordHash: null,
  maxDownloads: null,
  seal: null,
  accessHash: null,
  manifest: null,
  sha256: null,
  apiKeyId: null,
  startKey: null,
  startDigest: null,
  isOpenEnded: false,
  transferLabel: null,
  tusMetadata: null,
  sender: null,
  notify: null,
  createdAt: 0,
  abandonAt: 0,
};
