import { beforeEach, expect, it, vi } from "vitest";
import { ApiError } from "#app/lib/api.ts";
import { NotConfirmed } from "#app/lib/confirming.ts";
import { errorToast } from "#app/ui/error-toast.ts";
import { toast } from "#app/ui/toast.ts";

vi.mock("#app/ui/toast.ts");

beforeEach(() => {
  vi.clearAllMocks();
});

const show = errorToast("Not saved", "Please try again.");

it("names the request of an unexpected error", () => {
  show(new ApiError(500, "Something went wrong on our side.", { code: "INTERNAL", requestId: "0a1b" }));
  expect(toast).toHaveBeenCalledWith({
    title: "Not saved",
    description: "Something went wrong on our side.",
    tone: "bad",
    requestId: "0a1b",
  });
});

it.each([
  ["a refusal", new ApiError(409, "It is taken.", { code: "SLUG_TAKEN", requestId: "0a1b" })],
  ["an expected failure", new ApiError(503, "It is taken.", { code: "STORAGE_UNAVAILABLE" })],
  ["no answer", new TypeError("It is taken.")],
])("names no request of %s", (_case, error) => {
  show(error);
  expect(toast).toHaveBeenCalledWith({ title: "Not saved", description: "It is taken.", tone: "bad" });
});

it("shows nothing to a person who did not want to confirm", () => {
  show(new NotConfirmed());
  expect(toast).not.toHaveBeenCalled();
});
