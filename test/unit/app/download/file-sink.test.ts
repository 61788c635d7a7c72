import { expect, it } from "vitest";
import { FileSink } from "#app/features/download/sealed/sinks/sink.ts";

const handleOf = (fail: DOMException) =>
  ({
    createWritable: () => Promise.resolve({ write: () => Promise.resolve(), close: () => Promise.reject(fail) }),
  }) as unknown as FileSystemFileHandle;

it("says that the device is full when the last step finds no room", async () => {
  const full = await FileSink.open(handleOf(new DOMException("full", "QuotaExceededError")));
  await expect(full.finish()).rejects.toMatchObject({ problem: "room" });
  const unsafe = await FileSink.open(handleOf(new DOMException("unsafe", "AbortError")));
  await expect(unsafe.finish()).rejects.toMatchObject({ name: "AbortError" });
});
