import { describe, expect, it } from "vitest";
import { describeOnHome, describeOnUploadPage, messageFor } from "#app/features/upload/upload-error-messages.ts";
import { ApiError } from "#engine/api-error.ts";
import { TransportError, UploadError, type UploadProblem } from "#engine/errors.ts";
import { translatorFor } from "#messages/compiled.ts";

const t = translatorFor("en", "uploads");

describe("the toast for a failed upload", () => {
  it("of a chunk that is too large says so [ERR-72]", () => {
    const problem = { message: "The chunk is larger than this upload allows." };
    const error = new TransportError("chunks", "rejected", problem, 413);
    expect(describeOnUploadPage(error, t)).toEqual({
      title: "Chunk size too large",
      description:
        "The server rejected the upload due to chunk size limits. We're reducing the chunk size automatically for you. Please try again.",
      tone: "bad",
    });
  });
});

describe("the toast for a failed upload on the home page", () => {
  const refused = (status: number, message: string) => new ApiError(status, message, { message });
  const inStorage = (status: number, message: string) => new TransportError("direct", "rejected", { message }, status);

  it.each<[string, unknown]>([
    ["The maximum is 50 GB.", refused(413, "The maximum is 50 GB.")],
    ["Body too large for this proxy", refused(400, "Body too large for this proxy")],
    ["413: Request Entity Too Large", inStorage(413, "413: Request Entity Too Large")],
    ["The object is too large.", inStorage(400, "The object is too large.")],
  ])("status 413 or 'too large' is 'File too large': %s [ERR-21]", (_message, error) => {
    expect(describeOnHome(error, t).title).toBe("File too large");
  });

  it.each<[string, unknown]>([
    ["The file is largely unreadable.", refused(400, "The file is largely unreadable.")],
    ["No network", inStorage(0, "No network")],
  ])("any other is 'Upload failed', with its message: %s", (message, error) => {
    expect(describeOnHome(error, t)).toEqual({ title: "Upload failed", description: message, tone: "bad" });
  });
});

describe("the words for a problem of the engine", () => {
  it.each<[UploadProblem, string]>([
    [{ code: "noUrl" }, "Failed to get presigned URL"],
    [
      { code: "notArrived", count: 4 },
      "It was sent 4 times and never arrived as it is here. Try again, or leave it out.",
    ],
    [
      { code: "tooManyToEncrypt", count: 9000 },
      "9,000 files have names that are too long together to be encrypted in one transfer. Send fewer files, pack them into an archive, or send them without encryption.",
    ],
    [{ code: "serverStatus", status: 502 }, "The server responded with status 502."],
    [{ code: "storageStatus", status: 400 }, "S3 responded with status 400."],
    [{ code: "chunkFailed", number: 2, retries: 3 }, "Failed to upload chunk 2 after 3 retries."],
    [{ message: "Your plan allows 2 GB." }, "Your plan allows 2 GB."],
    [{ message: "" }, "Upload failed"],
  ])("%j", (problem, words) => {
    expect(messageFor(new UploadError(problem), t, "Upload failed")).toBe(words);
  });
});
