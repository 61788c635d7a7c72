import { describe, expect, it } from "vitest";
import { registerForm, registerRequest } from "#domain/wire.ts";
import { fields } from "#messages/en/fields.ts";

const FORM = { email: "ada@example.com", password: "123456", confirmPassword: "123456" };

/** Validation messages by field. */
function messagesOf(form: object): [string, string][] {
  const { error } = registerForm.safeParse(form);
  return (error?.issues ?? []).map(({ message, path }) => [String(path[0]), fields[message as keyof typeof fields]]);
}

describe("the registration form", () => {
  it("accepts a password of 6 characters entered twice", () => {
    expect(messagesOf(FORM)).toEqual([]);
  });

  it("requires at least 6 characters in the second field too [VAL-5]", () => {
    expect(messagesOf({ ...FORM, confirmPassword: "12345" })).toContainEqual([
      "confirmPassword",
      "Password must be at least 6 characters",
    ]);
  });

  it("shows at the second field that the passwords differ [VAL-6]", () => {
    expect(messagesOf({ ...FORM, confirmPassword: "654321" })).toEqual([["confirmPassword", "Passwords don't match"]]);
  });

  it("sends one password to the API [VAL-6]", () => {
    expect(registerRequest.parse(FORM)).toEqual({ email: "ada@example.com", password: "123456" });
  });
});
