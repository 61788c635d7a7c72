import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { MIB } from "#domain/units.ts";
import { withMemory } from "#worker/memory.ts";
import { makeKey } from "../support/v1.ts";
import { Client, contentPath, patternBytes, sha256Of, signUp } from "../support/worker.ts";

/** Takes memory until `free` is called. */
function take(bytes: number): { free: () => Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const taken = withMemory(bytes, 0, () => promise);
  return {
    free: async () => {
      resolve(undefined);
      await taken;
    },
  };
}

const nothing = () => Promise.resolve();

/** A body without Content-Length. */
const words = () => new Blob(["some words"]).stream().pipeThrough(new IdentityTransformStream());

afterEach(() => {
  vi.useRealTimers();
});

describe("the memory of an isolate", () => {
  it("is 48 MiB; without room, work that may not wait is refused at once", async () => {
    const taken = take(40 * MIB);
    await withMemory(8 * MIB, 0, nothing);
    await expect(withMemory(8 * MIB + 1, 0, nothing)).rejects.toMatchObject({
      code: "OVERLOADED",
      details: { retryAfterSeconds: 5 },
    });
    await taken.free();
    await withMemory(48 * MIB, 0, nothing);
  });

  it("goes to whoever came first, although less would fit", async () => {
    const taken = take(40 * MIB);
    const order: string[] = [];
    const work = (name: string) => () => {
      order.push(name);
      return Promise.resolve();
    };
    const large = withMemory(16 * MIB, Infinity, work("large"));
    const small = withMemory(1 * MIB, Infinity, work("small"));
    await scheduler.wait(100);
    expect(order).toEqual([]);
    await taken.free();
    await Promise.all([large, small]);
    expect(order).toEqual(["large", "small"]);
  });

  it("is free again when work fails", async () => {
    await expect(withMemory(48 * MIB, 0, () => Promise.reject(new Error("lost")))).rejects.toThrow("lost");
    await withMemory(48 * MIB, 0, nothing);
  });

  it("is free again a minute after the last sign of work that the platform cancelled", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    let sign: () => void = () => undefined;
    void withMemory(48 * MIB, 0, (isAlive) => {
      sign = isAlive;
      return new Promise(() => undefined);
    });
    await vi.waitFor(() => sign());
    vi.setSystemTime(Date.now() + 59_000);
    sign();
    vi.setSystemTime(Date.now() + 59_000);
    await expect(withMemory(1, 0, nothing)).rejects.toMatchObject({ code: "OVERLOADED" });
    vi.setSystemTime(Date.now() + 2000);
    await withMemory(48 * MIB, 0, nothing);
  });
});

describe("when no memory is left", () => {
  let key: string;
  let taken: ReturnType<typeof take>;

  beforeEach(async () => {
    ({ key } = await makeKey(await signUp()));
    taken = take(48 * MIB);
  });

  afterEach(() => taken.free());

  const send = (method: string, path: string, body: BodyInit, headers: Record<string, string>) =>
    new Client().fetch(path, {
      method,
      headers: { authorization: `Bearer ${key}`, accept: "application/json", ...headers },
      body,
    });

  it("a body of known length still goes through, in parts of 8 MiB", async () => {
    const bytes = patternBytes(17 * MIB + 5);
    const answer = await send("PUT", "/large.bin", bytes, { "content-length": String(bytes.byteLength) });
    expect(answer.status).toBe(201);
    const { downloadId } = await answer.json<{ downloadId: string }>();
    const download = await new Client().fetch(contentPath(downloadId));
    expect(await sha256Of(await download.arrayBuffer())).toBe(await sha256Of(bytes));
  });

  it(
    "a body of unknown length waits for 10 seconds, is refused in words, and leaves nothing",
    { tags: "long" },
    async () => {
      const { objects } = await env.BUCKET.list();
      const answer = await send("PUT", "/words.txt", words(), {});
      expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
      expect(await answer.json()).toMatchObject({
        code: "OVERLOADED",
        message: "Too many files arrive at once. Please try again in a few seconds.",
      });
      expect((await env.BUCKET.list()).objects).toHaveLength(objects.length);
    },
  );

  it("a body of unknown length is taken when memory becomes free", async () => {
    const answer = send("PUT", "/words.txt", words(), {});
    await taken.free();
    expect((await answer).status).toBe(201);
  });
});
