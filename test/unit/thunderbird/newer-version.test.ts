import { afterEach, expect, it, vi } from "vitest";
import { newerVersion } from "../../../thunderbird/newer-version.ts";

// The module reads Thunderbird's API when it is loaded.
vi.hoisted(() => vi.stubGlobal("browser", { runtime: { getManifest: () => ({ version: "0.9.0" }) } }));
afterEach(() => {
  vi.restoreAllMocks();
});

it.each([
  ["https://files.example/thunderbird/mayfly-0.10.0.xpi", "https://files.example/thunderbird/mayfly-0.10.0.xpi"],
  ["https://files.example/thunderbird/mayfly-0.9.0.xpi", null],
  ["https://files.example/thunderbird/mayfly-0.8.9.xpi", null],
  ["https://files.example/login", null],
])("a site whose add-on is at %s has the newer version %s [TB-5]", async (url, newer) => {
  const asked = vi
    .spyOn(globalThis, "fetch")
    .mockResolvedValue(Object.defineProperty(new Response(), "url", { value: url }));
  expect(await newerVersion("https://files.example")).toBe(newer);
  expect(asked.mock.calls[0]?.[0]).toBe("https://files.example/thunderbird");
});

it("a site that does not answer has no newer version [TB-5]", async () => {
  vi.spyOn(globalThis, "fetch").mockRejectedValue(new TypeError("Failed to fetch"));
  expect(await newerVersion("https://files.example")).toBeNull();
});
