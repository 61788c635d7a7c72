import { env } from "cloudflare:workers";
import { vi } from "vitest";
import { AccountFeed } from "#durable-objects/feed/account-feed.ts";
import { DownloadGate } from "#durable-objects/gate/download-gate.ts";
import { RateLimiter } from "#durable-objects/limits/rate-limiter.ts";
import { SocketCounter } from "#durable-objects/limits/socket-counter.ts";
import { TransferSession } from "#durable-objects/transfer/transfer-session.ts";
import { UploadSession } from "#durable-objects/upload/upload-session.ts";
import { consumeAtOnce } from "./consume-at-once.ts";
import { namespaceWithEnv } from "./durable-objects-with-env.ts";
import { interceptQueries, wrapMethods, type Query } from "./query-interceptor.ts";

/** Billable operations besides requests to the Worker. */
const BILLABLE = [
  "rowRead",
  "rowWritten",
  "objectRequest",
  "objectRowRead",
  "objectRowWritten",
  "classA",
  "classB",
  "queueOperation",
] as const;
export type Usage = Partial<Record<(typeof BILLABLE)[number], number>>;

/** R2 operation classes (https://developers.cloudflare.com/r2/pricing/); delete and abort are free. */
const OPERATIONS: Record<string, "classA" | "classB"> = {
  put: "classA",
  list: "classA",
  createMultipartUpload: "classA",
  uploadPart: "classA",
  complete: "classA",
  head: "classB",
  get: "classB",
};

export interface MeteredEnv {
  env: Env;
  /** The usage since the last call, without zeros. */
  takeUsage(): Usage;
}

/**
 * The environment, counting billable operations as D1, the Durable Objects' databases and R2 report them. Alarms count when
 * they are set, and do not fire.
 */
export function createMeteredEnv(): MeteredEnv {
  const counts = new Map<(typeof BILLABLE)[number], number>();
  const cursors = new Set<SqlStorageCursor<Record<string, SqlStorageValue>>>();
  const add = (name: (typeof BILLABLE)[number], count = 1) => counts.set(name, (counts.get(name) ?? 0) + count);

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
    // Keys and alarms count as rows: https://developers.cloudflare.com/durable-objects/platform/pricing/
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
    DB: interceptQueries(env.DB, async (queries, proceed) => {
      const answer = await proceed();
      for (const { rows_read, rows_written } of await metaOf(queries, answer)) {
        add("rowRead", rows_read);
        add("rowWritten", rows_written);
      }
      return answer;
    }),
    BUCKET: countedBucket(env.BUCKET, add),
  };
  // Written, read and deleted: three operations a message (https://developers.cloudflare.com/queues/platform/pricing/).
  consumeAtOnce(counted, (messages) => add("queueOperation", 3 * messages));
  counted.UPLOADS = namespaceWithEnv(env.UPLOADS, UploadSession, counted, watch);
  counted.TRANSFERS = namespaceWithEnv(env.TRANSFERS, TransferSession, counted, watch);
  counted.GATES = namespaceWithEnv(env.GATES, DownloadGate, counted, watch);
  counted.FEEDS = namespaceWithEnv(env.FEEDS, AccountFeed, counted, watch);
  counted.LIMITERS = namespaceWithEnv(env.LIMITERS, RateLimiter, counted, watch);

  watchSocketCounters(watch);

  const takeUsage = (): Usage => {
    for (const { rowsRead, rowsWritten } of cursors) {
      add("objectRowRead", rowsRead);
      add("objectRowWritten", rowsWritten);
    }
    cursors.clear();
    const all = Object.fromEntries(BILLABLE.flatMap((name) => (counts.get(name) ? [[name, counts.get(name)]] : [])));
    counts.clear();
    return all;
  };
  return { env: counted, takeUsage };
}

/** Uploads with sockets run as the platform's instances, so their counters have to be watched on the prototype. */
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

/** The queries' metadata. A result without metadata is read again. */
async function metaOf(queries: Query[], answer: unknown): Promise<D1Meta[]> {
  const answers = (Array.isArray(answer) ? answer : [answer]) as (Partial<D1Result> | null)[];
  const known = answers.flatMap((each) => (each?.meta ? [each.meta] : []));
  if (known.length === queries.length) return known;
  if (queries.some(({ text }) => !/^\s*select\b/i.test(text))) throw new Error("the result of a write has no metadata");
  return Promise.all(queries.map(async ({ statement }) => (await statement.all()).meta));
}

function countedBucket(bucket: R2Bucket, add: (name: "classA" | "classB") => void): R2Bucket {
  const counted = <Target extends object>(target: Target): Target =>
    wrapMethods(target, (name, call) => {
      if (name === "resumeMultipartUpload") return (...args) => counted(call(...args) as R2MultipartUpload);
      const price = OPERATIONS[String(name)];
      return (...args) => {
        if (price) add(price);
        return call(...args);
      };
    });
  return counted(bucket);
}
