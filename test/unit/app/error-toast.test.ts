import { expect, it } from "vitest";
import { ApiError } from "#app/lib/api.ts";
import { NotConfirmed } from "#app/lib/confirming.ts";
import { toastOf } from "#app/ui/error-toast.ts";

const WORDS = { title: "Not saved", description: "It is taken." };

it("names the request of an unexpected error", () => {
  const error = new ApiError(500, "Something went wrong on our side.", { code: "INTERNAL", requestId: "0a1b" });
  expect(toastOf(error, WORDS)).toEqual({ ...WORDS, tone: "bad", requestId: "0a1b" });
});

it.each([
  ["a refusal", new ApiError(409, "It is taken.", { code: "SLUG_TAKEN", requestId: "0a1b" })],
  ["an expected failure", new ApiError(503, "It is taken.", { code: "STORAGE_UNAVAILABLE" })],
  ["no answer", new TypeError("It is taken.")],
])("names no request of %s", (_case, error) => {
  expect(toastOf(error, WORDS)).toEqual({ ...WORDS, tone: "bad" });
});

it("shows nothing to a person who did not want to confirm", () => {
  expect(toastOf(new NotConfirmed(), WORDS)).toBeNull();
});
