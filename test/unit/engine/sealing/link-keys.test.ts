import { describe, expect, it } from "vitest";
import { toBase64url } from "#domain/bytes-as-text.ts";
import { wholeLink } from "#domain/seal/fragment.ts";
import { accessOf, newSeal, readLink, secretsOf, wrapForLink } from "#engine/sealing/link-keys.ts";

const ID = "AbCdEfGhIjKlMnOpQrStUv";
const ADDRESS = `https://example.com/download/${ID}`;

/** None of these links has one. */
const noPassword = () => Promise.reject(new Error("there is no password"));

async function sealedLink() {
  const { secrets, seal } = await newSeal(noPassword);
  return { secrets, seal, link: wholeLink(ADDRESS, secrets) };
}

describe("the keys of a new link", () => {
  it("the whole link and what the server keeps give the same secret again", async () => {
    const { secrets, seal, link } = await sealedLink();
    expect(link).toMatch(/^https:\/\/example\.com\/download\/AbCdEfGhIjKlMnOpQrStUv#1[\w-]{43}$/);
    const read = readLink(` ${link}\n`, ID);
    if ("problem" in read) throw new Error(read.problem);
    const linkKeys = await accessOf(noPassword, read.linkSecret, seal);
    expect(await secretsOf(read.linkSecret, linkKeys, seal)).toEqual(secrets);
    const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", linkKeys.access));
    expect(seal.accessHash).toBe(toBase64url(hash));
    expect(JSON.stringify(seal)).not.toContain(toBase64url(secrets.linkSecret));
  });

  it("another link does not open it", async () => {
    const { seal } = await sealedLink();
    const { secrets: others } = await newSeal(noPassword);
    const linkKeys = await accessOf(noPassword, others.linkSecret, seal);
    await expect(secretsOf(others.linkSecret, linkKeys, seal)).rejects.toMatchObject({ problem: "wrongKey" });
  });

  it("locked anew, the secret stays", async () => {
    const { secrets, seal } = await sealedLink();
    const { access, ...wrapped } = await wrapForLink(noPassword, secrets);
    expect(access).toEqual(secrets.access);
    expect(wrapped.wrap).not.toBe(seal.wrap);
    const linkKeys = await accessOf(noPassword, secrets.linkSecret, seal);
    expect((await secretsOf(secrets.linkSecret, linkKeys, { ...seal, ...wrapped })).secret).toEqual(secrets.secret);
  });
});

describe("a link that was pasted", () => {
  it.each([
    ["of another transfer", `https://example.com/download/${"x".repeat(22)}#1${"A".repeat(43)}`, { problem: "other" }],
    ["without its end", ADDRESS, { problem: "none" }],
    ["cut off", `${ADDRESS}#1${"A".repeat(40)}`, { problem: "missing", characters: 3 }],
    ["of a newer page", `${ADDRESS}#9${"A".repeat(43)}`, { problem: "newer" }],
  ])("%s says what is wrong", (_name, pasted, problem) => {
    expect(readLink(pasted, ID)).toEqual(problem);
  });
});
