import { describe, expect, it } from "vitest";
import { ChunkError } from "#app/upload/failures.ts";
import { describeOnUploadPage } from "#app/upload/upload-errors.ts";
import { compiledGroup } from "#messages/compiled.ts";
import { translator } from "#messages/translate.ts";

const say = translator("en", "uploads", (group) => compiledGroup("en", group));

describe("what the upload pages say of a failure", () => {
  it("of a chunk that the server finds too large", () => {
    const error = new ChunkError("too-large", () => "The chunk is larger than this upload takes.", 413);
    expect(describeOnUploadPage(error, say)).toEqual({
      title: "Chunk size too large",
      description:
        "The server rejected the upload due to chunk size limits. We're reducing the chunk size automatically for you. Please try again.",
      tone: "bad",
    });
  });
});
