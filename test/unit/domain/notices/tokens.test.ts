import { describe, expect, it } from "vitest";
import {
  deriveNoticeKeys,
  digestEmail,
  issueUnsubscribe,
  newRecipientToken,
  readUnsubscribe,
  RECIPIENT_TOKEN,
} from "#domain/notices/tokens.ts";

const keys = await deriveNoticeKeys("a secret of this installation");
const about = { kind: "files", id: "0e1b7a4c-6f2d-4a3b-9c8d-1e2f3a4b5c6d" } as const;

describe("an unsubscribe link", () => {
  it("says what it stops, and nothing that was changed is ours [NOTE-6]", async () => {
    const token = await issueUnsubscribe(keys, about);
    expect(await readUnsubscribe(keys, token)).toEqual(about);
    for (let index = 0; index < token.length; index += 1) {
      const other = token[index] === "x" ? "y" : "x";
      const changed = `${token.slice(0, index)}${other}${token.slice(index + 1)}`;
      // The last character of base64url has two bits that say nothing.
      if (index < token.length - 1) expect(await readUnsubscribe(keys, changed), changed).toBeNull();
    }
  });

  it("is not ours with another installation's secret, or for another kind of mail", async () => {
    const token = await issueUnsubscribe(keys, about);
    expect(await readUnsubscribe(await deriveNoticeKeys("another secret"), token)).toBeNull();
    expect(await readUnsubscribe(keys, token.replace("files", "day"))).toBeNull();
    expect(await readUnsubscribe(keys, token.replace("files", "login"))).toBeNull();
    expect(await readUnsubscribe(keys, "")).toBeNull();
  });
});

it("an address has one digest, however it is written, and each installation another", async () => {
  const digest = await digestEmail(keys, "ann@example.com");
  expect(digest).toMatch(/^[\w-]{43}$/);
  expect(await digestEmail(keys, " Ann@Example.COM ")).toBe(digest);
  expect(await digestEmail(await deriveNoticeKeys("another secret"), "ann@example.com")).not.toBe(digest);
  expect(await digestEmail(keys, "bob@example.com")).not.toBe(digest);
});

it("recipients' tokens have 128 random bits", () => {
  const tokens = Array.from({ length: 100 }, newRecipientToken);
  expect(new Set(tokens).size).toBe(100);
  for (const token of tokens) expect(token).toMatch(RECIPIENT_TOKEN);
});
