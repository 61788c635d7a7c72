import { describe, expect, it } from "vitest";
import { changeOf, startEdit, warningsOf } from "#app/ui/protection/protection-form.tsx";
import type { LinkProtectionNow } from "#domain/wire.ts";

const OPEN: LinkProtectionNow = {
  password: false,
  sealed: false,
  maxDownloads: null,
  downloadsUsed: 0,
  isUsedUp: false,
  running: 0,
  isWaiting: false,
};
const GUARDED: LinkProtectionNow = { ...OPEN, password: true, maxDownloads: 3, downloadsUsed: 2 };

describe("an edit of a link's guards", () => {
  it("begins with what the link has, and changes nothing", () => {
    expect(startEdit(OPEN)).toEqual({ draft: { password: "", limit: "" }, password: "change" });
    expect(startEdit(GUARDED)).toEqual({ draft: { password: "", limit: "3" }, password: "keep" });
    expect(changeOf(startEdit(OPEN), OPEN)).toEqual({});
    expect(changeOf(startEdit(GUARDED), GUARDED)).toEqual({});
  });

  it("names only what differs", () => {
    expect(changeOf({ draft: { password: "a secret", limit: "" }, password: "change" }, OPEN)).toEqual({
      password: "a secret",
    });
    expect(changeOf({ draft: { password: "", limit: "5" }, password: "keep" }, GUARDED)).toEqual({ maxDownloads: 5 });
    expect(changeOf({ draft: { password: "", limit: "" }, password: "remove" }, GUARDED)).toEqual({
      password: null,
      maxDownloads: null,
    });
  });

  it("keeps a password when another one was typed and then given up", () => {
    expect(changeOf({ draft: { password: "", limit: "3" }, password: "keep" }, GUARDED)).toEqual({});
  });
});

describe("what somebody loses by a change", () => {
  const messages = (...[change, now]: Parameters<typeof warningsOf>) =>
    warningsOf(change, now).map(({ message }) => message);

  it("is nothing when a link gets its first password, or a higher limit", () => {
    expect(messages({ password: "a secret", maxDownloads: 1 }, OPEN)).toEqual([]);
    expect(messages({ maxDownloads: 4 }, GUARDED)).toEqual([]);
    expect(messages({ maxDownloads: null }, GUARDED)).toEqual([]);
  });

  it("is the unlocked link when the password changes, and the lock when it goes [GRD-5]", () => {
    expect(messages({ password: "another" }, GUARDED)).toEqual(["newPasswordWarning"]);
    expect(messages({ password: null }, GUARDED)).toEqual(["removeWarning"]);
  });

  it("is the link when the limit comes down to what has been used", () => {
    expect(warningsOf({ maxDownloads: 2 }, GUARDED)).toEqual([{ message: "endWarning", used: 2 }]);
    expect(messages({ password: null, maxDownloads: 1 }, GUARDED)).toEqual(["removeWarning", "endWarning"]);
    expect(messages({ maxDownloads: 1 }, { ...GUARDED, maxDownloads: 2, isUsedUp: true })).toEqual([]);
  });
});
