import { env } from "cloudflare:workers";
import { vi } from "vitest";
import { RateLimiter } from "#durable-objects/rate-limiter.ts";
import { SocketCounter } from "#durable-objects/socket-counter.ts";
import { UploadSession } from "#durable-objects/upload-session.ts";
import { between, withMethods, type Query } from "./between.ts";
import { ownObjects } from "./own-objects.ts";

/** What is paid for by the piece, besides the Worker's own requests. */
const PAID = [
  "rowRead",
  "rowWritten",
  "objectRequest",
  "objectRowRead",
  "objectRowWritten",
  "classA",
  "classB",
] as const;
export type Spent = Partial<Record<(typeof PAID)[number], number>>;

/** R2's operations by their price (Cloudflare, "R2 pricing"); deleting and aborting cost nothing. */
const OPERATIONS: Record<string, "classA" | "classB"> = {
  put: "classA",
  list: "classA",
  createMultipartUpload: "classA",
  uploadPart: "classA",
  complete: "classA",
  head: "classB",
  get: "classB",
};

export interface Counting {
  env: Env;
  /** What has been spent since it was asked last; what is nothing is left out. */
  spent(): Spent;
}

/**
 * The environment, counting what is paid for by the piece, by the account of the database, of the Durable Objects' own
 * databases and of the calls that are made. Alarms are counted where they are set and do not go off.
 */
export function counting(): Counting {
  const counts = new Map<(typeof PAID)[number], number>();
  const cursors = new Set<SqlStorageCursor<Record<string, SqlStorageValue>>>();
  const add = (name: (typeof PAID)[number], count = 1) => counts.set(name, (counts.get(name) ?? 0) + count);

  const watched = new WeakSet<DurableObjectStorage>();
  const watch = (storage: DurableObjectStorage) => {
    add("objectRequest");
    if (watched.has(storage)) return;
    watched.add(storage);
    const { sql, kv } = storage;
    const exec = sql.exec.bind(sql);
    vi.spyOn(sql, "exec").mockImplementation((text, ...values: unknown[]) => {
      const cursor = exec(text, ...values);
      cursors.add(cursor);
      return cursor;
    });
    // Keys and alarms are rows too (Cloudflare, "Durable Objects pricing").
    const get = kv.get.bind(kv);
    vi.spyOn(kv, "get").mockImplementation((key) => {
      add("objectRowRead");
      return get(key);
    });
    const put = kv.put.bind(kv);
    vi.spyOn(kv, "put").mockImplementation((key, value) => {
      add("objectRowWritten");
      put(key, value);
    });
    vi.spyOn(storage, "setAlarm").mockImplementation(() => {
      add("objectRowWritten");
      return Promise.resolve();
    });
  };

  const counted: Env = {
    ...env,
    RATE_LIMITS: "on",
    DB: between(env.DB, async (queries, go) => {
      const answer = await go();
      for (const { rows_read, rows_written } of await accountsOf(queries, answer)) {
        add("rowRead", rows_read);
        add("rowWritten", rows_written);
      }
      return answer;
    }),
    BUCKET: countedBucket(env.BUCKET, add),
  };
  counted.UPLOADS = ownObjects(env.UPLOADS, UploadSession, counted, watch);
  counted.LIMITERS = ownObjects(env.LIMITERS, RateLimiter, counted, watch);

  watchSocketCounters(watch);

  const spent = (): Spent => {
    for (const { rowsRead, rowsWritten } of cursors) {
      add("objectRowRead", rowsRead);
      add("objectRowWritten", rowsWritten);
    }
    cursors.clear();
    const all = Object.fromEntries(PAID.flatMap((name) => (counts.get(name) ? [[name, counts.get(name)]] : [])));
    counts.clear();
    return all;
  };
  return { env: counted, spent };
}

/** Uploads that hold sockets are the platform's own instances, and so are the counters that they call. */
function watchSocketCounters(watch: (storage: DurableObjectStorage) => void): void {
  const { add, set } = SocketCounter.prototype;
  const watched = (counter: SocketCounter) => {
    watch((Reflect.get(counter, "ctx") as DurableObjectState).storage);
  };
  vi.spyOn(SocketCounter.prototype, "add").mockImplementation(function (this: SocketCounter, ...args) {
    watched(this);
    return add.apply(this, args);
  });
  vi.spyOn(SocketCounter.prototype, "set").mockImplementation(function (this: SocketCounter, ...args) {
    watched(this);
    set.apply(this, args);
  });
}

/** What the database says of queries that it has answered. Where the answer has no room for that, a read is asked again. */
async function accountsOf(queries: Query[], answer: unknown): Promise<D1Meta[]> {
  const answers = (Array.isArray(answer) ? answer : [answer]) as (Partial<D1Result> | null)[];
  const known = answers.flatMap((each) => (each?.meta ? [each.meta] : []));
  if (known.length === queries.length) return known;
  if (queries.some(({ text }) => !/^\s*select\b/i.test(text))) throw new Error("a write whose answer says no cost");
  return Promise.all(queries.map(async ({ statement }) => (await statement.all()).meta));
}

function countedBucket(bucket: R2Bucket, add: (name: "classA" | "classB") => void): R2Bucket {
  const counted = <Target extends object>(target: Target): Target =>
    withMethods(target, (name, call) => {
      if (name === "resumeMultipartUpload") return (...args) => counted(call(...args) as R2MultipartUpload);
      const price = OPERATIONS[String(name)];
      return (...args) => {
        if (price) add(price);
        return call(...args);
      };
    });
  return counted(bucket);
}
