import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { withScreenOn } from "#app/features/upload/browser/screen-on.ts";

/** A browser's screen, as https://www.w3.org/TR/screen-wake-lock/ says. */
class Screen extends EventTarget {
  visibilityState: DocumentVisibilityState = "visible";
  refuses = false;
  asked = 0;
  readonly #locks = new Set<EventTarget>();

  get isKeptOn(): boolean {
    return this.#locks.size > 0;
  }

  readonly request = (kind: string): Promise<EventTarget> => {
    this.asked += 1;
    if (kind !== "screen") return Promise.reject(new TypeError(kind));
    if (this.refuses || this.visibilityState === "hidden") {
      return Promise.reject(new DOMException("The battery is low", "NotAllowedError"));
    }
    const release = () => {
      this.#release(lock);
      return Promise.resolve();
    };
    const lock: EventTarget = Object.assign(new EventTarget(), { release });
    this.#locks.add(lock);
    return Promise.resolve(lock);
  };

  /** Somebody turns to another page, or comes back. */
  show(state: DocumentVisibilityState): void {
    this.visibilityState = state;
    if (state === "hidden") for (const lock of this.#locks) this.#release(lock);
    this.dispatchEvent(new Event("visibilitychange"));
  }

  #release(lock: EventTarget): void {
    this.#locks.delete(lock);
    lock.dispatchEvent(new Event("release"));
  }
}

let screen: Screen;

/** Lets what was promised happen. */
const settle = () => vi.advanceTimersByTimeAsync(0);

/** A request that the test ends. */
function begin() {
  const request = Promise.withResolvers<string>();
  const answer = withScreenOn(() => request.promise);
  answer.catch(() => undefined);
  return { ...request, answer };
}

beforeEach(() => {
  vi.useFakeTimers();
  screen = new Screen();
  vi.stubGlobal("document", screen);
  vi.stubGlobal("navigator", { wakeLock: screen });
});

afterEach(async () => {
  await vi.runAllTimersAsync();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("the screen while bytes move", () => {
  it("stays on during a request, and may go dark after it has ended well or badly [UP-30]", async () => {
    for (const end of ["well", "badly"] as const) {
      const { resolve, reject, answer } = begin();
      await settle();
      expect([end, screen.isKeptOn]).toEqual([end, true]);
      await vi.advanceTimersByTimeAsync(3_600_000);
      expect([end, screen.isKeptOn]).toEqual([end, true]);
      if (end === "well") resolve("stored");
      else reject(new Error("no network"));
      await (end === "well" ? expect(answer).resolves.toBe("stored") : expect(answer).rejects.toThrow("no network"));
      await vi.advanceTimersByTimeAsync(3000);
      expect([end, screen.isKeptOn]).toEqual([end, false]);
    }
  });

  it("stays on from one request to the next, with one lock for all", async () => {
    const [first, second] = [begin(), begin()];
    await settle();
    first.resolve("");
    second.resolve("");
    await vi.advanceTimersByTimeAsync(2000);
    const third = begin();
    await vi.advanceTimersByTimeAsync(5000);
    expect([screen.isKeptOn, screen.asked]).toEqual([true, 1]);
    third.resolve("");
    await vi.advanceTimersByTimeAsync(3000);
    expect(screen.isKeptOn).toBe(false);
  });

  it("is kept on again when somebody comes back to the page [UP-30]", async () => {
    const { resolve } = begin();
    await settle();
    for (let turn = 1; turn <= 3; turn += 1) {
      screen.show("hidden");
      await settle();
      expect(screen.isKeptOn).toBe(false);
      screen.show("visible");
      await settle();
      expect([screen.isKeptOn, screen.asked]).toEqual([true, turn + 1]);
    }
    resolve("");
  });

  it("is kept on once a page that nobody saw at the start is seen", async () => {
    screen.show("hidden");
    const { resolve } = begin();
    await settle();
    expect(screen.asked).toBe(0);
    screen.show("visible");
    await settle();
    expect(screen.isKeptOn).toBe(true);
    resolve("");
  });

  it("is not kept on when somebody comes back after everything was sent", async () => {
    const { resolve } = begin();
    await settle();
    screen.show("hidden");
    resolve("");
    await vi.advanceTimersByTimeAsync(3000);
    screen.show("visible");
    await settle();
    expect([screen.isKeptOn, screen.asked]).toEqual([false, 1]);
  });

  it("is given back even if the browser answers only after the end", async () => {
    const late = Promise.withResolvers<EventTarget>();
    const lock = Object.assign(new EventTarget(), { release: vi.fn(() => Promise.resolve()) });
    vi.stubGlobal("navigator", { wakeLock: { request: () => late.promise } });
    await withScreenOn(() => Promise.resolve("stored"));
    await vi.advanceTimersByTimeAsync(3000);
    late.resolve(lock);
    await settle();
    expect(lock.release).toHaveBeenCalledOnce();
  });

  it("a browser that refuses, or has no wake lock, sends all the same", async () => {
    screen.refuses = true;
    await expect(withScreenOn(() => Promise.resolve("stored"))).resolves.toBe("stored");
    screen.refuses = false;
    await expect(withScreenOn(() => Promise.resolve("stored"))).resolves.toBe("stored");
    expect([screen.isKeptOn, screen.asked]).toEqual([true, 2]);
    await vi.advanceTimersByTimeAsync(3000);
    vi.stubGlobal("navigator", {});
    await expect(withScreenOn(() => Promise.resolve("stored"))).resolves.toBe("stored");
    await expect(withScreenOn(() => Promise.reject(new Error("no network")))).rejects.toThrow("no network");
  });
});
