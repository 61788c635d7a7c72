import { describe, expect, it } from "vitest";
import { EXPIRATIONS } from "#domain/expiry.ts";
import {
  completeUploadRequest,
  downloadId,
  loginForm,
  loginRequest,
  proxiedPart,
  completedPart,
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

/** The first validation message, or null for a valid value. */
function firstMessage(
  schema: { safeParse(value: unknown): { error?: { issues: { message: string }[] } } },
  value: unknown,
) {
  return schema.safeParse(value).error?.issues[0]?.message ?? null;
}

describe("an upload's start", () => {
  it("accepts the browser's fields, and has defaults for those that older clients omit", () => {
    expect(startUploadRequest.parse(START)).toMatchObject(START);
    expect(startUploadRequest.parse({ filename: "a", fileSize: 0 })).toMatchObject({
      filename: "a",
      fileType: "",
      fileSize: 0,
      expirationChosen: false,
    });
  });

  it("drops unknown fields", () => {
    const manipulated = {
      ...START,
      s3Key: "files/x",
      userId: "me",
      downloadId: ID,
      planType: "ultimate",
      expiresAt: null,
    };
    expect(startUploadRequest.parse(manipulated)).toEqual(startUploadRequest.parse(START));
  });

  it.each([
    "2026-12-04T17:00:00Z",
    "2026-12-04T18:00:00.5+01:00",
    "2026-12-04T18:00+01:00",
    "2028-02-29T00:00Z",
    "9999-12-31T23:59:59-23:59",
  ])("accepts the exact end %s [END-1]", (expiresAt) => {
    expect(startUploadRequest.parse({ ...START, expiresAt }).expiresAt).toBe(expiresAt);
  });

  it.each([
    ["a local time", "2026-12-04T18:00:00"],
    ["a day", "2026-12-04"],
    ["a day that no month has", "2026-02-30T18:00:00Z"],
    ["an hour that no day has", "2026-12-04T25:00:00Z"],
    ["no ISO 8601", "Fri, 04 Dec 2026 18:00:00 GMT"],
    ["nothing", ""],
    ["a number", 1_796_403_600_000],
  ])("rejects %s as an exact end [END-1]", (_what, expiresAt) => {
    expect(startUploadRequest.safeParse({ ...START, expiresAt }).success).toBe(false);
  });

  it.each(EXPIRATIONS)("accepts the expiration %s", (expiration) => {
    expect(startUploadRequest.parse({ ...START, expiration }).expiration).toBe(expiration);
  });

  it.each(["🎉 Bericht.pdf", "שלום.txt", "a'b\"c%d;e.txt", "日本語", "x".repeat(255), ".hidden", "a b"])(
    "accepts a file called %j",
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
  ])("rejects a file called %j: %s", (filename, messageName) => {
    expect(firstMessage(startUploadRequest, { ...START, filename })).toBe(messageName);
  });

  it.each(["", "image/png", "text/plain; charset=utf-7", "excel", "text/pl ain", "ü", `text/${"x".repeat(255)}`])(
    "accepts the type %j, which a browser may get from its system",
    (fileType) => {
      expect(firstMessage(startUploadRequest, { ...START, fileType })).toBeNull();
    },
  );

  it.each([7, null, ["text/plain"]])("rejects the type %j", (fileType) => {
    expect(firstMessage(startUploadRequest, { ...START, fileType })).not.toBeNull();
  });

  it.each([-1, 0.5, NaN, Infinity, 2 ** 53, "5", null])("rejects the size %j", (fileSize) => {
    expect(firstMessage(startUploadRequest, { ...START, fileSize })).not.toBeNull();
  });
});

describe("ids, parts and receipts", () => {
  it("download ids that the API issues are accepted", () => {
    expect(firstMessage(downloadId, ID)).toBeNull();
    expect(firstMessage(downloadId, "-_09azAZ-_09azAZ-_09az")).toBeNull();
  });

  it.each(["", ID.slice(1), `${ID}A`, ID.replace("_", "/"), `${ID}\n`, 22])("the download id %j is rejected", (id) => {
    expect(firstMessage(downloadId, id)).not.toBeNull();
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
    expect(completedPart.safeParse(value).success).toBe(taken);
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

  it("a completion accepts any fileData [ENT-16]", () => {
    for (const fileData of [undefined, null, 7, { size: -1 }]) {
      expect(completeUploadRequest.parse({ downloadId: ID, fileData }).receipts).toEqual([]);
    }
  });
});

describe("the answer to a part that went through the server", () => {
  const answer = { part: 1, etag: "0123456789abcdef", downloadId: ID, originalName: "a.txt" };

  it("is taken with both names", () => {
    expect(proxiedPart.parse(answer)).toEqual(answer);
  });

  it.each(["downloadId", "originalName"] as const)("is refused without %s [VAL-13]", (name) => {
    const { [name]: _left, ...rest } = answer;
    expect(proxiedPart.safeParse(rest).success).toBe(false);
    expect(proxiedPart.safeParse({ ...answer, [name]: null }).success).toBe(false);
  });
});

describe("an account's forms", () => {
  const person = { email: "a@example.com", password: "123456" };

  it("accept an email address in any case and with spaces around it [VAL-1]", () => {
    expect(registerRequest.parse({ ...person, email: "  A@Example.COM " }).email).toBe("a@example.com");
  });

  it.each(["", "a", "a@", "@b.com", "a b@c.com", `${"a".repeat(250)}@b.com`, 7])(
    "reject the email address %j [VAL-1]",
    (email) => {
      for (const form of [registerRequest, loginRequest, loginForm]) {
        expect(firstMessage(form, { ...person, email })).toBe("emailInvalid");
      }
    },
  );

  it.each(["ada@example.com", "  ADA@Example.com "])("the login's form takes the address %j [VAL-1]", (email) => {
    expect(loginForm.parse({ ...person, email, rememberMe: "on" })).toEqual({
      email: "ada@example.com",
      password: "123456",
      rememberMe: "on",
    });
  });

  it.each([
    ["12345", false],
    ["123456", true],
    ["x".repeat(128), true],
    ["x".repeat(129), false],
  ])("accept the password %j: %j [VAL-2]", (password, taken) => {
    expect(loginRequest.safeParse({ ...person, password }).success).toBe(taken);
  });

  it("require the same password twice, with the message on the second field [VAL-2]", () => {
    const { error } = registerForm.safeParse({ ...person, confirmPassword: "1234567" });
    expect(error?.issues).toMatchObject([{ message: "passwordsDiffer", path: ["confirmPassword"] }]);
    expect(registerForm.safeParse({ ...person, confirmPassword: "123456" }).success).toBe(true);
  });

  it("ask for a missing email address [VAL-1]", () => {
    expect(firstMessage(resetForm, { email: " " })).toBe("emailMissing");
    expect(firstMessage(resetForm, { email: "a" })).toBe("emailInvalid");
  });
});

describe("messages on the socket", () => {
  const progress = { type: "upload_progress", uploadId: "u", filename: "f", progress: 50, statusMessage: "Uploading" };

  it("accept progress from 0 to 100", () => {
    for (const percent of [0, 0.5, 100]) {
      expect(firstMessage(senderMessage, { ...progress, progress: percent })).toBeNull();
      expect(firstMessage(serverMessage, { ...progress, progress: percent })).toBeNull();
    }
    for (const percent of [-1, 101, NaN, "50"])
      expect(firstMessage(senderMessage, { ...progress, progress: percent })).not.toBeNull();
  });

  it.each([
    [0, false],
    [1, true],
    [12, true],
    [13, false],
  ])("accept %d receipts at a time: %j", (count, taken) => {
    const receipts = Array.from({ length: count }, () => ({ part: 1, etag: "abc" }));
    expect(senderMessage.safeParse({ type: "receipts", receipts }).success).toBe(taken);
  });

  it.each([null, [], "text", {}, { type: "shout" }, { type: "watchers", count: 1 }])("reject %j", (message) => {
    expect(senderMessage.safeParse(message).success).toBe(false);
  });
});
