import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { guardsAgain } from "#app/features/upload/known-guards.ts";
import { DEFAULT_CHOICE, optionsOf } from "#app/features/upload/link-choice.ts";

beforeEach(() => {
  vi.stubGlobal("document", { cookie: "theme=dark" });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

it("what this browser was told to encrypt is encrypted, whether the choice was opened or not", () => {
  expect(optionsOf(DEFAULT_CHOICE).sealed).toBeUndefined();
  vi.stubGlobal("document", { cookie: "theme=dark; sealed=1" });
  expect(optionsOf(DEFAULT_CHOICE)).toEqual({ expiration: "3d", expirationChosen: false, sealed: true });
});

it("a start names the guards that were typed, and no empty ones", () => {
  expect(optionsOf(DEFAULT_CHOICE)).toEqual({ expiration: "3d", expirationChosen: false });
  const choice = { ...DEFAULT_CHOICE, guards: { password: "a secret", limit: "3" } };
  expect(optionsOf(choice).guards).toEqual({ password: "a secret", maxDownloads: 3 });
  expect(optionsOf({ ...choice, guards: { password: "", limit: "1000" } }).guards).toEqual({ maxDownloads: 1000 });
  expect(optionsOf({ ...choice, guards: { password: "a secret", limit: "" } }).guards).toEqual({
    password: "a secret",
  });
});

it("another start names what this tab knows: a password that was typed elsewhere stays as it is", () => {
  const guards = { password: true, sealed: false, maxDownloads: 3, downloadsUsed: 1, isUsedUp: false };
  expect(guardsAgain({ guards, password: "a secret" })).toEqual({ password: "a secret", maxDownloads: 3 });
  expect(guardsAgain({ guards: { ...guards, maxDownloads: null } })).toEqual({});
  expect(guardsAgain({})).toEqual({});
});
