import { setTimeout as wait } from "node:timers/promises";
import { median } from "./measure.ts";

const INTERVAL_US = 100;

/** A distance between two samples of more than this many intervals was a wait, not a late sample. */
const MAX_INTERVALS = 4;

/** The time for work that a call leaves to be done after its answer. */
const SETTLE_MS = 200;

/** A profile of the Chrome DevTools Protocol (Profiler.Profile); times in microseconds. */
interface Profile {
  nodes: { id: number; callFrame: { functionName: string; lineNumber: number; columnNumber: number } }[];
  samples: number[];
  timeDeltas: number[];
}

/** The heap's use as the Chrome DevTools Protocol reports it (Runtime.getHeapUsage), in bytes. */
interface HeapUsage {
  usedSize: number;
  backingStorageSize: number;
}

interface Answer {
  id?: number;
  result?: unknown;
  error?: { message: string };
}

/** Profiles the isolate of the Worker and its Durable Objects, without D1 and R2. */
export class Profiler {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #lastId = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => {
      const answer = JSON.parse(String(data)) as Answer;
      if (answer.id !== undefined) this.#waiting.get(answer.id)?.(answer);
    });
  }

  static async connect(debuggerUrl: string): Promise<Profiler> {
    // Wrangler requires these headers; Node's WebSocket accepts headers, its DOM type does not.
    const options = { headers: { origin: "http://localhost" } };
    const socket = Reflect.construct(WebSocket, [debuggerUrl, options]) as WebSocket;
    await new Promise((resolve, reject) => {
      socket.addEventListener("open", resolve);
      socket.addEventListener("error", () => {
        reject(new Error("the debugger lets nobody in"));
      });
    });
    const profiler = new Profiler(socket);
    // Debugging domains that wrangler enables slow the Worker down.
    for (const domain of ["Debugger", "Network"]) await profiler.ask(`${domain}.disable`);
    await profiler.ask("Profiler.enable");
    await profiler.ask("Profiler.setSamplingInterval", { interval: INTERVAL_US });
    return profiler;
  }

  /**
   * Each busy sample counts for the usual distance of two samples, not for the time since the last sample, in which the
   * isolate may have waited.
   * @returns CPU milliseconds, the sampling's own included
   */
  async busyMs(work: () => Promise<unknown>): Promise<number> {
    const { nodes, samples, timeDeltas } = await this.profile(work);
    const idle = new Set(nodes.filter(({ callFrame }) => callFrame.functionName === "(idle)").map(({ id }) => id));
    const busy = samples.filter((id) => !idle.has(id)).length;
    const usualUs = median(timeDeltas.filter((deltaUs) => deltaUs < MAX_INTERVALS * INTERVAL_US));
    return busy === 0 ? 0 : (busy * usualUs) / 1000;
  }

  async profile(work: () => Promise<unknown>): Promise<Profile> {
    await this.ask("Profiler.start");
    await work();
    await wait(SETTLE_MS);
    const { profile } = (await this.ask("Profiler.stop")) as { profile: Profile };
    return profile;
  }

  /**
   * Bytes of V8's heap and of buffers outside it, without garbage.
   * @param call a request to the Worker, whose isolate collects garbage only while it runs
   */
  async liveBytes(call: () => Promise<unknown>): Promise<number> {
    let isCollected = false;
    const collected = this.ask("HeapProfiler.collectGarbage").finally(() => {
      isCollected = true;
    });
    while (!isCollected) await call();
    await collected;
    const { usedSize, backingStorageSize } = (await this.ask("Runtime.getHeapUsage")) as HeapUsage;
    return usedSize + backingStorageSize;
  }

  close(): void {
    this.#socket.close();
  }

  async ask(method: string, params = {}): Promise<unknown> {
    const id = (this.#lastId += 1);
    const answered = new Promise<Answer>((resolve) => {
      this.#waiting.set(id, resolve);
    });
    this.#socket.send(JSON.stringify({ id, method, params }));
    const { result, error } = await answered;
    this.#waiting.delete(id);
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  }
}
