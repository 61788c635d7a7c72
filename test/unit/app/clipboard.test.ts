import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { copyText } from "#app/lib/clipboard.ts";

const LINK = "https://files.example.com/download/x";
const denied = new DOMException("Write permission denied.", "NotAllowedError");

/** The texts that reached the clipboard. */
let written: string[];

/** Stubs a browser whose clipboard API and copy command work or fail. */
function browser({ clipboard, command }: { clipboard: boolean; command: boolean | Error }): void {
  vi.stubGlobal("navigator", {
    clipboard: {
      writeText: (text: string) => {
        if (!clipboard) return Promise.reject(denied);
        written.push(text);
        return Promise.resolve();
      },
    },
  });
  const areas: { value: string }[] = [];
  vi.stubGlobal("HTMLElement", Object);
  vi.stubGlobal("document", {
    activeElement: null,
    querySelector: () => null,
    createElement: () => ({ value: "", select: () => undefined, remove: () => areas.pop() }),
    body: { appendChild: (area: { value: string }) => areas.push(area) },
    execCommand: () => {
      if (command instanceof Error) throw command;
      if (command) written.push(areas[0]?.value ?? "");
      return command;
    },
  });
}

beforeEach(() => {
  written = [];
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe("copying a text", () => {
  it.each([
    ["the page's clipboard", { clipboard: true, command: false }],
    ["the selection, if the page has no clipboard", { clipboard: false, command: true }],
  ])("with %s returns true and logs nothing", async (_case, works) => {
    browser(works);
    expect(await copyText(LINK)).toBe(true);
    expect(written).toEqual([LINK]);
    expect(console.warn).not.toHaveBeenCalled();
  });

  it.each([
    ["fails", false],
    ["throws", new Error("no such command")],
  ])(
    "returns false and logs the error if the clipboard fails and the selection %s [ERR-17]",
    async (_case, command) => {
      browser({ clipboard: false, command });
      expect(await copyText(LINK)).toBe(false);
      expect(written).toEqual([]);
      expect(vi.mocked(console.warn).mock.calls).toEqual([["copying failed", denied]]);
    },
  );
});
