// @module-tag long
import { afterAll, beforeAll, expect, it } from "vitest";
import { postAsPage, START_TIMEOUT_MS, startWranglerDev, type WranglerDev } from "../support/wrangler-dev.ts";

const BYTES = new TextEncoder().encode("A small file that goes up and comes down again.");

let server: WranglerDev;

beforeAll(async () => {
  server = await startWranglerDev();
}, START_TIMEOUT_MS);

afterAll(() => server.stop());

interface Started {
  presignedUrl: string;
  downloadId: string;
}

it("`npx wrangler dev` alone serves a fresh clone: pages, database, accounts, uploads and downloads", async () => {
  const { origin } = server;
  const page = await fetch(origin);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("</html>")]);
  const health = await fetch(`${origin}/api/health`);
  expect([health.status, await health.json()]).toMatchObject([200, { ok: true }]);

  const person = { email: "somebody@example.com", password: "a good password" };
  const registered = await postAsPage(origin, "/api/auth/register", person);
  const [cookie = ""] = registered.headers.getSetCookie()[0]?.split(";") ?? [];
  const file = { filename: "small.txt", fileType: "text/plain", fileSize: BYTES.byteLength, expiration: "1d" };
  const started = await postAsPage(origin, "/api/direct-upload/presigned-url", file, cookie);
  const { presignedUrl, downloadId } = JSON.parse(await started.text()) as Started;
  expect(new URL(presignedUrl).origin).toBe(origin);
  const headers = { "content-type": "text/plain" };
  const sent = await fetch(presignedUrl, { method: "PUT", headers, body: BYTES });
  expect(sent.status).toBe(200);
  await postAsPage(origin, "/api/direct-upload/complete", { downloadId }, cookie);
  const received = await fetch(`${origin}/api/files/download/${downloadId}/content`);
  expect([received.status, await received.text()]).toEqual([200, new TextDecoder().decode(BYTES)]);
}, 60_000);
