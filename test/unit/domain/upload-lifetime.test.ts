import { expect, it } from "vitest";
import { expiresAt } from "#domain/expiry.ts";
import { limitFor } from "#domain/plans.ts";
import { UNFINISHED_LINK_TTL_MS, VISITOR_TOKEN_TTL_MS } from "#domain/upload-lifetime.ts";

it("a visitor's token lasts as long as an unfinished transfer, and then the finished one", () => {
  const longest = limitFor("free").longestExpiration;
  const lifetime = { expiration: longest, expirationChosen: true, sizeBytes: 0 };
  expect(VISITOR_TOKEN_TTL_MS).toBe(expiresAt(lifetime, UNFINISHED_LINK_TTL_MS));
});
