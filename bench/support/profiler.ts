import { setTimeout as wait } from "node:timers/promises";
import { median } from "./measure.ts";

/** A sample each so many microseconds. */
const INTERVAL_US = 100;

/** The sampler is late by a part of that; what takes so many times as long was no sampling, but a wait. */
const LONGEST_INTERVALS = 4;

/** What a call leaves behind its answer is done within this time. */
const SETTLE_MS = 200;

/** A profile as Chrome's developer tools define it (Profiler.Profile); times are microseconds. */
interface Profile {
  nodes: { id: number; callFrame: { functionName: string; lineNumber: number; columnNumber: number } }[];
  samples: number[];
  timeDeltas: number[];
}

interface Answer {
  id?: number;
  result?: unknown;
  error?: { message: string };
}

/** The V8 profiler of one isolate: the Worker's, in which its Durable Objects run too, and D1 and R2 do not. */
export class Profiler {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #asked = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => {
      const answer = JSON.parse(String(data)) as Answer;
      if (answer.id !== undefined) this.#waiting.get(answer.id)?.(answer);
    });
  }

  static async connect(debuggerUrl: string): Promise<Profiler> {
    // Wrangler asks who looks in. Node's WebSocket takes headers, of which the browser's type knows nothing.
    const options = { headers: { origin: "http://localhost" } };
    const socket = Reflect.construct(WebSocket, [debuggerUrl, options]) as WebSocket;
    await new Promise((resolve, reject) => {
      socket.addEventListener("open", resolve);
      socket.addEventListener("error", () => {
        reject(new Error("the debugger lets nobody in"));
      });
    });
    const profiler = new Profiler(socket);
    // What wrangler switches on for whoever looks in slows the Worker down.
    for (const domain of ["Debugger", "Network"]) await profiler.ask(`${domain}.disable`);
    await profiler.ask("Profiler.enable");
    await profiler.ask("Profiler.setSamplingInterval", { interval: INTERVAL_US });
    return profiler;
  }

  /**
   * Between two samples the isolate may have waited, or the machine may have done something else, so each sample stands
   * for the usual distance of two, and not for the time since the one before it.
   * @returns how long the isolate computed, milliseconds, the sampling included
   */
  async busyMs(work: () => Promise<unknown>): Promise<number> {
    const { nodes, samples, timeDeltas } = await this.profile(work);
    const idle = new Set(nodes.filter(({ callFrame }) => callFrame.functionName === "(idle)").map(({ id }) => id));
    const busy = samples.filter((id) => !idle.has(id)).length;
    const usualUs = median(timeDeltas.filter((deltaUs) => deltaUs < LONGEST_INTERVALS * INTERVAL_US));
    return busy === 0 ? 0 : (busy * usualUs) / 1000;
  }

  async profile(work: () => Promise<unknown>): Promise<Profile> {
    await this.ask("Profiler.start");
    await work();
    await wait(SETTLE_MS);
    const { profile } = (await this.ask("Profiler.stop")) as { profile: Profile };
    return profile;
  }

  close(): void {
    this.#socket.close();
  }

  async ask(method: string, params = {}): Promise<unknown> {
    const id = (this.#asked += 1);
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
