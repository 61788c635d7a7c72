import { expect, it, vi } from "vitest";
import { ApiError } from "#app/lib/api.ts";
import { TransportError } from "#engine/errors.ts";
import { warnOfRetry } from "#engine/upload-step.ts";
import { nodePorts } from "./node-ports.ts";

const NO_TEXT = { message: "" };

const { online } = nodePorts({});

it.each([
  ["status 503", new TransportError("direct", "rejected", NO_TEXT, 503)],
  ["status 429", new ApiError(429, "Too many attempts.")],
  ["network failure", new TransportError("proxy", "network", NO_TEXT)],
  ["network failure", new TypeError("Failed to fetch")],
  ["timeout", new TransportError("proxy", "timeout", NO_TEXT)],
  ["timeout", new DOMException("Upload aborted", "AbortError")],
  ["unreadable answer, status 200", new TransportError("chunks", "unreadable", NO_TEXT, 200)],
  ["Error: no slot", new Error("no slot")],
])("a retry's warning gives the reason: %s", (reason, error) => {
  const warn = vi.fn();
  warnOfRetry({ warn, online }, "part 3 of 12 (direct)", 2, error, 1499.7);
  expect(warn.mock.calls).toEqual([
    [`Upload: part 3 of 12 (direct) failed in attempt 2 (${reason}). Next attempt in 1500 ms.`],
  ]);
});

it("a retry's warning says that it waits for the connection", () => {
  const warn = vi.fn();
  warnOfRetry({ warn, online }, "chunk 1 of 5", 1, new TransportError("chunks", "network", NO_TEXT), null);
  expect(warn.mock.calls).toEqual([
    ["Upload: chunk 1 of 5 failed in attempt 1 (network failure). Next attempt when there is a network."],
  ]);
});
