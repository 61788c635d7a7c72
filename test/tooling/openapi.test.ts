import { readFileSync } from "node:fs";
import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { ERRORS } from "#domain/errors.ts";
import type { V1Call } from "#domain/v1/call.ts";
import { CALL_NAMES, DESCRIBED_CALLS } from "#domain/v1/calls.ts";
import { WEBHOOK_BODIES } from "#domain/webhooks/body.ts";
import { describeApi } from "../../scripts/openapi.ts";

interface Operation {
  operationId: string;
  security: object[];
  parameters: { name: string; in: string; required: boolean; schema: object }[];
  requestBody?: { content: Content };
  responses: Record<string, { description: string; content?: Content }>;
}
type Content = Record<string, { schema?: z.core.JSONSchema.BaseSchema; example?: unknown }>;
interface Description {
  openapi: string;
  webhooks: Record<string, Record<string, Operation>>;
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation> & { servers?: { url: string }[] }>;
  components: { schemas: Record<string, object> };
}

const description = JSON.parse(JSON.stringify(describeApi())) as Description;
const calls: [string, V1Call][] = Object.entries(DESCRIBED_CALLS);
const operationOf = ({ path, method }: V1Call) => description.paths[path]?.[method.toLowerCase()];

/** Every value below a key of this name. */
function valuesOf(name: string, json: unknown): unknown[] {
  if (typeof json !== "object" || json === null) return [];
  return Object.entries(json as Record<string, unknown>).flatMap(([key, value]) => [
    ...(key === name ? [value] : []),
    ...valuesOf(name, value),
  ]);
}

describe("the description of /api/v1", () => {
  it("is what the build serves [PROG-1]", () => {
    expect(JSON.parse(readFileSync("build/client/api/v1/openapi.json", "utf8"))).toEqual(description);
  });

  it("is valid by the schema of OpenAPI 3.1 [PROG-1]", async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate("build/client/api/v1/openapi.json");
    expect([errors, valid, validator.version]).toEqual([undefined, true, "3.1"]);
  });

  it("is written below /api/v1, with as many operations as the tables have calls [DEV-4, PROG-1]", () => {
    expect(description.openapi).toBe("3.1.1");
    expect(description.servers).toEqual([{ url: "/api/v1" }]);
    const operations = Object.values(description.paths).flatMap((path) =>
      Object.entries(path).flatMap(([method, operation]) => (method === "servers" ? [] : [operation as Operation])),
    );
    expect(operations.map(({ operationId }) => operationId).sort()).toEqual(calls.map(([name]) => name).sort());
    expect(operations.length).toBe(40);
  });

  it("has a webhook for each event, with its headers, and an example that its JSON Schema and our own accept [DEV-4]", () => {
    const events = [
      "transfer.uploaded",
      "transfer.downloaded",
      "transfer.expired",
      "transfer.deleted",
      "request.received",
      "ping",
    ] as const;
    expect(Object.keys(description.webhooks)).toEqual(events);
    for (const type of events) {
      const { post, ...others } = description.webhooks[type] ?? {};
      expect(others).toEqual({});
      const headers = post?.parameters.map(({ name, in: place, required }) => [name, place, required]);
      expect(headers).toEqual([
        ["webhook-id", "header", true],
        ["webhook-timestamp", "header", true],
        ["webhook-signature", "header", true],
      ]);
      expect(Object.keys(post?.responses ?? {})).toEqual(["410", "2XX", "default"]);
      const { schema, example } = post?.requestBody?.content["application/json"] ?? {};
      if (schema === undefined) return expect.unreachable();
      expect(example).toMatchObject({ type });
      expect(z.fromJSONSchema(schema).safeParse(example).error?.issues ?? []).toEqual([]);
      expect(WEBHOOK_BODIES[type].safeParse(example).error?.issues ?? []).toEqual([]);
      expect(z.fromJSONSchema(schema).safeParse({ type, data: {} }).success).toBe(false);
    }
  });

  it("names the calls at the top of the site under a tag of their own", () => {
    const atTop = Object.entries(description.paths).filter(([, { servers }]) => servers?.[0]?.url === "/");
    expect(atTop.map(([path]) => path)).toEqual(["/{name}", "/"]);
    const tagged = calls.filter(([, { tag }]) => tag === "curl").map(([name]) => name);
    expect(tagged).toEqual(["putFile", "postForm"]);
    expect(CALL_NAMES.filter((name) => tagged.includes(name))).toEqual([]);
    const put = description.paths["/{name}"]?.["put"];
    expect(Object.keys(put?.responses["201"]?.content ?? {})).toEqual(["text/plain", "application/json"]);
    expect(put?.parameters.filter((parameter) => parameter.in === "header").map(({ name }) => name)).toContain(
      "Mayfly-Expires",
    );
  });

  it("refers to nothing that is not there", () => {
    const references = new Set(valuesOf("$ref", description));
    expect([...references]).toEqual(["#/components/schemas/Error"]);
    expect(Object.keys(description.components.schemas)).toEqual(["Error"]);
  });

  it.each(calls)("%s has the parameters of its address, its request and its answers [PROG-1]", (name, call) => {
    const operation = operationOf(call);
    expect(operation?.operationId).toBe(name);
    const inAddress = [...call.path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter);
    const described = operation?.parameters.filter((parameter) => parameter.in === "path") ?? [];
    expect(described.map((parameter) => parameter.name)).toEqual(inAddress);
    expect(described.every(({ required }) => required)).toBe(true);
    expect(operation?.security).toEqual(call.scope === null ? [] : [{ bearer: [] }, { basic: [] }]);
    const content = operation?.responses[call.status]?.content;
    expect(content?.["application/json"]?.schema === undefined).toBe(call.answer === undefined);
    expect(operation?.requestBody?.content["application/json"] === undefined).toBe(call.body === undefined);
    for (const code of call.errors) {
      const status = call.statuses?.[code] ?? ERRORS[code].status;
      expect(operation?.responses[status]?.description).toContain(`\`${code}\`: ${ERRORS[code].message}`);
    }
  });

  it.each(calls)(
    "%s has an example that its own schemas accept [PROG-2]",
    (_, { params, query, body, answer, example }) => {
      for (const [schema, value] of [
        [params, textsOf(example.params)],
        [query, textsOf(example.query ?? {})],
        [body, example.body],
        [answer, example.answer],
      ] as const) {
        if (schema) expect(schema.safeParse(value).error?.issues ?? []).toEqual([]);
      }
    },
  );

  it.each(calls)("%s has examples that the JSON Schemas of the file accept [PROG-2]", (_, call) => {
    const operation = operationOf(call);
    for (const content of [operation?.requestBody?.content, operation?.responses[call.status]?.content]) {
      const { schema, example } = content?.["application/json"] ?? {};
      if (schema) expect(z.fromJSONSchema(schema).safeParse(example).error?.issues ?? []).toEqual([]);
    }
  });
});

/** As they stand in an address. */
function textsOf(values: Record<string, string | number> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
}
