import { describe, expect, it } from "vitest";
import { sharexConfig } from "#domain/key-examples.ts";
import { readSharex } from "../../support/programs/sharex.ts";

describe("the configuration for ShareX", () => {
  it("puts the file with the key, and reads the link and the address that deletes it [SEND-12]", () => {
    const config = sharexConfig("https://files.example", "mayfly_key");
    const upload = readSharex(config, "Screen shot.png");
    expect(upload).toMatchObject({
      method: "PUT",
      url: "https://files.example/Screen%20shot.png",
      headers: { Authorization: "Bearer mayfly_key" },
    });
    const headers = new Headers({ "X-Url-Delete": "https://files.example/delete/b/c" });
    expect(upload.read("https://files.example/download/a", headers)).toEqual({
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
