import { env } from "cloudflare:workers";
import { createApp } from "#worker/app.ts";
import { runHousekeeping } from "#worker/sweep/housekeeping.ts";
import { servicesFor } from "#worker/services.ts";
import {
  faultyEnv,
  LOST_ANSWER,
  LOST_REQUEST,
  OVERLOADED,
  STORE_ANSWER_LOST,
  STORE_ERROR,
  TURNED_AWAY,
  type Fate,
  type Fault,
} from "./faults.ts";
import { putIncoming, runSql, Client, patternBytes, rowOf } from "./worker.ts";

const D1_FAULTS = [LOST_ANSWER, LOST_REQUEST, OVERLOADED, TURNED_AWAY];
const R2_FAULTS = [STORE_ERROR, STORE_ANSWER_LOST];
const MAX_BYTES = 2000;
/** More than the attempts of one retried call. */
const LASTING_CALLS = 5;

/** A seeded generator of integers from 0 to `below` - 1. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return Math.floor(((state >>> 0) / 2 ** 32) * below);
  };
}

export interface OperationTotals {
  operations: number;
  /** Injected faults, retried ones included. */
  faults: number;
  /** Operations that failed because of a fault. */
  failed: number;
}

/**
 * Runs random operations on files one after the other (uploads, downloads, deletions, the cron), while D1 and R2 sometimes
 * fail, for the Worker and for the Durable Objects. The same seed gives the same sequence.
 */
export async function runRandomOperations(
  person: Client,
  seed: number,
  operations: number,
  faults: number,
): Promise<OperationTotals> {
  const random = createRandom(seed);
  const result: OperationTotals = { operations: 0, faults: 0, failed: 0 };
  // Faults are spread evenly over the operations and strike after a random number of calls. Half of them last longer than
  // the attempts of a retried call.
  let countdown: number | null = null;
  let remainingFaults = 0;
  const fate =
    (kinds: Fault[]): Fate =>
    () => {
      if (remainingFaults > 0) {
        remainingFaults -= 1;
        return kinds[0] ?? null;
      }
      if (countdown === null || (countdown -= 1) > 0) return null;
      countdown = null;
      result.faults += 1;
      if (random(2) === 0) remainingFaults = LASTING_CALLS;
      return kinds[random(kinds.length)] ?? null;
    };
  const faulty = faultyEnv(env, fate(D1_FAULTS), fate(R2_FAULTS));
  const api = createApp();
  const client = new Client(person.cookie, (request) => api.fetch(request, faulty));

  const started: { uploadId: string; downloadId: string; bytes: Uint8Array }[] = [];
  const finished: { uploadId: string; downloadId: string }[] = [];
  const take = <Item>(items: Item[]): Item | undefined => items.splice(random(items.length), 1)[0];

  const actions: (() => Promise<Response | undefined>)[] = [
    async () => {
      const bytes = patternBytes(1 + random(MAX_BYTES), random(1000));
      const answer = await client.startUpload(bytes.byteLength, { expiration: "30d" });
      await putIncoming(answer.uploadId, bytes);
      started.push({ ...answer, bytes });
      return undefined;
    },
    async () => {
      const form = new FormData();
      form.set("file", new File([patternBytes(1 + random(MAX_BYTES), random(1000))], "a.bin"));
      form.set("expiration", "30d");
      const answer = await client.postForm("/api/direct-upload/proxy-upload", form);
      if (answer.ok) finished.push(await idsIn(answer));
      return answer;
    },
    async () => {
      const bytes = patternBytes(1 + random(MAX_BYTES), random(1000));
      const init = { filename: "c.bin", totalSize: String(bytes.byteLength), totalChunks: "1", expiration: "30d" };
      const begun = await client.post("/api/chunked-upload/init", init);
      if (!begun.ok) return begun;
      const { uploadId } = await begun.json<{ uploadId: string }>();
      const form = new FormData();
      for (const [name, value] of Object.entries({ uploadId, chunkIndex: "0", totalChunks: "1" }))
        form.set(name, value);
      form.set("chunk", new Blob([bytes]));
      const sent = await client.postForm("/api/chunked-upload/chunk", form);
      if (!sent.ok) return sent;
      const answer = await client.post("/api/chunked-upload/finalize", { uploadId });
      if (answer.ok) finished.push(await idsIn(answer));
      return answer;
    },
    async () => {
      const upload = take(started);
      if (!upload) return undefined;
      const answer = await client.complete(upload.downloadId);
      // A failed completion is tried again later.
      (answer.ok ? finished : started).push(upload);
      return answer;
    },
    async () => {
      const upload = take(started);
      return upload && client.post("/api/direct-upload/cancel", { downloadId: upload.downloadId });
    },
    async () => {
      const file = take(finished);
      return file && client.delete(`/api/files/${file.uploadId}`);
    },
    async () => {
      const file = take(finished);
      if (file) await runSql("update files set expires_at = 1 where id = ?", file.uploadId);
      return undefined;
    },
    async () => {
      const file = finished[random(finished.length)];
      const answer = file && (await client.fetch(`/api/files/download/${file.downloadId}/content`));
      await answer?.arrayBuffer();
      return answer;
    },
    async () => {
      await runHousekeeping(servicesFor(faulty), Date.now);
      return undefined;
    },
  ];
  // Indexes into `actions`; repeated ones are drawn more often.
  const weightedIndexes = [0, 0, 0, 1, 1, 2, 3, 3, 4, 5, 5, 6, 7, 7, 8];
  while (result.operations < operations) {
    if (countdown === null && result.faults < ((result.operations + 1) * faults) / operations)
      countdown = 1 + random(8);
    try {
      const answer = await actions[weightedIndexes[random(weightedIndexes.length)] ?? 0]?.();
      if (answer && answer.status >= 500) result.failed += 1;
    } catch {
      // A failed start, or a failed log entry of the cron. The reconciliation checks what is left.
      result.failed += 1;
    }
    result.operations += 1;
  }
  return result;
}

/** The ids of the file in the response. */
async function idsIn(answer: Response): Promise<{ uploadId: string; downloadId: string }> {
  const { downloadId } = await answer.json<{ downloadId: string }>();
  const { id } = await rowOf<{ id: string }>("select id from files where download_id = ?", downloadId);
  return { uploadId: id, downloadId };
}
