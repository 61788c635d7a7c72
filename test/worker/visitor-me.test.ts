import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { between } from "../support/between.ts";
import { serving } from "../support/serving.ts";
import { Client, signUp } from "../support/worker.ts";

/** Somebody whose calls are answered with a database that notes what it is asked. */
function watched(cookie = ""): { client: Client; queries: string[] } {
  const queries: string[] = [];
  const DB = between(env.DB, (asked, go) => {
    queries.push(...asked.map(({ text }) => text));
    return go();
  });
  return { client: new Client(cookie, serving({ ...env, DB })), queries };
}

describe("GET /api/auth/me", () => {
  it("answers a visitor 200 null without asking the database", async () => {
    const [sessionCookie = ""] = (await signUp()).cookie.split("=");
    expect(sessionCookie).toMatch(/session_token$/);
    const unsigned = `${sessionCookie}=made-up.${"A".repeat(43)}%3D`;
    for (const cookie of ["", "theme=dark", `${sessionCookie}=`, unsigned]) {
      const { client, queries } = watched(cookie);
      const response = await client.fetch("/api/auth/me");
      expect([cookie, response.status, await response.json(), queries]).toEqual([cookie, 200, null, []]);
    }
  });

  it("asks it once for who is signed in", async () => {
    const person = await signUp();
    const { client, queries } = watched(person.cookie);
    const response = await client.fetch("/api/auth/me");
    expect([response.status, await response.json()]).toEqual([
      200,
      { id: person.id, email: person.email, isVerified: false, planType: "free" },
    ]);
    expect(queries).toHaveLength(1);
  });
});
