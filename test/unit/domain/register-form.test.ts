import { describe, expect, it } from "vitest";
import { registerForm, registerRequest } from "#domain/wire.ts";
import { fields } from "#messages/en/fields.ts";

const FORM = { email: "ada@example.com", password: "123456", confirmPassword: "123456" };

/** What the form says, and at which field. */
function complaints(form: object): [string, string][] {
  const { error } = registerForm.safeParse(form);
  return (error?.issues ?? []).map(({ message, path }) => [String(path[0]), fields[message as keyof typeof fields]]);
}

describe("the form to register", () => {
  it("takes the same password of 6 characters twice", () => {
    expect(complaints(FORM)).toEqual([]);
  });

  it("wants at least 6 characters in the second field too", () => {
    expect(complaints({ ...FORM, confirmPassword: "12345" })).toContainEqual([
      "confirmPassword",
      "Password must be at least 6 characters",
    ]);
  });

  it("says at the second field that the two differ", () => {
    expect(complaints({ ...FORM, confirmPassword: "654321" })).toEqual([["confirmPassword", "Passwords don't match"]]);
  });

  it("has one password for the call, which takes no second", () => {
    expect(registerRequest.parse(FORM)).toEqual({ email: "ada@example.com", password: "123456" });
  });
});
