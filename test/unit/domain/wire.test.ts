import { describe, expect, it } from "vitest";
import { EXPIRATIONS } from "#domain/expiry.ts";
import {
  completeUploadRequest,
  downloadId,
  loginRequest,
  receipt,
  registerForm,
  registerRequest,
  serverMessage,
  resetForm,
  senderMessage,
  signPartsRequest,
  startUploadRequest,
} from "#domain/wire.ts";

const ID = "AAAAAAAAAAAAAAAAAAAAA_";
const START = { filename: "a.txt", fileType: "text/plain", fileSize: 5, expiration: "1d", expirationChosen: true };

/** What the first fault says, or null. */
function faultOf(schema: { safeParse(value: unknown): { error?: { issues: { message: string }[] } } }, value: unknown) {
  return schema.safeParse(value).error?.issues[0]?.message ?? null;
}

describe("an upload's start", () => {
  it("takes what the browser sends, and fills in what an older client leaves out", () => {
    expect(startUploadRequest.parse(START)).toMatchObject(START);
    expect(startUploadRequest.parse({ filename: "a", fileSize: 0 })).toMatchObject({
      filename: "a",
      fileType: "",
      fileSize: 0,
      expiration: "3d",
      expirationChosen: false,
    });
  });

  it("drops what nobody asked for", () => {
    const sly = { ...START, s3Key: "files/x", userId: "me", downloadId: ID, planType: "ultimate", expiresAt: null };
    expect(startUploadRequest.parse(sly)).toEqual(startUploadRequest.parse(START));
  });

  it.each(EXPIRATIONS)("takes the expiration %s", (expiration) => {
    expect(startUploadRequest.parse({ ...START, expiration }).expiration).toBe(expiration);
  });

  it.each(["🎉 Bericht.pdf", "שלום.txt", "a'b\"c%d;e.txt", "日本語", "x".repeat(255), ".hidden", "a b"])(
    "takes a file called %j",
    (filename) => {
      expect(startUploadRequest.parse({ ...START, filename }).filename).toBe(filename);
    },
  );

  it.each([
    ["", "filenameMissing"],
    [" ", "filenameNotPlain"],
    ["x".repeat(256), "filenameLong"],
    ["a/b", "filenameNotPlain"],
    ["a\\b", "filenameNotPlain"],
    ["a\u0000b", "filenameNotPlain"],
    ["a\nb", "filenameNotPlain"],
    ["a\u007fb", "filenameNotPlain"],
    ["a\u0085b", "filenameNotPlain"],
    ["a\u2028b", "filenameNotPlain"],
    ["a\u202eb", "filenameNotPlain"],
    ["a\u2066b", "filenameNotPlain"],
    ["\ud800", "filenameNotPlain"],
    [".", "filenameOnlyDots"],
    ["..", "filenameOnlyDots"],
    ["...", "filenameOnlyDots"],
    [" . ", "filenameOnlyDots"],
    [7, "filenameMissing"],
    [null, "filenameMissing"],
  ])("takes no file called %j: %s", (filename, messageName) => {
    expect(faultOf(startUploadRequest, { ...START, filename })).toBe(messageName);
  });

  it.each(["", "image/png", "text/plain; charset=utf-7", "excel", "text/pl ain", "ü", `text/${"x".repeat(255)}`])(
    "does not fail over the type %j, which a browser may have from its system",
    (fileType) => {
      expect(faultOf(startUploadRequest, { ...START, fileType })).toBeNull();
    },
  );

  it.each([7, null, ["text/plain"]])("takes no type %j", (fileType) => {
    expect(faultOf(startUploadRequest, { ...START, fileType })).not.toBeNull();
  });

  it.each([-1, 0.5, NaN, Infinity, 2 ** 53, "5", null])("takes no size %j", (fileSize) => {
    expect(faultOf(startUploadRequest, { ...START, fileSize })).not.toBeNull();
  });
});

describe("ids, parts and receipts", () => {
  it("take what we hand out", () => {
    expect(faultOf(downloadId, ID)).toBeNull();
    expect(faultOf(downloadId, "-_09azAZ-_09azAZ-_09az")).toBeNull();
  });

  it.each(["", ID.slice(1), `${ID}A`, ID.replace("_", "/"), `${ID}\n`, 22])("take no id %j", (id) => {
    expect(faultOf(downloadId, id)).not.toBeNull();
  });

  it.each([
    [{ part: 1, etag: "abc" }, true],
    [{ part: 10_000, etag: '"abc"' }, true],
    [{ part: 1, etag: 'W/"abc"' }, true],
    [{ part: 1, etag: "x".repeat(256) }, true],
    [{ part: 1, etag: "x".repeat(257) }, false],
    [{ part: 0, etag: "abc" }, false],
    [{ part: 10_001, etag: "abc" }, false],
    [{ part: 1.5, etag: "abc" }, false],
    [{ part: 1, etag: "" }, false],
    [{ part: 1, etag: "a b" }, false],
  ])("the receipt %j: %j", (value, taken) => {
    expect(receipt.safeParse(value).success).toBe(taken);
  });

  it.each([
    [100, 200, true],
    [101, 0, false],
    [0, 201, false],
  ])("%d parts and %d receipts in one call: %j", (parts, receipts, taken) => {
    const request = {
      downloadId: ID,
      parts: Array.from({ length: parts }, (_, index) => index + 1),
      receipts: Array.from({ length: receipts }, () => ({ part: 1, etag: "abc" })),
    };
    expect(signPartsRequest.safeParse(request).success).toBe(taken);
  });

  it("a completion takes any fileData", () => {
    for (const fileData of [undefined, null, 7, { size: -1 }]) {
      expect(completeUploadRequest.parse({ downloadId: ID, fileData }).receipts).toEqual([]);
    }
  });
});

describe("an account's forms", () => {
  const person = { email: "a@example.com", password: "123456" };

  it("take an address whatever its case and the spaces around it", () => {
    expect(registerRequest.parse({ ...person, email: "  A@Example.COM " }).email).toBe("a@example.com");
  });

  it.each(["", "a", "a@", "@b.com", "a b@c.com", `${"a".repeat(250)}@b.com`, 7])("take no address %j", (email) => {
    expect(faultOf(registerRequest, { ...person, email })).toBe("emailInvalid");
  });

  it.each([
    ["12345", false],
    ["123456", true],
    ["x".repeat(128), true],
    ["x".repeat(129), false],
  ])("a password %j is long enough and no longer: %j", (password, taken) => {
    expect(loginRequest.safeParse({ ...person, password }).success).toBe(taken);
  });

  it("want the password twice, and say so on the second field", () => {
    const { error } = registerForm.safeParse({ ...person, confirmPassword: "1234567" });
    expect(error?.issues).toMatchObject([{ message: "passwordsDiffer", path: ["confirmPassword"] }]);
    expect(registerForm.safeParse({ ...person, confirmPassword: "123456" }).success).toBe(true);
  });

  it("ask for an address that was left out", () => {
    expect(faultOf(resetForm, { email: " " })).toBe("emailMissing");
    expect(faultOf(resetForm, { email: "a" })).toBe("emailInvalid");
  });
});

describe("messages on the socket", () => {
  const progress = { type: "upload_progress", uploadId: "u", filename: "f", progress: 50, statusMessage: "Uploading" };

  it("take progress from 0 to 100", () => {
    for (const percent of [0, 0.5, 100]) {
      expect(faultOf(senderMessage, { ...progress, progress: percent })).toBeNull();
      expect(faultOf(serverMessage, { ...progress, progress: percent })).toBeNull();
    }
    for (const percent of [-1, 101, NaN, "50"])
      expect(faultOf(senderMessage, { ...progress, progress: percent })).not.toBeNull();
  });

  it.each([
    [0, false],
    [1, true],
    [12, true],
    [13, false],
  ])("take %d receipts at a time: %j", (count, taken) => {
    const receipts = Array.from({ length: count }, () => ({ part: 1, etag: "abc" }));
    expect(senderMessage.safeParse({ type: "receipts", receipts }).success).toBe(taken);
  });

  it.each([null, [], "text", {}, { type: "shout" }, { type: "watchers", count: 1 }])("take no %j", (message) => {
    expect(senderMessage.safeParse(message).success).toBe(false);
  });
});
