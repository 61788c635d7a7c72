import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { protectionAgain, DEFAULT_CHOICE, optionsOf, wasSealed } from "#app/features/upload/link-choice.ts";

beforeEach(() => {
  vi.stubGlobal("document", { cookie: "theme=dark; sealed=1" });
  vi.stubGlobal("isSecureContext", true);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

it("a card encrypts exactly when it says so, whatever another tab has chosen since", () => {
  expect(optionsOf(DEFAULT_CHOICE).sealed).toBeUndefined();
  const choice = { ...DEFAULT_CHOICE, isSealed: true };
  vi.stubGlobal("document", { cookie: "theme=dark" });
  expect(optionsOf(choice)).toEqual({ expiration: "3d", expirationChosen: false, sealed: true });
});

it("a new card begins with what was chosen last, where the browser can encrypt", () => {
  expect(wasSealed()).toBe(true);
  vi.stubGlobal("document", { cookie: "theme=dark" });
  expect(wasSealed()).toBe(false);
  vi.stubGlobal("document", { cookie: "sealed=1" });
  vi.stubGlobal("isSecureContext", false);
  expect(wasSealed()).toBe(false);
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

it("another start names what this tab knows: a password that was typed elsewhere stays as it is [GRD-4]", () => {
  const guards = { password: true, sealed: false, maxDownloads: 3, downloadsUsed: 1, isUsedUp: false };
  expect(protectionAgain({ guards, password: "a secret" })).toEqual({ password: "a secret", maxDownloads: 3 });
  expect(protectionAgain({ guards: { ...guards, maxDownloads: null } })).toEqual({});
  expect(protectionAgain({})).toEqual({});
});
