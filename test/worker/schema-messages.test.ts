// @module-tag long
import { beforeAll, describe, expect, it } from "vitest";
import type * as z from "zod/mini";
import { LOCALES } from "#domain/locale.ts";
import * as wire from "#domain/wire.ts";
import { toInputError, PARSE_OPTIONS } from "#worker/api/input-errors.ts";
import { translateError } from "#worker/errors/translate-error.ts";
import { createAccountFixture, type AccountFixture } from "#test/support/account-fixture.ts";
import { requestFor, ROUTES } from "#test/support/routes.ts";
import { Client, logInAdmin } from "#test/support/worker.ts";

/** Terms of zod and JavaScript that messages must not contain. */
const TECHNICAL_TERMS = /invalid input|expected|received|undefined|null|NaN|\bzod\b|regex|pattern|union|\{|\}/i;

/** Missing, wrong type, empty, too long, too large, or not one of the choices. */
const INVALID_VALUES: unknown[] = [
  undefined,
  null,
  true,
  false,
  [],
  {},
  "",
  " ",
  "x",
  "nothing of the kind",
  "x".repeat(100_000),
  -1,
  0,
  1.5,
  1e300,
  NaN,
  Infinity,
  "-1",
  "1.5",
  "9".repeat(30),
  "a@b",
  "\u0000",
  "//[",
  ["x"],
  [null],
  [-1],
  [1.5],
  Array.from({ length: 300 }, () => 1),
  [{}],
  [{ part: 1 }],
  [{ part: "1", etag: 7 }],
  { a: 1 },
];

const schemas = Object.entries(wire).flatMap(([name, value]: [string, unknown]): [string, z.ZodMiniType][] =>
  typeof value === "object" && value !== null && "_zod" in value ? [[name, value as z.ZodMiniType]] : [],
);

/** @returns [] if the schema is not an object's */
function fieldsOf(schema: z.ZodMiniType): string[] {
  const { def } = schema._zod;
  return "shape" in def ? Object.keys(def.shape as object) : [];
}

function messagesFor(schema: z.ZodMiniType, value: unknown): { field: string; english: string; german: string }[] {
  const result = schema.safeParse(value, PARSE_OPTIONS);
  if (result.success) return [];
  return result.error.issues.map((issue) => {
    const error = toInputError(issue, "value");
    const [english = "", german = ""] = LOCALES.map((locale) => translateError(error, locale));
    return { field: String(error.details.field), english, german };
  });
}

function expectClear(messages: ReturnType<typeof messagesFor>): void {
  for (const { field, english, german } of messages) {
    for (const message of [english, german]) {
      expect(message).toMatch(/^\S.*\S$/);
      // "received" is also the name of an event.
      const words = message.replaceAll(field, "").replace(/received\.$/, "");
      expect(words).not.toMatch(TECHNICAL_TERMS);
    }
    expect([field, english]).not.toEqual([field, german]);
  }
}

describe("every API schema has clear messages in both languages", () => {
  it("all schemas are tested", () => {
    expect(schemas.length).toBeGreaterThan(45);
  });

  it.each(schemas)("%s", (_name, schema) => {
    let errorCount = 0;
    for (const value of INVALID_VALUES) {
      const messages = messagesFor(schema, value);
      errorCount += messages.length;
      expectClear(messages);
      for (const field of fieldsOf(schema)) expectClear(messagesFor(schema, { [field]: value }));
    }
    expect(errorCount).toBeGreaterThan(0);
  });
});

const PLANS = "free, professional, ultimate";
const EXPIRATIONS = "3m, 6h, 1d, 3d, 7d, 30d, 60d, 1y, never";

const CASES: [call: string, field: string, value: unknown, english: string, german: string][] = [
  ["POST /api/direct-upload/complete", "downloadId", undefined, "downloadId is missing.", "downloadId fehlt."],
  ["POST /api/direct-upload/complete", "downloadId", 7, "downloadId must be text.", "downloadId muss Text sein."],
  [
    "POST /api/direct-upload/complete",
    "downloadId",
    "",
    "downloadId must be a download id.",
    "downloadId muss eine Download-ID sein.",
  ],
  [
    "POST /api/direct-upload/complete",
    "receipts",
    [{ part: 0, etag: "a" }],
    "receipts.0.part must be at least 1.",
    "receipts.0.part muss mindestens 1 sein.",
  ],
  ["POST /api/direct-upload/presigned-url", "fileSize", undefined, "fileSize is missing.", "fileSize fehlt."],
  [
    "POST /api/direct-upload/presigned-url",
    "fileSize",
    "5",
    "fileSize must be a number.",
    "fileSize muss eine Zahl sein.",
  ],
  [
    "POST /api/direct-upload/presigned-url",
    "fileSize",
    1.5,
    "fileSize must be a whole number.",
    "fileSize muss eine ganze Zahl sein.",
  ],
  [
    "POST /api/direct-upload/presigned-url",
    "fileSize",
    -1,
    "fileSize must be at least 0.",
    "fileSize muss mindestens 0 sein.",
  ],
  [
    "POST /api/direct-upload/presigned-url",
    "expiration",
    "2d",
    `expiration must be one of ${EXPIRATIONS}.`,
    `expiration muss einer dieser Werte sein: ${EXPIRATIONS}.`,
  ],
  ["POST /api/direct-upload/presigned-url", "fileType", 5, "fileType must be text.", "fileType muss Text sein."],
  [
    "POST /api/direct-upload/presigned-url",
    "filename",
    undefined,
    "Please enter a file name.",
    "Bitte gib einen Dateinamen ein.",
  ],
  [
    "POST /api/direct-upload/sign-parts",
    "parts",
    Array.from({ length: 101 }, () => 1),
    "parts must have at most 100 entries.",
    "parts darf höchstens 100 Einträge haben.",
  ],
  [
    "POST /api/chunked-upload/init",
    "totalSize",
    "-5",
    "totalSize must be a whole number of at least 0.",
    "totalSize muss eine ganze Zahl ab 0 sein.",
  ],
  [
    "POST /api/chunked-upload/finalize",
    "uploadId",
    "x",
    "uploadId must be an upload id.",
    "uploadId muss eine Upload-ID sein.",
  ],
  [
    "POST /api/auth/login",
    "rememberMe",
    "on",
    "rememberMe must be true or false.",
    "rememberMe muss true oder false sein.",
  ],
  [
    "POST /api/auth/login",
    "email",
    undefined,
    "Please enter a valid email address",
    "Bitte gib eine gültige E-Mail-Adresse ein",
  ],
  [
    "POST /api/subscription/checkout",
    "planType",
    "gold",
    `planType must be one of ${PLANS}.`,
    `planType muss einer dieser Werte sein: ${PLANS}.`,
  ],
  [
    "POST /api/subscription/portal",
    "returnUrl",
    "x".repeat(3000),
    "returnUrl must have at most 2048 characters.",
    "returnUrl darf höchstens 2048 Zeichen lang sein.",
  ],
  [
    "PUT /api/admin/user/admin/:id",
    "isAdmin",
    1,
    "isAdmin must be true or false.",
    "isAdmin muss true oder false sein.",
  ],
  ["PUT /api/admin/user/email/:id", "email", "x", "Invalid email format", "Ungültige E-Mail-Adresse"],
];

describe("a validation error", () => {
  let fixture: AccountFixture;
  let admin: Client;

  beforeAll(async () => {
    [fixture, admin] = [await createAccountFixture(), await logInAdmin()];
  });

  it.each(CASES)(
    "%s with an invalid %s names the field and the problem (no. %#)",
    async (key, field, value, english, german) => {
      const { path, init } = requestFor(key, fixture);
      const body = { ...(JSON.parse(init.body as string) as object), [field]: value };
      const client = ROUTES[key]?.who === "administrator" ? admin : fixture.owner;
      for (const [language, message] of [
        ["en", english],
        ["de", german],
      ]) {
        const headers = { "content-type": "application/json", "accept-language": language ?? "" };
        const response = await client.fetch(path, { ...init, body: JSON.stringify(body), headers });
        expect([response.status, await response.json()]).toMatchObject([400, { code: "BAD_REQUEST", message }]);
      }
    },
  );

  it.each([
    ["/api/files?page=0", "page must be a whole number of at least 1."],
    ["/api/files?page=99999999", "page must be at most 999999."],
    ["/api/files?sort=size", "sort must be one of newest, oldest, name, largest, expiry."],
    ["/api/auth/verify-email", "token is missing."],
    ["/api/auth/verify-email?token=", "token is empty."],
    ["/api/subscription/invoices?after=x", "after must be the id of an invoice."],
    ["/api/subscription/current-plan?refresh=yes", "refresh must be one of true, false."],
  ])("GET %s", async (path, message) => {
    const response = await fixture.owner.fetch(path);
    expect([response.status, await response.json()]).toMatchObject([400, { code: "BAD_REQUEST", message }]);
  });

  it("a body that is not an object, an invalid part number and an empty change have clear messages", async () => {
    const post = async (body: unknown) =>
      (await (await fixture.owner.post("/api/direct-upload/complete", body)).json<{ message: string }>()).message;
    for (const body of [null, [], 7, "text", true]) expect(await post(body)).toBe("The request must be a JSON object.");
    const part = await fixture.owner.put(`/api/direct-upload/parts/${fixture.upload.downloadId}/x`);
    expect(await part.json()).toMatchObject({ message: "part must be a number.", field: "part" });
    const init = { method: "PATCH", body: "{}", headers: { "content-type": "application/json" } };
    const change = await fixture.owner.fetch(`/api/files/${fixture.fileId}`, init);
    expect(await change.json()).toMatchObject({
      message: "At least one of filename, expiration, expiresAt and labels is required.",
    });
  });
});
