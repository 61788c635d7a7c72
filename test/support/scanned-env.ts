import { createMessageBatch, getQueueResult, createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { inject } from "vitest";
import type { LinkCheck } from "#domain/moderation/link-check.ts";
import { TransferSession } from "#durable-objects/transfer/transfer-session.ts";
import { UploadSession } from "#durable-objects/upload/upload-session.ts";
import worker from "#worker/index.ts";
import { servicesFor, type Services } from "#worker/services.ts";
import type { Mood } from "./clamd-double/double.ts";
import { namespaceWithEnv } from "./durable-objects-with-env.ts";
import { wrapMethods } from "./query-interceptor.ts";

declare global {
  // oxlint-disable-next-line typescript/no-namespace -- how generated Env types are extended
  namespace Cloudflare {
    interface Env {
      /** A real clamd, which `npm run soak -- scan` names; else "". */
      CLAMD: string;
    }
  }
}

export const scanners = inject("scanners");

export const clamd = (mood: Mood) => `clamd://127.0.0.1:${scanners.clamd[mood]}`;
export const httpScanner = (mood: Mood) => `http://127.0.0.1:${scanners.http[mood]}/scan`;

export interface ScannedEnv {
  env: Env;
  services: Services;
  /** What waits in the queue of checks. */
  waiting: LinkCheck[];
  /**
   * Handles what waits, and what follows from it. A message that is to come again waits again.
   * @returns how many messages are to come again
   */
  scanAll(): Promise<number>;
}

/** An environment with a scanner, whose queue waits until a test lets it run. */
export function scannedEnv(mode: "after" | "before", scanner = clamd("well"), more: Partial<Env> = {}): ScannedEnv {
  const waiting: LinkCheck[] = [];
  const environment: Env = {
    ...env,
    SCAN: mode,
    SCANNER: scanner,
    SCANNER_KEY: "the scanner's key",
    SCAN_MAX_MB: "20",
    ...more,
  };
  environment.CHECKS = wrapMethods(env.CHECKS, (method, call) => {
    if (method === "send") {
      return (body) => {
        waiting.push(body as LinkCheck);
        return Promise.resolve();
      };
    }
    if (method !== "sendBatch") return call;
    return (messages) => {
      waiting.push(...(messages as { body: LinkCheck }[]).map(({ body }) => body));
      return Promise.resolve();
    };
  });
  environment.UPLOADS = namespaceWithEnv(env.UPLOADS, UploadSession, environment);
  environment.TRANSFERS = namespaceWithEnv(env.TRANSFERS, TransferSession, environment);
  const scanAll = async () => {
    const again: LinkCheck[] = [];
    for (let body = waiting.shift(); body; body = waiting.shift()) {
      const message = { id: crypto.randomUUID(), timestamp: new Date(), attempts: 1, body };
      const batch = createMessageBatch("mayfly-checks", [message]);
      const context = createExecutionContext();
      await worker.queue(batch, environment);
      const { retryBatch } = await getQueueResult(batch, context);
      if (retryBatch.retry) again.push(body);
    }
    waiting.push(...again);
    return again.length;
  };
  return { env: environment, services: servicesFor(environment), waiting, scanAll };
}
