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
  type Fate,
  type Fault,
} from "./faults.ts";
import { arrive, change, Client, patterned, rowOf } from "./worker.ts";

const D1_FAULTS = [LOST_ANSWER, LOST_REQUEST, OVERLOADED];
const R2_FAULTS = [STORE_ERROR, STORE_ANSWER_LOST];
const MOST_BYTES = 2000;
/** More than the attempts of one call. */
const LASTING_CALLS = 5;

/** A stream of whole numbers from 0 up to but not including what is asked for; the same seed gives the same stream. */
function drawing(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return Math.floor(((state >>> 0) / 2 ** 32) * below);
  };
}

export interface Mixed {
  operations: number;
  /** Faults that struck a call, whether or not somebody noticed. */
  faults: number;
  /** Operations that a fault made fail. */
  refused: number;
}

/**
 * Does things with files, one after the other, while the lines to D1 and R2 fail now and then, in the Worker as in the
 * uploads' Durable Objects: uploads are started, sent, finished, cancelled and left; files are downloaded, changed and
 * deleted; the cron runs. The same seed does the same.
 */
export async function mixOperations(person: Client, seed: number, operations: number, faults: number): Promise<Mixed> {
  const draw = drawing(seed);
  const result: Mixed = { operations: 0, faults: 0, refused: 0 };
  // A fault is due every so many operations; it strikes the call after a few others, wherever that is. Every other one
  // lasts, and outlives the attempts of a call.
  let countdown: number | null = null;
  let lasting = 0;
  const fate =
    (kinds: Fault[]): Fate =>
    () => {
      if (lasting > 0) {
        lasting -= 1;
        return kinds[0] ?? null;
      }
      if (countdown === null || (countdown -= 1) > 0) return null;
      countdown = null;
      result.faults += 1;
      if (draw(2) === 0) lasting = LASTING_CALLS;
      return kinds[draw(kinds.length)] ?? null;
    };
  const faulty = faultyEnv(env, fate(D1_FAULTS), fate(R2_FAULTS));
  const api = createApp();
  const client = new Client(person.cookie, (request) => api.fetch(request, faulty));

  const started: { uploadId: string; downloadId: string; bytes: Uint8Array }[] = [];
  const finished: { uploadId: string; downloadId: string }[] = [];
  const take = <Item>(items: Item[]): Item | undefined => items.splice(draw(items.length), 1)[0];

  const deeds: (() => Promise<Response | undefined>)[] = [
    async () => {
      const bytes = patterned(1 + draw(MOST_BYTES), draw(1000));
      const answer = await client.startUpload(bytes.byteLength, { expiration: "30d" });
      await arrive(answer.uploadId, bytes);
      started.push({ ...answer, bytes });
      return undefined;
    },
    async () => {
      const form = new FormData();
      form.set("file", new File([patterned(1 + draw(MOST_BYTES), draw(1000))], "a.bin"));
      form.set("expiration", "30d");
      const answer = await client.postForm("/api/direct-upload/proxy-upload", form);
      if (answer.ok) finished.push(await known(answer));
      return answer;
    },
    async () => {
      const bytes = patterned(1 + draw(MOST_BYTES), draw(1000));
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
      if (answer.ok) finished.push(await known(answer));
      return answer;
    },
    async () => {
      const upload = take(started);
      if (!upload) return undefined;
      const answer = await client.complete(upload.downloadId);
      // Whoever is told to try again later does.
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
      if (file) await change("update files set expires_at = 1 where id = ?", file.uploadId);
      return undefined;
    },
    async () => {
      const file = finished[draw(finished.length)];
      const answer = file && (await client.fetch(`/api/files/download/${file.downloadId}/content`));
      await answer?.arrayBuffer();
      return answer;
    },
    async () => {
      await runHousekeeping(servicesFor(faulty), Date.now);
      return undefined;
    },
  ];
  /** How often each is drawn. */
  const weights = [0, 0, 0, 1, 1, 2, 3, 3, 4, 5, 5, 6, 7, 7, 8];
  while (result.operations < operations) {
    if (countdown === null && result.faults < ((result.operations + 1) * faults) / operations) countdown = 1 + draw(8);
    try {
      const answer = await deeds[weights[draw(weights.length)] ?? 0]?.();
      if (answer && answer.status >= 500) result.refused += 1;
    } catch {
      // A start that failed, or the cron's log: what is left of it is the reconciliation's to judge.
      result.refused += 1;
    }
    result.operations += 1;
  }
  return result;
}

/** The file that an answer names by its link. */
async function known(answer: Response): Promise<{ uploadId: string; downloadId: string }> {
  const { downloadId } = await answer.json<{ downloadId: string }>();
  const { id } = await rowOf<{ id: string }>("select id from files where download_id = ?", downloadId);
  return { uploadId: id, downloadId };
}
