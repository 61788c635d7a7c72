import { describe, expect, it } from "vitest";
import { cliLine, curlLine } from "#domain/key-examples.ts";
import { changeKeyForm, makeKeyForm } from "#domain/wire.ts";

const KEY = "mayfly_00000000000000000000000000000000AAAAAA";

describe("what is shown beside a new key", () => {
  it("is a line for curl and one for the command line", () => {
    expect(curlLine("https://files.example", KEY)).toBe(`curl -u :${KEY} -T report.pdf https://files.example/`);
    expect(cliLine("https://files.example", KEY)).toBe(
      `MAYFLY_URL=https://files.example MAYFLY_KEY=${KEY} mayfly send report.pdf`,
    );
  });
});

describe("the form of a key", () => {
  const form = {
    name: " Backups ",
    upload: "on",
    expiresIn: "90d",
    callsPerMinute: "300",
    monthMb: "",
    largestFileMb: "",
  };
  const faultOf = (schema: typeof makeKeyForm | typeof changeKeyForm, fields: object) =>
    schema.safeParse({ ...form, ...fields }).error?.issues.map(({ path }) => path[0]);

  it("becomes the call that makes it: empty sizes are no limit", () => {
    expect(makeKeyForm.parse(form)).toEqual({
      name: "Backups",
      scopes: ["upload"],
      expiresIn: "90d",
      browserUse: false,
      limits: { callsPerMinute: 300, monthBytes: null, largestFileBytes: null },
    });
  });

  it("has sizes in MB, a checkbox for each scope, and one for web pages", () => {
    const fields = { "files:read": "on", browserUse: "on", callsPerMinute: "1", monthMb: "1024", largestFileMb: " 5 " };
    expect(makeKeyForm.parse({ ...form, ...fields })).toMatchObject({
      scopes: ["upload", "files:read"],
      browserUse: true,
      limits: { callsPerMinute: 1, monthBytes: 1_073_741_824, largestFileBytes: 5_242_880 },
    });
  });

  it("that changes one has its name and limits alone", () => {
    expect(changeKeyForm.parse({ ...form, monthMb: "2" })).toEqual({
      name: "Backups",
      limits: { callsPerMinute: 300, monthBytes: 2_097_152, largestFileBytes: null },
    });
  });

  it.each([
    ["callsPerMinute", "0"],
    ["callsPerMinute", "301"],
    ["callsPerMinute", "1.5"],
    ["monthMb", "0"],
    ["monthMb", "1.000"],
    ["monthMb", "-1"],
    ["largestFileMb", "five"],
    ["largestFileMb", "999999999999"],
    ["name", "  "],
  ])("with %s of %j names the field", (field, value) => {
    expect(faultOf(makeKeyForm, { [field]: value })).toEqual([field]);
    expect(faultOf(changeKeyForm, { [field]: value })).toEqual([field]);
  });

  it("without a scope, or with an unknown lifetime, names the field", () => {
    const { upload: _, ...none } = form;
    expect(makeKeyForm.safeParse(none).error?.issues[0]).toMatchObject({
      path: ["scopes"],
      message: "keyScopeMissing",
    });
    expect(faultOf(makeKeyForm, { expiresIn: "2d" })).toEqual(["expiresIn"]);
  });
});
