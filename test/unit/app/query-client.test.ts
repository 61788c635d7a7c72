import { environmentManager, focusManager, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createQueryClient } from "#app/lib/query-client.ts";

const DAY_MS = 86_400_000;

let queries: ReturnType<typeof createQueryClient>;
let fetchCount: number;
const unsubscribes: (() => void)[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  // On a server, queries neither poll nor retry.
  environmentManager.setIsServer(() => false);
  queries = createQueryClient();
  queries.mount();
  fetchCount = 0;
});

afterEach(() => {
  for (const unsubscribe of unsubscribes.splice(0)) unsubscribe();
  queries.unmount();
  queries.clear();
  focusManager.setFocused(undefined);
  environmentManager.setIsServer(() => true);
  vi.useRealTimers();
});

function mountQuery(fails = false): QueryObserver {
  const observer = new QueryObserver<unknown>(queries, {
    queryKey: ["something"],
    queryFn: (): Promise<unknown> => {
      fetchCount += 1;
      return fails ? Promise.reject(new Error("down")) : Promise.resolve("an answer");
    },
  });
  unsubscribes.push(observer.subscribe(() => undefined));
  return observer;
}

describe("a query with the default options", () => {
  it("is never stale: another component that shows it a day later does not fetch it again [CONST-13]", async () => {
    mountQuery();
    await vi.advanceTimersByTimeAsync(DAY_MS);
    expect(mountQuery().getCurrentResult()).toMatchObject({ data: "an answer", isStale: false });
    await vi.advanceTimersByTimeAsync(1000);
    expect(fetchCount).toBe(1);
  });

  it("is not fetched again when the page gets the focus [CONST-13]", async () => {
    mountQuery();
    await vi.advanceTimersByTimeAsync(1000);
    // Even a stale query waits.
    await queries.invalidateQueries({ queryKey: ["something"], refetchType: "none" });
    focusManager.setFocused(false);
    focusManager.setFocused(true);
    await vi.advanceTimersByTimeAsync(1000);
    expect(fetchCount).toBe(1);
  });

  it("is not polled [CONST-13]", async () => {
    mountQuery();
    await vi.advanceTimersByTimeAsync(DAY_MS);
    expect(fetchCount).toBe(1);
  });

  it("is not fetched again when it fails [CONST-13, ERR-7]", async () => {
    const observer = mountQuery(true);
    await vi.advanceTimersByTimeAsync(DAY_MS);
    expect(observer.getCurrentResult().status).toBe("error");
    expect(fetchCount).toBe(1);
  });
});
