import { describe, expect, it } from "vitest";
import { TransferError } from "#engine/errors.ts";
import { describeOnUploadPage } from "#app/features/upload/upload-error-messages.ts";
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
