import { afterAll, afterEach, expect, it, vi } from "vitest";
import { currentUpload } from "#app/features/upload/current-upload.ts";

const itemsOf = (name: string) => [{ entry: null, file: new File(["x"], name) }];

const listOf = () => {
  const state = currentUpload.getState();
  const view = state.mode === "transfer" ? state.view : null;
  return view?.phase === "list" ? view.list.entries.map(({ path }) => path) : null;
};

/** The card's scripts are loaded first. */
const SCRIPTS = { timeout: 30_000 };

vi.stubGlobal("addEventListener", () => undefined);
vi.stubGlobal("removeEventListener", () => undefined);

afterEach(() => {
  currentUpload.reset();
});
afterAll(() => {
  vi.unstubAllGlobals();
});

it("a list that was chosen stays when another upload is to begin [TRF-56]", async () => {
  expect(currentUpload.openTransfer({ items: itemsOf("mine.txt"), needsConsent: true })).toBe(true);
  const options = { expiration: "1d", expirationChosen: false } as const;
  expect(currentUpload.start({ file: new File(["x"], "other.txt"), options, method: "direct" })).toBe(false);
  await vi.waitFor(() => {
    expect(listOf()).toEqual(["mine.txt"]);
  }, SCRIPTS);
  expect(currentUpload.openTransfer({ items: itemsOf("other.txt") })).toBe(false);
  expect(listOf()).toEqual(["mine.txt"]);
});

it("after the list was left, another upload begins", async () => {
  currentUpload.openTransfer({ items: itemsOf("mine.txt"), needsConsent: true });
  currentUpload.reset();
  expect(currentUpload.openTransfer({ items: itemsOf("other.txt"), needsConsent: true })).toBe(true);
  await vi.waitFor(() => {
    expect(listOf()).toEqual(["other.txt"]);
  }, SCRIPTS);
});
