import { describe, expect, it } from "vitest";
import { refusalOf } from "#app/features/admin/admin-errors.ts";
import { ApiError } from "#app/lib/api.ts";
import { adminLogin } from "#messages/en/admin-login.ts";

describe("what the admin area says of a login that failed", () => {
  const fallback = "Invalid credentials";

  it("has 'Login failed' above 'Invalid credentials'", () => {
    expect(adminLogin).toMatchObject({ loginFailed: "Login failed", loginFailedHelp: fallback });
  });

  it.each([
    [401, "Invalid credentials"],
    [403, "Please verify your email before logging in. Check your inbox for the verification link."],
    [429, "That was too often. Please wait 15 minutes and try again."],
  ])("is the server's own words, where it answered %i with some", (status, message) => {
    // A 401 says something else of a visitor's account.
    expect(refusalOf(new ApiError(status, "You need to log in to access this feature.", { message }), fallback)).toBe(
      message,
    );
  });

  it.each([
    ["the server answered without words", new ApiError(401, "401: {}", {})],
    ["nothing answered", new TypeError("Failed to fetch")],
  ])("is 'Invalid credentials', where %s", (_what, error) => {
    expect(refusalOf(error, fallback)).toBe("Invalid credentials");
  });
});
