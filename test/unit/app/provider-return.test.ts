import { expect, it } from "vitest";
import { describeProviderError } from "#app/features/account/provider-return.ts";
import { translatorFor } from "#messages/compiled.ts";

const REFUSED = "The provider did not confirm who you are. Please try again.";

it.each([
  [null, null],
  ["LINK_FIRST", "There is an account with this address. Sign in to it, and connect the provider on its Security tab."],
  ["NO_SUCH_CODE", REFUSED],
  // Names that every object has.
  ["constructor", REFUSED],
  ["toString", REFUSED],
])("the error %s in the URL is described", (code, message) => {
  expect(describeProviderError(code, translatorFor("en", "signIn"))).toBe(message);
});
