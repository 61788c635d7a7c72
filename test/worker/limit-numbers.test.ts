// @module-tag long
import { describe, expect, it } from "vitest";
import { LIMIT_NUMBERS } from "../support/limit-numbers.ts";
import { from, newAddress, statusOf } from "../support/limit-rows.ts";
import { putOnPlan, signUp, stopClockAt } from "../support/worker.ts";

/** Calls in parallel: the clock stands still, so their order does not matter. */
const AT_ONCE = 30;

describe("rate limits", () => {
  it.each(LIMIT_NUMBERS)(
    "$call: $maxCalls calls in $windowSeconds seconds per $by, then a wait of the same time [KEY-8, LIM-3, LIM-4, LIM-5, LIM-7, LIM-8, LIM-9, LIM-10, LIM-11, LIM-13, LIM-15, LIM-19]",
    async ({ newCaller, maxCalls, allowedStatus, windowSeconds }) => {
      const call = await newCaller();
      const begin = Date.now();
      stopClockAt(begin);
      const statuses: number[] = [];
      for (let first = 0; first < maxCalls; first += AT_ONCE) {
        const counts = Array.from({ length: Math.min(AT_ONCE, maxCalls - first) }, (_, index) => first + index);
        statuses.push(...(await Promise.all(counts.map((count) => statusOf(call(count))))));
      }
      expect(statuses).toEqual(Array(maxCalls).fill(allowedStatus));

      const rejected = await call(maxCalls);
      expect([rejected.status, rejected.headers.get("retry-after")]).toEqual([429, String(windowSeconds)]);
      expect(await rejected.json()).toMatchObject({ code: "RATE_LIMITED", retryAfterSeconds: windowSeconds });

      stopClockAt(begin + windowSeconds * 1000 - 1);
      expect(await statusOf(call(maxCalls))).toBe(429);
      stopClockAt(begin + windowSeconds * 1000);
      expect(await statusOf(call(maxCalls))).toBe(allowedStatus);
    },
  );

  it.each([
    ["free", 5],
    ["professional", 20],
    ["ultimate", 20],
  ] as const)("unfinished uploads: the %s plan allows %i at once [LIM-12]", async (plan, maxUploads) => {
    const person = await signUp();
    await putOnPlan(person.email, plan);
    for (let size = 1; size < maxUploads; size += 1) await person.startUpload(size);
    const start = () =>
      from(newAddress(), person.cookie).post("/api/direct-upload/presigned-url", {
        filename: "a.txt",
        fileType: "text/plain",
        fileSize: 5,
        expiration: "1d",
      });
    expect(await statusOf(start())).toBe(200);
    const rejected = await start();
    expect([rejected.status, await rejected.json()]).toMatchObject([
      429,
      {
        code: "RATE_LIMITED",
        message: `You have ${maxUploads} unfinished uploads, the maximum of your plan. Finish or discard one on your dashboard, then try again.`,
      },
    ]);
  });
});
