import { expect, it } from "vitest";
import { readPackageVersion, thunderbirdPackagePath } from "#domain/thunderbird-package.ts";

it("the version of the add-on is in its address [TB-5]", () => {
  expect(thunderbirdPackagePath("1.2.3")).toBe("/thunderbird/mayfly-1.2.3.xpi");
  expect(readPackageVersion("https://files.example/thunderbird/mayfly-1.2.3.xpi")).toBe("1.2.3");
  expect(readPackageVersion("https://files.example/thunderbird")).toBe("");
  expect(readPackageVersion("https://files.example/login")).toBe("");
});
