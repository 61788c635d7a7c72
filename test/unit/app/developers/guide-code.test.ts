import { execFileSync } from "node:child_process";
import { parseAst } from "vite";
import { describe, expect, it } from "vitest";
import { guideCode } from "#app/features/developers/guide-code.ts";
import { newWebhookSecret, signedHeaders } from "#domain/webhooks/delivery.ts";

const code = guideCode("https://files.example");
type Check = (secret: string, headers: Record<string, string>, body: string) => boolean;

describe("the examples for developers", () => {
  it.each(["key", "curl", "choices", "pipe", "large", "install", "send", "script", "ask"] as const)(
    "%s is what a shell can read",
    (name) => {
      execFileSync("sh", ["-n"], { input: code[name] });
      expect(code[name]).not.toMatch(/undefined|\[object/);
    },
  );

  it.each(["tus", "uppy", "calls", "verify"] as const)("%s is JavaScript", (name) => {
    expect(() => parseAst(code[name])).not.toThrow();
  });

  it("verify accepts our signatures, and nothing that was changed or is old [DEV-1]", async () => {
    const { isGenuine } = (await import(
      /* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code.verify)}`
    )) as { isGenuine: Check };
    const [secret, former] = [newWebhookSecret(), newWebhookSecret()];
    const headers = await signedHeaders([former, secret], "id_1", Date.now(), code.event);
    expect(isGenuine(secret, headers, code.event)).toBe(true);
    expect(isGenuine(former, headers, code.event)).toBe(true);
    expect(isGenuine(secret, headers, `${code.event} `)).toBe(false);
    expect(isGenuine(newWebhookSecret(), headers, code.event)).toBe(false);
    const old = await signedHeaders([secret], "id_1", Date.now() - 301_000, code.event);
    expect(isGenuine(secret, old, code.event)).toBe(false);
  });
});
