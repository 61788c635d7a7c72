import { createHmac, hkdfSync } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import {
  deriveLinkTokenKeys,
  isDeletion,
  issueDeletion,
  issueGrant,
  issueLease,
  newLeaseId,
  readGrant,
  readLease,
  renewGrant,
  type LinkTokenKeys,
} from "#domain/protection/tokens.ts";

const SECRET = "a secret that is long enough for tests";
const LINK = "AAAAAAAAAAAAAAAAAAAAAA";
const OTHER_LINK = "AAAAAAAAAAAAAAAAAAAAAB";
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const NOW = Date.UTC(2026, 10, 23, 12);

let keys: LinkTokenKeys;
beforeAll(async () => {
  keys = await deriveLinkTokenKeys(SECRET);
});

/** With Node's own functions. */
function macOf(text: string, label: string): string {
  const key = new Uint8Array(hkdfSync("sha256", SECRET, "", label, 32));
  return createHmac("sha256", key).update(text).digest("base64url");
}

async function renewed(token: string, at: number): Promise<string | null> {
  const grant = await readGrant(keys, LINK, 0, token, at);
  return grant && renewGrant(keys, LINK, grant, at);
}

describe("a grant", () => {
  it("is its moments and revision, signed with a key of its own for this link", async () => {
    const words = `${NOW}.${NOW + HOUR_MS}.7`;
    expect(await issueGrant(keys, LINK, 7, NOW)).toBe(`${words}.${macOf(`${LINK}.${words}`, "mayfly link grant")}`);
  });

  it("is valid for an hour, to the millisecond", async () => {
    const token = await issueGrant(keys, LINK, 0, NOW);
    const grant = { issuedAt: NOW, expiresAt: NOW + HOUR_MS, revision: 0 };
    expect(await readGrant(keys, LINK, 0, token, NOW + HOUR_MS - 1)).toEqual(grant);
    expect(await readGrant(keys, LINK, 0, token, NOW + HOUR_MS)).toBeNull();
  });

  it("is void for another link, after a change of the guards, and under another secret", async () => {
    const token = await issueGrant(keys, LINK, 1, NOW);
    expect(await readGrant(keys, LINK, 1, token, NOW)).not.toBeNull();
    expect(await readGrant(keys, OTHER_LINK, 1, token, NOW)).toBeNull();
    expect(await readGrant(keys, LINK, 2, token, NOW)).toBeNull();
    expect(await readGrant(await deriveLinkTokenKeys(`${SECRET}.`), LINK, 1, token, NOW)).toBeNull();
  });

  it("cannot be changed in any character", async () => {
    const token = await issueGrant(keys, LINK, 3, NOW);
    for (let at = 0; at < token.length; at += 1) {
      const changed = `${token.slice(0, at)}${token[at] === "1" ? "2" : "1"}${token.slice(at + 1)}`;
      // The last character of a MAC has two bits that say nothing.
      if (at < token.length - 1) expect(await readGrant(keys, LINK, 3, changed, NOW)).toBeNull();
    }
  });

  it.each([
    "",
    "...",
    "1.2.3",
    "1.2.3.",
    `1.2.3.${"A".repeat(42)}`,
    `1.2.3.${"A".repeat(43)}`,
    `1.2.3.${"=".repeat(43)}`,
  ])("is not %j", async (token) => {
    expect(await readGrant(keys, LINK, 3, token, 1)).toBeNull();
  });

  it("is renewed in its second half alone, for another hour", async () => {
    const token = await issueGrant(keys, LINK, 0, NOW);
    expect(await renewed(token, NOW + 30 * MINUTE_MS - 1)).toBeNull();
    const at = NOW + 30 * MINUTE_MS;
    const next = await renewed(token, at);
    expect(await readGrant(keys, LINK, 0, next ?? "", at)).toEqual({
      issuedAt: NOW,
      expiresAt: at + HOUR_MS,
      revision: 0,
    });
  });

  it("ends twelve hours after the unlock, however often it was renewed", async () => {
    let token = await issueGrant(keys, LINK, 0, NOW);
    let renewals = 0;
    for (let at = NOW; at < NOW + 12 * HOUR_MS; at += 10 * MINUTE_MS) {
      const next = await renewed(token, at);
      if (next === null) continue;
      token = next;
      renewals += 1;
    }
    expect(renewals).toBe(22);
    expect(await readGrant(keys, LINK, 0, token, NOW + 12 * HOUR_MS - 1)).not.toBeNull();
    expect(await readGrant(keys, LINK, 0, token, NOW + 12 * HOUR_MS)).toBeNull();
    expect(await renewed(token, NOW + 12 * HOUR_MS - 1)).toBeNull();
  });
});

describe("a lease's token", () => {
  it("is its id, signed with a key of its own for this link", async () => {
    const id = newLeaseId();
    const token = await issueLease(keys, LINK, id);
    expect(token).toBe(`${id}.${macOf(`${LINK}.${id}`, "mayfly link lease")}`);
    expect(await readLease(keys, LINK, token)).toBe(id);
    expect(await readLease(keys, OTHER_LINK, token)).toBeNull();
  });

  it.each([
    "",
    ".",
    `${"A".repeat(22)}.`,
    `${"A".repeat(22)}.${"A".repeat(43)}`,
    `${"A".repeat(21)}.${"A".repeat(43)}`,
  ])("is not %j", async (token) => {
    expect(await readLease(keys, LINK, token)).toBeNull();
  });

  it("has 128 random bits", () => {
    const ids = Array.from({ length: 1000 }, newLeaseId);
    expect(new Set(ids).size).toBe(1000);
    for (const id of ids) expect(id).toMatch(/^[\w-]{22}$/);
  });
});

describe("a token that deletes a file", () => {
  const FILE = "2d8f0a52-9c1b-4d5e-8b61-0f3c7a9e4b10";

  it("is the file's alone, of this installation alone", async () => {
    const token = await issueDeletion(keys, FILE);
    expect(token).toBe(macOf(FILE, "mayfly link deletion"));
    expect(await isDeletion(keys, FILE, token)).toBe(true);
    expect(await isDeletion(keys, FILE.replace("2", "3"), token)).toBe(false);
    expect(await isDeletion(await deriveLinkTokenKeys("another secret"), FILE, token)).toBe(false);
  });

  it("is no other text", async () => {
    const token = await issueDeletion(keys, FILE);
    const lease = await issueLease(keys, FILE, newLeaseId());
    for (const text of ["", token.slice(1), `${token}A`, `é${token.slice(1)}`, lease]) {
      expect(await isDeletion(keys, FILE, text)).toBe(false);
    }
  });
});
