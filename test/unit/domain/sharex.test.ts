import { describe, expect, it } from "vitest";
import { sharexConfig } from "#domain/sharex.ts";

/** What ShareX would send and read, as its documentation says, for one file. */
function uploadAs(config: ReturnType<typeof sharexConfig>, filename: string) {
  const fill = (text: string, response: string, headers: Record<string, string>) =>
    text.replaceAll(/\{(filename|response|header:([\w-]+))\}/g, (_, what: string, header: string) =>
      what === "filename" ? encodeURIComponent(filename) : what === "response" ? response : (headers[header] ?? ""),
    );
  return {
    method: config.RequestMethod,
    url: fill(config.RequestURL, "", {}),
    headers: config.Headers,
    read: (response: string, headers: Record<string, string>) => ({
      link: fill(config.URL, response, headers),
      deletion: fill(config.DeletionURL, response, headers),
    }),
  };
}

describe("the configuration for ShareX", () => {
  it("puts the file with the key, and reads the link and the address that deletes it", () => {
    const config = sharexConfig("https://files.example", "mayfly_key");
    const upload = uploadAs(config, "Screen shot.png");
    expect(upload).toMatchObject({
      method: "PUT",
      url: "https://files.example/Screen%20shot.png",
      headers: { Authorization: "Bearer mayfly_key" },
    });
    expect(
      upload.read("https://files.example/download/a", { "X-Url-Delete": "https://files.example/delete/b/c" }),
    ).toEqual({
      link: "https://files.example/download/a",
      deletion: "https://files.example/delete/b/c",
    });
    expect(config.Body).toBe("Binary");
    expect(config.Name).toBe("Mayfly (files.example)");
  });

  it("serves files, pictures and texts, and is JSON", () => {
    const config = sharexConfig("http://localhost:8787", "mayfly_key");
    expect(config.DestinationType.split(", ")).toEqual(["ImageUploader", "TextUploader", "FileUploader"]);
    expect(JSON.parse(JSON.stringify(config))).toEqual(config);
  });
});
