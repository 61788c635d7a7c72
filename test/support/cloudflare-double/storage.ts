import { randomUUID } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import * as z from "zod/mini";
import { found, newBucket, Refusal, type Account } from "./account.ts";
import type { Call, Handler } from "./handler.ts";

const age = z.strictObject({ condition: z.strictObject({ type: z.literal("Age"), maxAge: z.int().check(z.gte(1)) }) });
const location = z.optional(z.enum(["weur", "eeur", "apac", "oc", "wnam", "enam"]));
const SHAPES = {
  database: z.strictObject({
    name: z.string(),
    primary_location_hint: location,
    jurisdiction: z.optional(z.enum(["eu", "fedramp", "us"])),
  }),
  query: z.strictObject({ sql: z.string() }),
  bucket: z.strictObject({
    name: z.string().check(z.regex(/^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/)),
    locationHint: location,
  }),
  cors: z.strictObject({
    rules: z.array(
      z.strictObject({
        allowed: z.strictObject({
          origins: z.array(z.string()),
          methods: z.array(z.enum(["GET", "PUT", "POST", "DELETE", "HEAD"])),
          headers: z.optional(z.array(z.string())),
        }),
        exposeHeaders: z.optional(z.array(z.string())),
        maxAgeSeconds: z.optional(z.int()),
      }),
    ),
  }),
  lifecycle: z.strictObject({
    rules: z.array(
      z.strictObject({
        id: z.string(),
        enabled: z.boolean(),
        conditions: z.strictObject({ prefix: z.optional(z.string()) }),
        deleteObjectsTransition: z.optional(age),
        abortMultipartUploadsTransition: z.optional(age),
      }),
    ),
  }),
};

/** The calls of D1 and R2, below `/accounts/:account`. */
export const STORAGE: Record<string, Handler> = {
  "GET /d1/database": ({ account, query }) => {
    const [page, perPage] = [Number(query.get("page") ?? 1), Number(query.get("per_page") ?? 10)];
    const all = [...account.databases].map(([uuid, { name }]) => ({ uuid, name, version: "production" }));
    return all.slice((page - 1) * perPage, page * perPage);
  },
  "POST /d1/database": ({ account, json }) => {
    const { name, primary_location_hint, jurisdiction } = json(SHAPES.database);
    if ([...account.databases.values()].some((database) => database.name === name)) {
      throw new Refusal(400, 7502, `Database with name '${name}' already exists`, true);
    }
    const uuid = randomUUID();
    const place = { location: primary_location_hint, jurisdiction };
    account.databases.set(uuid, { name, sqlite: new DatabaseSync(":memory:"), place });
    return { uuid, name, version: "production", created_at: new Date().toISOString() };
  },
  "GET /d1/database/:id": ({ account, id }) => ({
    uuid: id,
    name: databaseOf(account, id).name,
    version: "production",
  }),
  "POST /d1/database/:id/query": ({ account, id, json }) => {
    const { sqlite } = databaseOf(account, id);
    const { sql } = json(SHAPES.query);
    const meta = { duration: 0, rows_read: 0, rows_written: 0 };
    try {
      if (/^\s*(SELECT|PRAGMA)\b/i.test(sql)) return [{ results: sqlite.prepare(sql).all(), success: true, meta }];
      sqlite.exec(sql);
      return [{ results: [], success: true, meta }];
    } catch (error) {
      throw new Refusal(400, 7500, `${String(error)}: SQLITE_ERROR`, true);
    }
  },
  "POST /r2/buckets": ({ account, jurisdiction, json }) => {
    const { name, locationHint } = json(SHAPES.bucket);
    if (account.buckets.has(name))
      throw new Refusal(409, 10004, "The bucket you tried to create already exists.", true);
    account.buckets.set(name, newBucket({ location: locationHint, jurisdiction }));
    return { name, creation_date: new Date().toISOString() };
  },
  "GET /r2/buckets/:id": (call) => {
    bucketOf(call);
    return { name: call.id };
  },
  "GET /r2/buckets/:id/lifecycle": (call) => ({ rules: bucketOf(call).lifecycle }),
  "PUT /r2/buckets/:id/lifecycle": (call) => {
    const { rules } = call.json(SHAPES.lifecycle);
    if (new Set(rules.map((rule) => rule.id)).size < rules.length) {
      throw new Refusal(400, 10062, "Two lifecycle rules have the same id.", true);
    }
    bucketOf(call).lifecycle = rules;
    return {};
  },
  "PUT /r2/buckets/:id/cors": (call) => {
    bucketOf(call).cors = call.json(SHAPES.cors).rules;
    return {};
  },
};

function databaseOf(account: Account, id: string) {
  return found(account.databases.get(id), 7404, `The database ${id} could not be found`);
}

/** A bucket of another jurisdiction is not found. */
function bucketOf({ account, id, jurisdiction }: Call) {
  const bucket = account.buckets.get(id);
  const isThere = bucket?.place.jurisdiction === jurisdiction;
  return found(isThere ? bucket : undefined, 10006, "The specified bucket does not exist.");
}
