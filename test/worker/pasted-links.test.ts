import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { clientFrom } from "../support/worker-with-env.ts";
import { Client, sendFile, signUp } from "../support/worker.ts";

const BROWSER = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64) Chrome/140", accept: "text/html,*/*;q=0.8" };
const UNKNOWN = "A".repeat(22);

function open(path: string, client = new Client(), method = "GET"): Promise<Response> {
  return client.fetch(path, { method, headers: BROWSER, redirect: "manual" });
}

it.each(["/", ".", ")", "],", "%20", "%C2%A0", "%E2%80%8B", "%E2%80%A6", "%22", "%3E", "'s"])(
  "a browser that opens a link with %s behind it is sent to the link [DL-14]",
  async (ending) => {
    const { downloadId } = await sendFile(await signUp(), "hello");
    for (const method of ["GET", "HEAD"]) {
      const { status, headers } = await open(`/download/${downloadId}${ending}?for=${UNKNOWN}`, new Client(), method);
      expect([status, headers.get("location")]).toEqual([302, `/download/${downloadId}?for=${UNKNOWN}`]);
      expect([headers.get("cache-control"), headers.get("referrer-policy")]).toEqual([
        "private, no-store",
        "no-referrer",
      ]);
    }
    expect((await open(`/download/${downloadId}`)).status).toBe(200);
  },
);

it.each([
  [`/r/${UNKNOWN}).`, `/r/${UNKNOWN}`],
  [
    `/delete/1b4e28ba-2fa1-41d2-883f-0016d3cca427/${"b".repeat(43)}.`,
    `/delete/1b4e28ba-2fa1-41d2-883f-0016d3cca427/${"b".repeat(43)}`,
  ],
  [`/unsubscribe/files.an-id.${"c".repeat(43)}%3E`, `/unsubscribe/files.an-id.${"c".repeat(43)}`],
])("so is one that opens %s", async (pasted, link) => {
  const response = await open(pasted);
  expect([response.status, response.headers.get("location")]).toEqual([302, link]);
});

it("guessing with something behind the ids is still counted [DL-14]", async () => {
  const client = clientFrom("203.0.113.77", { ...env, RATE_LIMITS: "on" });
  const statuses: number[] = [];
  for (let guess = 0; guess < 21; guess += 1) {
    const id = String(guess).padStart(22, "x");
    const redirect = await client.fetch(`/download/${id}.`, { headers: BROWSER, redirect: "manual" });
    const response = await client.fetch(redirect.headers.get("location") ?? "", { headers: BROWSER });
    await response.body?.cancel();
    statuses.push(response.status);
  }
  expect(statuses).toEqual([...Array.from({ length: 20 }, () => 404), 429]);
});
