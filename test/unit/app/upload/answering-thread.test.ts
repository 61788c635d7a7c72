import { expect, it } from "vitest";
import { AnsweringThread } from "#app/features/upload/browser/answering-thread.ts";

/** A browser's thread that starts and never answers. */
class SilentWorker {
  onmessage: ((event: { data: null }) => void) | null = null;
  onerror: (() => void) | null = null;
  isEnded = false;

  constructor() {
    queueMicrotask(() => this.onmessage?.({ data: null }));
  }

  postMessage(): void {
    // It is asked, and stays silent.
  }

  terminate(): void {
    this.isEnded = true;
  }
}

async function startThread(signal = new AbortController().signal) {
  const worker = new SilentWorker();
  const thread = await AnsweringThread.start<string, string>(worker as unknown as Worker, signal);
  return { worker, thread };
}

it("a thread that is stopped rejects what it was asked, and what it is asked later", async () => {
  const { worker, thread } = await startThread();
  const asked = [thread.ask("first"), thread.ask("second")];
  thread.stop();
  expect(worker.isEnded).toBe(true);
  for (const answer of [...asked, thread.ask("later")]) {
    await expect(answer).rejects.toMatchObject({ name: "AbortError" });
  }
});

it("a thread that ends by itself rejects what it was asked", async () => {
  const { worker, thread } = await startThread();
  const asked = thread.ask("first");
  worker.onerror?.();
  await expect(asked).rejects.toMatchObject({ name: "UploadError" });
});

it("an upload that has ended starts no thread", async () => {
  await expect(startThread(AbortSignal.abort())).rejects.toMatchObject({ name: "AbortError" });
});
