import { describe, expect, it } from "vitest";
import { adminErrorMessage } from "#app/features/admin/admin-changes.ts";
import { ApiError } from "#app/lib/api.ts";
import { adminLogin } from "#messages/en/admin-login.ts";

describe("the message for a failed admin login", () => {
  const fallback = "Invalid credentials";

  it("is titled 'Login failed' above 'Invalid credentials'", () => {
    expect(adminLogin).toMatchObject({ loginFailed: "Login failed", loginFailedHelp: fallback });
  });

  it.each([
    [401, "Invalid credentials"],
    [403, "Please verify your email before logging in. Check your inbox for the verification link."],
    [429, "Too many attempts. Please wait 15 minutes and try again."],
  ])("is the server's message for status %i [ERR-51]", (status, message) => {
    // ApiError's own message for a 401 is about a member's account.
    expect(
      adminErrorMessage(new ApiError(status, "You need to log in to access this feature.", { message }), fallback),
    ).toBe(message);
  });

  it.each([
    ["the answer has no message", new ApiError(401, "401: {}", {})],
    ["there is no answer", new TypeError("Failed to fetch")],
  ])("is 'Invalid credentials' if %s [ERR-51]", (_case, error) => {
    expect(adminErrorMessage(error, fallback)).toBe("Invalid credentials");
  });
});
