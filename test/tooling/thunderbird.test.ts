import { createHash } from "node:crypto";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { unzipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { KIB } from "#domain/units.ts";
import { CATALOGUES } from "#messages/catalogues.ts";

const PACKAGE = "build/client/thunderbird/mayfly-0.1.0.xpi";
const read = () => new Uint8Array(readFileSync(PACKAGE));
const textOf = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);

describe("the Thunderbird add-on", () => {
  it("is small, and has no file but its own [TB-5]", () => {
    expect(read().length).toBeLessThan(60 * KIB);
    expect(Object.keys(unzipSync(read())).sort()).toEqual([
      "_locales/de/messages.json",
      "_locales/en/messages.json",
      "background.html",
      "background.js",
      "icon.png",
      "keys.js",
      "manifest.json",
      "pictures.js",
      "read-files.worker.js",
      // The engine loads it for encrypted uploads, which the add-on does not make.
      "sealed-file.js",
      "settings.css",
      "settings.html",
      "settings.js",
      "texts.js",
    ]);
  });

  it("asks for the permissions that it needs, and runs its own scripts alone [TB-5]", () => {
    expect(JSON.parse(textOf(unzipSync(read())["manifest.json"]))).toMatchObject({
      manifest_version: 2,
      version: "0.1.0",
      cloud_file: { name: "Mayfly", management_url: "settings.html", reuse_uploads: false },
      permissions: [
        "storage",
        "webRequest",
        "webRequestBlocking",
        "https://*/*",
        "http://localhost/*",
        "http://127.0.0.1/*",
      ],
      content_security_policy: expect.stringMatching(
        /^default-src 'self'; script-src 'self' 'wasm-unsafe-eval';/,
      ) as string,
    });
  });

  it("has its texts in every language, and values at the places of the English text [TB-5]", () => {
    const files = unzipSync(read());
    for (const locale of ["en", "de"] as const) {
      const texts = JSON.parse(textOf(files[`_locales/${locale}/messages.json`])) as Record<string, object>;
      expect(Object.keys(texts)).toEqual(Object.keys(CATALOGUES[locale].thunderbird));
      expect(texts.signedIn).toMatchObject({
        placeholders: { email: { content: "$1" }, host: { content: "$2" } },
      });
    }
    expect(textOf(files["_locales/de/messages.json"])).toContain("Angemeldet als $email$ bei $host$.");
  });

  it("is the same file again when it is built again, in another time zone [TB-5]", () => {
    const sumOf = () => createHash("sha256").update(read()).digest("hex");
    const before = sumOf();
    execFileSync(process.execPath, ["scripts/thunderbird-build.ts"], { env: { ...process.env, TZ: "Asia/Tokyo" } });
    expect(sumOf()).toBe(before);
  });
}, 120_000);
