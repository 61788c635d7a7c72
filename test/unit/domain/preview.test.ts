import { describe, expect, it } from "vitest";
import { IMAGE_AUTOLOAD_MAX_BYTES, mayHaveScripts, previewOf, previewNeedsClick } from "#domain/preview.ts";

const kindOf = (mimeType: string) => previewOf(mimeType)?.kind ?? null;

describe("the preview of a file type [DL-6]", () => {
  it.each([
    ["image/png", "image", "image/png"],
    ["image/jpg", "image", "image/jpeg"],
    ["image/svg+xml", "image", "image/svg+xml"],
    ["video/mp4", "video", "video/mp4"],
    ["video/quicktime", "video", "video/mp4"],
    ["audio/mp3", "audio", "audio/mpeg"],
    ["audio/x-wav", "audio", "audio/wav"],
    ["application/pdf", "pdf", "application/pdf"],
    ["Application/PDF; x=y", "pdf", "application/pdf"],
    ["text/plain", "text", "text/plain; charset=utf-8"],
    ["text/csv; charset=utf-16", "text", "text/plain; charset=utf-8"],
    ["text/xml", "text", "text/plain; charset=utf-8"],
    ["application/json", "text", "text/plain; charset=utf-8"],
  ])("%s: %s, as %s", (mimeType, kind, contentType) => {
    expect(previewOf(mimeType)).toEqual({ kind, contentType });
  });

  it.each([
    "text/html",
    " TEXT/HTML ;charset=utf-8",
    "application/xhtml+xml",
    "image/tiff",
    "image/*",
    "image/constructor",
    "constructor",
    "__proto__",
    "application/octet-stream",
    "application/x-shockwave-flash",
    "multipart/related",
    "",
  ])("%j has no preview", (mimeType) => {
    expect(previewOf(mimeType)).toBeNull();
  });

  it("no preview is served as a type that a browser opens as a page", () => {
    const types = ["image/svg+xml", "text/xml", "application/xml", "text/javascript", "text/css", "text/vtt"];
    const served = types.map((type) => previewOf(type)?.contentType ?? "");
    expect(served.filter((type) => /html|^(text|application)\/(xml|javascript|css)/.test(type))).toEqual([]);
    expect(types.map(kindOf)).toEqual(["image", "text", "text", "text", "text", "text"]);
  });
});

it("a preview that may be large loads after a click", () => {
  const waits = (mimeType: string, sizeBytes: number) => {
    const preview = previewOf(mimeType);
    return preview && previewNeedsClick(preview, sizeBytes);
  };
  expect(waits("image/png", IMAGE_AUTOLOAD_MAX_BYTES)).toBe(false);
  expect(waits("image/png", IMAGE_AUTOLOAD_MAX_BYTES + 1)).toBe(true);
  expect([waits("video/mp4", 2 ** 40), waits("audio/mpeg", 2 ** 40)]).toEqual([false, false]);
  expect([waits("application/pdf", 1), waits("text/plain", 1)]).toEqual([true, true]);
});

describe("a preview that may have scripts", () => {
  it.each(["image/svg+xml", "IMAGE/SVG+XML; charset=utf-8"])("%s", (mimeType) => {
    const preview = previewOf(mimeType);
    expect(preview && mayHaveScripts(preview)).toBe(true);
  });

  it.each(["image/png", "image/x-icon", "video/mp4", "audio/mpeg", "application/pdf", "text/xml", "text/markdown"])(
    "is not one of %s, which is served as what no browser runs",
    (mimeType) => {
      const preview = previewOf(mimeType);
      expect(preview && mayHaveScripts(preview)).toBe(false);
    },
  );
});
