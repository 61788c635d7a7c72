import { describe, expect, it } from "vitest";
import { automaticHours } from "#domain/expiry.ts";
import { translatorFor } from "#messages/compiled.ts";
import * as en from "#messages/en/index.ts";

const t = translatorFor("en", "uploads");

describe("the texts that the specification quotes", () => {
  it("of the dialog for a new password [AUTH-7, ERR-15]", () => {
    expect(en.signIn).toMatchObject({
      resetPassword: "Reset Password",
      email: "Email",
      cancel: "Cancel",
      sendResetLink: "Send Reset Link",
      resetLinkSent: "Password reset link sent",
      resetLinkSentHelp: "Please check your email for instructions to reset your password.",
    });
  });

  it("of an address that has an account [ERR-11]", () => {
    expect(en.signIn).toMatchObject({
      emailInUse: "Email already in use",
      emailInUseHelp: "This email address is already registered. Switching to login form.",
    });
  });

  it("of two different passwords, and of a password that is too short", () => {
    expect(en.fields).toMatchObject({
      passwordsDiffer: "Passwords don't match",
      passwordShort: "Password must be at least 6 characters",
    });
  });

  it("of a deleted file, and of a deletion that failed [ERR-28]", () => {
    expect(en.files).toMatchObject({ fileDeleted: "File deleted", deleteFailed: "Delete failed" });
  });

  it("of the methods of a direct upload [DIR-3]", () => {
    expect(en.uploadPages).toMatchObject({
      methodDirect: "Direct browser to storage",
      methodProxy: "Server proxy",
      methodServer: "Processing on the server",
    });
  });

  it("of an upload in chunks [CHK-7]", () => {
    expect(t("chunkOf", { number: "3", total: "12" })).toBe("Chunk 3/12");
    expect(t("pageCancel")).toBe("Cancel Upload");
  });

  it("of a file above every plan, and above the free one [VAL-9, VAL-10, VAL-11]", () => {
    expect([t("fileTooLarge"), t("overMaximum", { size: "50 GB" })]).toEqual([
      "File too large",
      "The maximum file size allowed is 50 GB per file for all subscription plans.",
    ]);
    expect([t("couldNotUpload"), t("overFreeLimit", { size: "500 MB" })]).toEqual([
      "Could not upload file.",
      "Free accounts can only upload files up to 500 MB.",
    ]);
    expect([t("sizeExceeded"), t("upgradeForLarger", { size: "500 MB" })]).toEqual([
      "File size limit exceeded",
      "Free accounts can only upload files up to 500 MB. Please upgrade your subscription to upload larger files.",
    ]);
  });

  it("of a large file on the default expiry: 'Automatic (N hours)', N being its size in 100 MB, rounded up [DEC-8]", () => {
    const megabytes = (count: number) =>
      automaticHours({
        expiration: "3d",
        expirationChosen: false,
        sizeBytes: count * 1024 * 1024,
      });
    expect([100, 101, 250, 300, 301].map(megabytes)).toEqual([null, 2, 3, 3, 4]);
    expect(t("automatic", { hours: 3 })).toBe("Automatic (3 hours)");
    expect(t("largeFile", { hours: "3" })).toBe(
      "Large files on the default expiry are kept for 3 hours. Choose an expiry to change this.",
    );
  });
});
