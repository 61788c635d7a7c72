import { expect, it, vi } from "vitest";
import { originOf } from "../../../thunderbird/sign-in.ts";

// The module reads Thunderbird's API when it is loaded.
vi.hoisted(() => vi.stubGlobal("browser", {}));

it.each([
  ["files.example", "https://files.example"],
  [" https://files.example/dashboard?page=2 ", "https://files.example"],
  ["HTTPS://Files.Example:8443", "https://files.example:8443"],
  ["http://localhost:8787", "http://localhost:8787"],
  ["http://127.0.0.1:8787/", "http://127.0.0.1:8787"],
])("%s is the site %s [TB-1]", (typed, origin) => {
  expect(originOf(typed)).toBe(origin);
});

it.each(["", "  ", "http://files.example", "http://localhost.example", "https://", "two words"])(
  "%j is refused, because a key is sent over https alone [TB-1]",
  (typed) => {
    expect(originOf(typed)).toBeNull();
  },
);
