import { env } from "cloudflare:workers";
import { createApi } from "#worker/api/app.ts";
import { runHousekeeping } from "#worker/sweep/housekeeping.ts";
import { servicesFor } from "#worker/context.ts";
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
import { arrive, change, Client, patterned } from "./worker.ts";

const D1_FAULTS = [LOST_ANSWER, LOST_REQUEST, OVERLOADED];
const R2_FAULTS = [STORE_ERROR, STORE_ANSWER_LOST];
const MOST_BYTES = 2000;

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
  // A fault is due every so many operations; it strikes the call after a few others, wherever that is.
  let countdown: number | null = null;
  const fate =
    (kinds: Fault[]): Fate =>
    () => {
      if (countdown === null || (countdown -= 1) > 0) return null;
      countdown = null;
      result.faults += 1;
      return kinds[draw(kinds.length)] ?? null;
    };
  const faulty = faultyEnv(env, fate(D1_FAULTS), fate(R2_FAULTS));
  const api = createApi();
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
  const weights = [0, 0, 0, 0, 1, 1, 1, 2, 3, 3, 4, 5, 5, 6];
  while (result.operations < operations) {
    if (countdown === null && result.faults < ((result.operations + 1) * faults) / operations) countdown = 1 + draw(8);
    try {
      const answer = await deeds[weights[draw(weights.length)] ?? 0]?.();
      if (answer && answer.status >= 500) result.refused += 1;
    } catch {
      // A start that failed, or the cron's log: what is left of it is the census's to judge.
      result.refused += 1;
    }
    result.operations += 1;
  }
  return result;
}
