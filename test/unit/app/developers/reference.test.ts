import { execFileSync } from "node:child_process";
import { parseAst } from "vite";
import { describe, expect, it } from "vitest";
import { findCalls } from "#app/features/developers/reference-call.ts";
import { eventsOf, referenceOf, fieldsOf, typeOf } from "#app/features/developers/reference.server.ts";
import { CALL_NAMES } from "#domain/v1/calls.ts";
import type { ApiDescription, DescribedOperation } from "#domain/v1/description.ts";
import { describeApi } from "../../../../scripts/openapi.ts";

const ORIGIN = "https://files.example";
const JSON_TYPE = "application/json";

/** A call at `/things/{id}`. */
function referenceTo(
  operation: Partial<DescribedOperation>,
  method: "get" | "post" | "put" | "patch" = "post",
  more = {},
) {
  const whole: DescribedOperation = {
    operationId: "makeThing",
    summary: "Make a thing",
    description: "",
    tags: ["Things"],
    security: [{ bearer: [] }],
    parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" }, example: "a1" }],
    responses: { 204: { description: "" } },
    ...operation,
  };
  const path = { [method]: whole, ...more } as ApiDescription["paths"][string];
  const [call] = referenceOf({ servers: [{ url: "/api/v1" }], paths: { "/things/{id}": path } }, ORIGIN);
  return call ?? expect.unreachable();
}

const json = (example: unknown) => ({ required: true, content: { [JSON_TYPE]: { example } } });

describe("the examples of a call", () => {
  it("send JSON with the key, and quote what a shell would change", () => {
    const { examples } = referenceTo({
      requestBody: json({ name: "Ada's" }),
      responses: { 201: { description: "", content: { [JSON_TYPE]: {} } } },
    });
    expect(examples.curl).toBe(
      [
        'curl "https://files.example/api/v1/things/a1" \\',
        '  -H "Authorization: Bearer $MAYFLY_KEY" \\',
        "  -H 'Content-Type: application/json' \\",
        `  -d '{"name":"Ada'\\''s"}'`,
      ].join("\n"),
    );
    expect(examples.JavaScript).toBe(
      [
        'const response = await fetch("https://files.example/api/v1/things/a1", {',
        '  method: "POST",',
        "  headers: {",
        "    Authorization: `Bearer ${process.env.MAYFLY_KEY}`,",
        '    "Content-Type": "application/json",',
        "  },",
        "  body: JSON.stringify({",
        `    "name": "Ada's"`,
        "  }),",
        "});",
        "if (!response.ok) throw new Error((await response.json()).message);",
        "const answer = await response.json();",
      ].join("\n"),
    );
  });

  it("need no key where the call takes none, and have the query", () => {
    const parameters = [{ name: "limit", in: "query" as const, required: false, schema: {}, example: 1 }];
    const { examples } = referenceTo({ security: [], parameters }, "get");
    expect(examples.curl).toBe('curl "https://files.example/api/v1/things/id?limit=1"');
    expect(examples.JavaScript).toMatch(
      /^const response = await fetch\("https:\/\/files\.example\/api\/v1\/things\/id\?limit=1"\);\n/,
    );
  });

  it.each([
    ["bytes", "put", "application/octet-stream", ["-T report.pdf"], ['body: await readFile("report.pdf")']],
    [
      "bytes",
      "patch",
      "application/offset+octet-stream",
      ["-X PATCH", "-T report.pdf", "application/offset+octet-stream"],
      ['method: "PATCH"'],
    ],
    ["a form", "post", "multipart/form-data", ["-F file=@report.pdf"], ["body: form", "openAsBlob"]],
  ] as const)("send %s with %s as %s", (_, method, type, curl, javascript) => {
    const { examples } = referenceTo({ requestBody: { required: true, content: { [type]: {} } } }, method);
    for (const piece of curl) expect(examples.curl).toContain(piece);
    for (const piece of javascript) expect(examples.JavaScript).toContain(piece);
    expect(examples.curl.includes("-X")).toBe(method === "patch");
  });

  it("save bytes, open a socket, and read text", () => {
    const answering = (status: number, type?: string) =>
      referenceTo({ responses: { [status]: { description: "", ...(type && { content: { [type]: {} } }) } } }, "get")
        .examples;
    expect(answering(200, "*/*").curl).toContain("-o report.pdf");
    expect(answering(200, "text/plain").JavaScript).toContain("await response.text()");
    expect(answering(101).JavaScript).toContain('new WebSocket("wss://files.example/api/v1/things/a1", {');
    expect(answering(204).JavaScript).not.toContain("answer");
  });

  it("have headers of the example, and an address that is elsewhere", () => {
    const parameters = [
      { name: "Upload-Offset", in: "header" as const, required: false, schema: {}, example: "0" },
      { name: "Upload-Checksum", in: "header" as const, required: false, schema: {} },
    ];
    const { examples, path } = referenceTo({ parameters }, "post", { servers: [{ url: "/" }] });
    expect(path).toBe("/things/{id}");
    expect(examples.curl).toContain("-H 'Upload-Offset: 0'");
    expect(examples.curl).not.toContain("Upload-Checksum");
  });
});

describe("the fields of a schema", () => {
  it("are named with the fields around them, and said in words", () => {
    const fields = fieldsOf({
      type: "object",
      required: ["upload"],
      properties: {
        upload: {
          type: "object",
          properties: {
            urls: {
              type: "array",
              items: { type: "object", properties: { part: { type: "integer", minimum: 1, maximum: 10_000 } } },
            },
          },
        },
        expiresAt: { anyOf: [{ type: "string", format: "date-time" }, { type: "null" }], description: "Null: never." },
      },
    });
    expect(fields).toEqual([
      { name: "upload", type: "object", isRequired: true, description: "" },
      { name: "upload.urls", type: "list, each: object", isRequired: false, description: "" },
      { name: "upload.urls[].part", type: "integer, 1 to 10,000", isRequired: false, description: "" },
      { name: "expiresAt", type: "date and time or null", isRequired: false, description: "Null: never." },
    ]);
  });

  it.each([
    [{ enum: ["put", "parts"] }, '"put" | "parts"'],
    [{ const: true }, "true"],
    [{ type: "string", maxLength: 255 }, "string, at most 255 characters"],
    [{ type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER }, "integer, from 0"],
    [{ prefixItems: [{ type: "integer" }, { type: "string" }] }, "[integer, string]"],
    [{ type: "array", items: { type: "string", format: "uuid" } }, "list, each: UUID"],
    [{}, "anything"],
  ])("%j is %s", (schema, words) => {
    expect(typeOf(schema)).toBe(words);
  });
});

describe("the reference of /api/v1", () => {
  const description = describeApi() as unknown as ApiDescription;
  const calls = referenceOf(description, ORIGIN);

  it("has every event of webhooks, with its headers, fields and an example", () => {
    const events = eventsOf(description);
    expect(events.map(({ id }) => id)).toEqual([
      "transfer.uploaded",
      "transfer.downloaded",
      "transfer.expired",
      "transfer.deleted",
      "request.received",
      "ping",
    ]);
    const [, , , , , ping] = events;
    expect(ping?.tag).toBe("Webhooks");
    expect(ping?.parameters.map(({ name, isRequired }) => [name, isRequired])).toEqual([
      ["webhook-id", true],
      ["webhook-timestamp", true],
      ["webhook-signature", true],
    ]);
    expect(ping?.body.map(({ name }) => name)).toEqual(["type", "timestamp", "data", "data.webhookId"]);
    expect(JSON.parse(ping?.example ?? "")).toMatchObject({ type: "ping" });
  });

  it("has every call, those of a tag together", () => {
    expect(calls.map(({ id }) => id).sort()).toEqual(expect.arrayContaining([...CALL_NAMES].sort()));
    const tags = calls.map(({ tag }) => tag);
    expect(tags.filter((tag, at) => tag !== tags[at - 1])).toEqual([...new Set(tags)]);
  });

  it.each(calls.map((call) => [call.id, call] as const))(
    "%s has examples that a shell and JavaScript can read",
    (_, call) => {
      const { curl, JavaScript, CLI } = call.examples;
      execFileSync("sh", ["-n"], { input: `${curl}\n${CLI}\n` });
      expect(() => parseAst(JavaScript)).not.toThrow();
      expect(CLI).toMatch(/^mayfly (send|get|ls|info|edit|rm|request|whoami|login|logout)( |$)/);
      expect(call.refusals.map(({ code }) => code)).toContain("RATE_LIMITED");
    },
  );

  it("is searched by words of names, addresses, fields and codes", () => {
    const find = (search: string) => findCalls(calls, search).map(({ id }) => id);
    expect(find("")).toHaveLength(calls.length);
    expect(find("  downloads_used_UP takeD")).toEqual(["takeDownload"]);
    expect(find("idempotency")).toEqual(["startUpload", "startTransfer"]);
    expect(find("no such words")).toEqual([]);
  });
});
