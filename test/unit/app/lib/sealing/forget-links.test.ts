import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { forgetEndedLinks } from "#app/lib/sealing/forget-links.client.ts";
import type { KeptLink } from "#engine/sealing/link-keys.ts";

const NOW = Date.UTC(2026, 0, 31);

const link = (downloadId: string, expiresAt: number | null, fingerprint: string | null = null): KeptLink => ({
  downloadId,
  uploadId: downloadId,
  userId: null,
  linkSecret: new Uint8Array(32),
  secret: new Uint8Array(32),
  salt: new Uint8Array(16),
  access: new Uint8Array(32),
  hasPassword: false,
  manifest: { final: true, files: [] },
  fingerprint,
  expiresAt,
});

let asked: string[] = [];
beforeEach(() => {
  asked = [];
  vi.stubGlobal("document", { cookie: "" });
  vi.stubGlobal("fetch", (path: string) => {
    asked.push(path);
    return Promise.resolve(Response.json({ code: "NOT_FOUND", message: "gone" }, { status: 404 }));
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

it("asks for links that should have ended and for unfinished ones, and for no others", async () => {
  const links = [link("over", NOW), link("later", NOW + 1), link("never", null), link("unfinished", null, "f")];
  await forgetEndedLinks(links, NOW);
  expect(asked).toEqual(["/api/files/download/over", "/api/files/download/unfinished"]);
});
