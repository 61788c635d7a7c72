// @module-tag long
import { describe, expect, it } from "vitest";
import { from, newAddress, statusOf } from "../support/limit-rows.ts";
import { signUp, stopClockAt } from "../support/worker.ts";

/** Strangers can use these limits up for a person, so they delay and lock nobody out. */
describe("a limit that delays", () => {
  it("login: 10 attempts in 15 minutes per account, then one every 30 seconds, so that nobody is locked out [LIM-3]", async () => {
    const { email } = await signUp();
    const logIn = (password: string) => from(newAddress()).post("/api/auth/login", { email, password });
    const begin = Date.now();
    stopClockAt(begin);
    for (let count = 0; count < 10; count += 1) expect(await statusOf(logIn("a wrong password"))).toBe(401);
    const rejected = await logIn("a good password");
    expect([rejected.status, rejected.headers.get("retry-after")]).toEqual([429, "30"]);

    stopClockAt(begin + 29_999);
    expect(await statusOf(logIn("a good password"))).toBe(429);
    stopClockAt(begin + 30_000);
    expect(await statusOf(logIn("a good password"))).toBe(200);
    expect(await statusOf(logIn("a good password"))).toBe(429);

    stopClockAt(begin + 15 * 60_000 - 1);
    expect(await statusOf(logIn("a wrong password"))).toBe(401);
    expect(await statusOf(logIn("a wrong password"))).toBe(429);
    stopClockAt(begin + 15 * 60_000);
    for (let count = 0; count < 8; count += 1) expect(await statusOf(logIn("a wrong password"))).toBe(401);
    expect(await statusOf(logIn("a wrong password"))).toBe(429);
  });

  it("second factors: 10 answers in 15 minutes per account, then one every 30 seconds", async () => {
    const { cookie } = await signUp();
    const begin = Date.now();
    stopClockAt(begin);
    await from(newAddress(), cookie).post("/api/auth/totp", {});
    const answer = () => from(newAddress(), cookie).post("/api/auth/totp/enable", { code: "wrong" });
    for (let count = 0; count < 10; count += 1) expect(await statusOf(answer())).toBe(401);
    const rejected = await answer();
    expect([rejected.status, rejected.headers.get("retry-after")]).toEqual([429, "30"]);
    stopClockAt(begin + 29_999);
    expect(await statusOf(answer())).toBe(429);
    stopClockAt(begin + 30_000);
    expect(await statusOf(answer())).toBe(401);
    expect(await statusOf(answer())).toBe(429);
  });

  it("codes that confirm: 3 an hour per account, then one every ten minutes, whatever strangers ask for [LIM-18]", async () => {
    const { email, cookie } = await signUp();
    const askForCode = () => from(newAddress(), cookie).post("/api/auth/confirm/mail", {});
    const begin = Date.now();
    stopClockAt(begin);
    const askForLink = () => from(newAddress()).post("/api/auth/mail-link", { email });
    for (let count = 0; count < 3; count += 1) expect(await statusOf(askForLink())).toBe(200);
    expect(await statusOf(askForLink())).toBe(429);

    for (let count = 0; count < 3; count += 1) expect(await statusOf(askForCode())).toBe(200);
    const rejected = await askForCode();
    expect([rejected.status, rejected.headers.get("retry-after")]).toEqual([429, "600"]);
    stopClockAt(begin + 10 * 60_000 - 1);
    expect(await statusOf(askForCode())).toBe(429);
    stopClockAt(begin + 10 * 60_000);
    expect(await statusOf(askForCode())).toBe(200);
    expect(await statusOf(askForCode())).toBe(429);
  });
});
