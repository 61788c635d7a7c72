import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { interceptQueries } from "../support/query-interceptor.ts";
import { workerWith } from "../support/worker-with-env.ts";
import { Client, signUp } from "../support/worker.ts";

/** A client of a Worker that records its queries. */
function recordingClient(cookie = ""): { client: Client; queries: string[] } {
  const queries: string[] = [];
  const DB = interceptQueries(env.DB, (statements, go) => {
    queries.push(...statements.map(({ text }) => text));
    return go();
  });
  return { client: new Client(cookie, workerWith({ ...env, DB })), queries };
}

describe("GET /api/auth/me", () => {
  it("GET /me answers visitors with 200 and null without a database query", async () => {
    const [sessionCookie = ""] = (await signUp()).cookie.split("=");
    expect(sessionCookie).toMatch(/session_token$/);
    const unsigned = `${sessionCookie}=made-up.${"A".repeat(43)}%3D`;
    for (const cookie of ["", "theme=dark", `${sessionCookie}=`, unsigned]) {
      const { client, queries } = recordingClient(cookie);
      const response = await client.fetch("/api/auth/me");
      expect([cookie, response.status, await response.json(), queries]).toEqual([cookie, 200, null, []]);
    }
  });

  it("GET /me makes one query for a logged-in user", async () => {
    const person = await signUp();
    const { client, queries } = recordingClient(person.cookie);
    const response = await client.fetch("/api/auth/me");
    expect([response.status, await response.json()]).toEqual([
      200,
      { id: person.id, email: person.email, isVerified: false, planType: "free" },
    ]);
    expect(queries).toHaveLength(1);
  });
});
