import { describe, expect, it } from "vitest";
import { Client, signUp } from "../support/worker.ts";

describe("accounts", () => {
  it("GET /me answers visitors with 200 and null", async () => {
    const response = await new Client().fetch("/api/auth/me");
    expect(response.status).toBe(200);
    expect(await response.json()).toBeNull();
  });

  it("a new user is logged in, can log out and log in again", async () => {
    const person = await signUp();
    expect(await (await person.fetch("/api/auth/me")).json()).toMatchObject({ email: person.email, planType: "free" });

    expect((await person.post("/api/auth/logout", {})).status).toBe(200);
    expect(await (await person.fetch("/api/auth/me")).json()).toBeNull();

    const login = await person.post("/api/auth/login", { email: person.email, password: "a good password" });
    expect(login.status).toBe(200);
    expect(login.headers.get("set-cookie")).toMatch(/HttpOnly; SameSite=Lax/);
    expect(await (await person.fetch("/api/auth/me")).json()).toMatchObject({ email: person.email });
  });
});
