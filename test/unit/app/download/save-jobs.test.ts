import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { SaveJobs } from "#app/features/download/sealed/saving/save-jobs.ts";
import type { Wanted } from "#app/features/download/sealed/sealed-files.ts";
import { newSender } from "#test/support/seal/sealed-files.ts";

/** Takes orders, and opens nothing. */
class IdleWorker {
  onmessage: ((event: { data: unknown }) => void) | null = null;

  postMessage({ type }: { type: string }): void {
    const answers: Record<string, unknown> = { probe: { type: "probed", canStage: false }, stop: { type: "stopped" } };
    const data = answers[type];
    if (data !== undefined) queueMicrotask(() => this.onmessage?.({ data }));
  }

  terminate(): void {
    this.onmessage = null;
  }
}

beforeEach(() => {
  vi.stubGlobal("Worker", IdleWorker);
  vi.stubGlobal("window", {});
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const wantedOf = (n: number): Wanted => ({
  name: `${n}.txt`,
  isArchive: false,
  files: [
    {
      n,
      entry: n,
      name: `${n}.txt`,
      type: "",
      size: 10,
      mtime: 0,
      at: 0,
      stream: n,
      streamBytes: 10,
      url: "/",
      isFollowed: false,
    },
  ],
});

it("starts a file once, however often it is clicked", async () => {
  const { keys } = await newSender();
  let taken = 0;
  const jobs = new SaveJobs();
  const take = () => {
    taken += 1;
    return Promise.resolve(true);
  };
  jobs.use({
    downloadId: "abc",
    keys,
    take,
    clear: () => Promise.resolve(true),
    findSum: () => Promise.resolve(null),
    onOpened: () => undefined,
  });
  await Promise.all([jobs.start(wantedOf(1)), jobs.start(wantedOf(1))]);
  await jobs.start(wantedOf(2));
  await jobs.start(wantedOf(1));
  expect(taken).toBe(2);
  expect(jobs.snapshot().map(({ name, state }) => [name, state])).toEqual([
    ["2.txt", "opening"],
    ["1.txt", "opening"],
  ]);
  const [, first] = jobs.snapshot();
  jobs.stop(first?.id ?? -1);
  await vi.waitFor(() => {
    expect(jobs.snapshot()[1]?.state).toBe("stopped");
  });
  await jobs.again(first?.id ?? -1);
  expect(taken).toBe(3);
  expect(jobs.snapshot().map(({ name, state }) => [name, state])).toEqual([
    ["1.txt", "opening"],
    ["2.txt", "opening"],
  ]);
});
