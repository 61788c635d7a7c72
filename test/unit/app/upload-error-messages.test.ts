import { describe, expect, it } from "vitest";
import { describeOnUploadPage, messageFor } from "#app/features/upload/upload-error-messages.ts";
import { TransferError, UploadError, type UploadProblem } from "#engine/errors.ts";
import { translatorFor } from "#messages/compiled.ts";

const t = translatorFor("en", "uploads");

describe("the toast for a failed upload", () => {
  it("of a chunk that is too large says so", () => {
    const problem = { message: "The chunk is larger than this upload allows." };
    const error = new TransferError("chunks", "rejected", problem, 413);
    expect(describeOnUploadPage(error, t)).toEqual({
      title: "Chunk size too large",
      description:
        "The server rejected the upload due to chunk size limits. We're reducing the chunk size automatically for you. Please try again.",
      tone: "bad",
    });
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
