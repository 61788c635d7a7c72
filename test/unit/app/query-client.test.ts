import { environmentManager, focusManager, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createQueryClient } from "#app/lib/query-client.ts";

const DAY_MS = 86_400_000;

let queries: ReturnType<typeof createQueryClient>;
let asked: number;
const ends: (() => void)[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  // As in a browser: a server would neither poll nor retry, whatever the settings say.
  environmentManager.setIsServer(() => false);
  queries = createQueryClient();
  queries.mount();
  asked = 0;
});

afterEach(() => {
  for (const end of ends.splice(0)) end();
  queries.unmount();
  queries.clear();
  focusManager.setFocused(undefined);
  environmentManager.setIsServer(() => true);
  vi.useRealTimers();
});

/** A part of the page that shows something. Each time it is asked for counts; it fails where it is told to. */
function show(fails = false): QueryObserver {
  const observer = new QueryObserver<unknown>(queries, {
    queryKey: ["something"],
    queryFn: (): Promise<unknown> => {
      asked += 1;
      return fails ? Promise.reject(new Error("down")) : Promise.resolve("an answer");
    },
  });
  ends.push(observer.subscribe(() => undefined));
  return observer;
}

describe("what a page asks for, where nothing else is said of it", () => {
  it("is never stale: another part of the page that shows it a day later does not ask again", async () => {
    show();
    await vi.advanceTimersByTimeAsync(DAY_MS);
    expect(show().getCurrentResult()).toMatchObject({ data: "an answer", isStale: false });
    await vi.advanceTimersByTimeAsync(1000);
    expect(asked).toBe(1);
  });

  it("is not asked for again when the page gets the focus", async () => {
    show();
    await vi.advanceTimersByTimeAsync(1000);
    // Even what has been marked as out of date waits until somebody wants it.
    await queries.invalidateQueries({ queryKey: ["something"], refetchType: "none" });
    focusManager.setFocused(false);
    focusManager.setFocused(true);
    await vi.advanceTimersByTimeAsync(1000);
    expect(asked).toBe(1);
  });

  it("is not polled: a day goes by", async () => {
    show();
    await vi.advanceTimersByTimeAsync(DAY_MS);
    expect(asked).toBe(1);
  });

  it("is not asked for again when it fails", async () => {
    const observer = show(true);
    await vi.advanceTimersByTimeAsync(DAY_MS);
    expect(observer.getCurrentResult().status).toBe("error");
    expect(asked).toBe(1);
  });
});
