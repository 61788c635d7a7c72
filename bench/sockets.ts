import { GIB, MIB, SECOND_MS } from "#domain/units.ts";
import type { StartUploadAnswer } from "#domain/wire.ts";
import type { Bench } from "./support/bench.ts";
import { Crowd, type Heard, type Talk } from "./support/crowd.ts";
import { median, type Count, type Row } from "./support/measure.ts";
import { Profiler } from "./support/profiler.ts";
import { residentBytesOf, runtimeOf } from "./support/processes.ts";

/** As a page says it: twice a second. Whoever looks on has it within the budget. */
const WATCHERS = 1_000;
const AS_A_PAGE: Talk = { times: 20, everyMs: SECOND_MS / 2 };
const SLOWEST_BUDGET_MS = 300;

/** A sender may say ten messages a second (decisions, Limits on calls): sixteen tabs of one say somewhat over half of that. */
const SENDERS = 16;
const CROWD = 500;
const AS_FAST_AS_MAY_BE: Talk = { times: 60, everyMs: SECOND_MS / 5.5 };
const MESSAGES_A_SECOND = 40_000;
/** Slow enough to be profiled. */
const SLOWLY: Talk = { times: 4, everyMs: SECOND_MS };

/**
 * One upload's Durable Object with many sockets: how long a message takes to the last of its hearers, what the sockets
 * weigh, and how many messages a second it takes for them. Each has to be heard by everybody who looks on, or a newer one
 * in its place.
 */
export async function measureSockets({ server, account }: Bench): Promise<(Row | Count)[]> {
  const crowd = new Crowd();
  const gather = async (senders: number, watchers: number) => {
    const announced = { filename: "bench.bin", fileType: "", fileSize: 2 * GIB, expiration: "1d" };
    const { downloadId } = await account.post<StartUploadAnswer>("/api/direct-upload/presigned-url", announced);
    const cookie = `${account.cookie.name}=${account.cookie.value}`;
    await crowd.gather({ origin: server.origin, downloadId, cookie, senders, watchers });
  };
  try {
    const runtime = await runtimeOf(server);
    await gather(1, 1);
    const emptyBytes = await residentBytesOf(runtime);
    await gather(1, WATCHERS);
    const fullBytes = await residentBytesOf(runtime);
    const { slowestMs } = whole(await crowd.talk(AS_A_PAGE));
    await gather(SENDERS, CROWD);
    const fast = whole(await crowd.talk(AS_FAST_AS_MAY_BE));
    const aSecond = SECOND_MS / fast.durationMs;
    const cpuMs = await cpuOfDelivery(server.debuggerUrl, crowd);
    const watched = `a message to ${WATCHERS} watchers`;
    const budget = { floorMs: SLOWEST_BUDGET_MS };
    return [
      { what: `${watched}, its last hearer (its budget)`, wholeMs: median(slowestMs), ...budget },
      {
        what: `${watched}, the slowest of ${slowestMs.length} (its budget)`,
        wholeMs: Math.max(...slowestMs),
        ...budget,
      },
      { what: "the runtime's memory, no sockets", unit: "MB", whole: emptyBytes / MIB, floor: null },
      { what: `the runtime's memory, ${WATCHERS} sockets`, unit: "MB", whole: fullBytes / MIB, floor: null },
      {
        what: `said to ${CROWD} watchers (asked of it)`,
        unit: "messages/s",
        whole: fast.said * aSecond,
        floor: MESSAGES_A_SECOND,
      },
      { what: "what came of them, the newest each", unit: "messages/s", whole: fast.frames * aSecond, floor: null },
      {
        what: "one of them, or a newer one in its place, its last hearer (its budget)",
        wholeMs: Math.max(...fast.slowestMs),
        ...budget,
      },
      { what: "CPU of a delivery", unit: "µs", whole: cpuMs * SECOND_MS, floor: null },
    ];
  } finally {
    crowd.stop();
  }
}

/** What the object itself computes: not what the way to it takes, which is the runtime's and wrangler's. */
async function cpuOfDelivery(debuggerUrl: string, crowd: Crowd): Promise<number> {
  const profiler = await Profiler.connect(debuggerUrl);
  try {
    let frames = 0;
    const busyMs = await profiler.busyMs(async () => {
      ({ frames } = whole(await crowd.talk(SLOWLY)));
    });
    return busyMs / frames;
  } finally {
    profiler.close();
  }
}

/** @throws Error when a message was lost, or came late */
function whole(heard: Heard): Heard {
  const { lost, late, said } = heard;
  if (lost > 0 || late > 0) throw new Error(`of ${said} hearings ${lost} were lost, ${late} came after a newer one`);
  return heard;
}
