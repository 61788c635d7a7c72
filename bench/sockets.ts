import { GIB, MIB, SECOND_MS } from "#domain/units.ts";
import type { StartUploadAnswer } from "#domain/wire.ts";
import type { Bench } from "./support/bench.ts";
import { Crowd, type Received, type Talk } from "./support/crowd.ts";
import { median, type Count, type Row } from "./support/measure.ts";
import { Profiler } from "./support/profiler.ts";
import { residentBytesOf, runtimeOf } from "./support/processes.ts";

/** The watchers of an upload whose page sends twice a second, as real pages do. */
const WATCHERS = 1_000;
const AS_A_PAGE: Talk = { times: 20, everyMs: SECOND_MS / 2 };
const SLOWEST_BUDGET_MS = 300;

/** Sixteen tabs of one sender, each of which sends at somewhat over half of the limit of 10 messages a second. */
const SENDERS = 16;
const CROWD = 500;
const AS_FAST_AS_MAY_BE: Talk = { times: 60, everyMs: SECOND_MS / 5.5 };
const MESSAGES_A_SECOND = 40_000;
const SLOWLY: Talk = { times: 4, everyMs: SECOND_MS };

/**
 * One Durable Object with many sockets: latency to the last watcher, memory, and messages a second. Every watcher must
 * receive each message, or a newer one instead.
 */
export async function measureSockets({ server, account }: Bench): Promise<(Row | Count)[]> {
  const crowd = new Crowd();
  const connect = async (senders: number, watchers: number) => {
    const announced = { filename: "bench.bin", fileType: "", fileSize: 2 * GIB, expiration: "1d" };
    const { downloadId } = await account.post<StartUploadAnswer>("/api/direct-upload/presigned-url", announced);
    const cookie = `${account.cookie.name}=${account.cookie.value}`;
    await crowd.connect({ origin: server.origin, downloadId, cookie, senders, watchers });
  };
  try {
    const runtime = await runtimeOf(server);
    await connect(1, 1);
    const emptyBytes = await residentBytesOf(runtime);
    await connect(1, WATCHERS);
    const fullBytes = await residentBytesOf(runtime);
    const { slowestMs } = requireComplete(await crowd.sendMessages(AS_A_PAGE));
    await connect(SENDERS, CROWD);
    const fast = requireComplete(await crowd.sendMessages(AS_FAST_AS_MAY_BE));
    const aSecond = SECOND_MS / fast.durationMs;
    const cpuMs = await cpuOfDelivery(server.debuggerUrl, crowd);
    const watched = `a message to ${WATCHERS} watchers`;
    const budget = { floorMs: SLOWEST_BUDGET_MS };
    return [
      { what: `${watched}: the last watcher receives it (limit)`, productMs: median(slowestMs), ...budget },
      {
        what: `${watched}, slowest of ${slowestMs.length} (limit)`,
        productMs: Math.max(...slowestMs),
        ...budget,
      },
      { what: "the runtime's memory, no sockets", unit: "MB", product: emptyBytes / MIB, floor: null },
      { what: `the runtime's memory, ${WATCHERS} sockets`, unit: "MB", product: fullBytes / MIB, floor: null },
      {
        what: `messages to ${CROWD} watchers (required)`,
        unit: "messages/s",
        product: fast.sent * aSecond,
        floor: MESSAGES_A_SECOND,
      },
      { what: "delivered of these, the newest each", unit: "messages/s", product: fast.frames * aSecond, floor: null },
      {
        what: "slowest of these to the last watcher (limit)",
        productMs: Math.max(...fast.slowestMs),
        ...budget,
      },
      { what: "CPU of a delivery", unit: "µs", product: cpuMs * SECOND_MS, floor: null },
    ];
  } finally {
    crowd.stop();
  }
}

/** The CPU time in the Durable Object, without the time of the runtime and of wrangler. */
async function cpuOfDelivery(debuggerUrl: string, crowd: Crowd): Promise<number> {
  const profiler = await Profiler.connect(debuggerUrl);
  try {
    let frames = 0;
    const busyMs = await profiler.busyMs(async () => {
      ({ frames } = requireComplete(await crowd.sendMessages(SLOWLY)));
    });
    return busyMs / frames;
  } finally {
    profiler.close();
  }
}

/** @throws Error when a message was lost or late */
function requireComplete(received: Received): Received {
  const { lost, late, sent } = received;
  if (lost > 0 || late > 0) throw new Error(`of ${sent} messages ${lost} were lost and ${late} came after a newer one`);
  return received;
}
