import { applyD1Migrations, reset, type D1Migration } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll, afterEach, beforeEach, vi } from "vitest";
import { downloadsCounted } from "./downloads.ts";
import { queuedMailsSent } from "./mails.ts";
import { queuedDeliveriesTried } from "./webhooks.ts";

declare global {
  // oxlint-disable-next-line typescript/no-namespace -- how generated Env types are extended
  namespace Cloudflare {
    interface Env {
      TEST_MIGRATIONS: D1Migration[];
    }
  }
}

// Test files share a runtime, so each starts with empty storage, and no test leaves a stopped clock behind.
await reset();
await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);
afterEach(() => {
  vi.useRealTimers();
});
// Tests send the same few bytes, also after another test of their file has had them taken down.
beforeEach(async () => {
  await env.DB.exec("delete from blocked_sums");
});
// A queue that hands over a message between two files would wait for ever.
afterAll(downloadsCounted);
afterAll(queuedMailsSent);
afterAll(queuedDeliveriesTried);
