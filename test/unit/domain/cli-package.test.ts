import { expect, it } from "vitest";
import { cliPackagePath, isNewerVersion } from "#domain/cli-package.ts";

it.each([
  ["0.2.0", "0.1.9", true],
  ["0.10.0", "0.9.0", true],
  ["1.0.0", "0.99.99", true],
  ["0.1.1", "0.1.0", true],
  ["0.1.0", "0.1.0", false],
  ["0.1.0", "0.2.0", false],
  ["0.9.0", "0.10.0", false],
  ["", "0.1.0", false],
  ["9.0", "0.1.0", false],
  ["9.0.0\u001b[2J", "0.1.0", false],
  ["99999.0.0", "0.1.0", false],
])("tells of %j whether it is newer than %s [CLI-16]", (text, than, isNewer) => {
  expect(isNewerVersion(text, than)).toBe(isNewer);
});

it("names the place of a package by its version", () => {
  expect(cliPackagePath("1.2.3")).toBe("/cli/mayfly-1.2.3.tgz");
});
