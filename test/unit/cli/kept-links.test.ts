import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { KeptLink } from "#engine/sealing/link-keys.ts";
import { keptLinks } from "../../../cli/send/unfinished.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "mayfly-links-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const linkOf = (downloadId: string): KeptLink => ({
  downloadId,
  userId: "key",
  uploadId: "u",
  fingerprint: "f",
  expiresAt: null,
  manifest: { final: false, files: [] },
  linkSecret: new Uint8Array([1]),
  secret: new Uint8Array([2]),
  salt: new Uint8Array([3]),
  access: new Uint8Array([4]),
  hasPassword: false,
});

it("keeps the keys of an unfinished upload until it is finished", async () => {
  const links = keptLinks(join(folder, "links"));
  const id = "q3Zc8vV1sTn0bKx5Lr2YwA";
  await links.keep(linkOf(id));
  expect(await links.findUnfinished("f", "key")).toEqual(linkOf(id));
  await links.change(id, { fingerprint: null });
  expect(await links.find(id)).toBeNull();
});

it.each(["", ".", "..", "CON", "nul.txt", "a*", "a."])(
  "refuses an upload that a server names %j [CLI-7]",
  async (id) => {
    const links = keptLinks(join(folder, "links"));
    for (const use of [() => links.keep(linkOf(id)), () => links.find(id), () => links.forget(id)]) {
      await expect(use()).rejects.toThrow(`The server names an upload "${id}", which is no name.`);
    }
    expect(readdirSync(folder)).toEqual([]);
  },
);
