import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import * as z from "zod/mini";
import { PRODUCT_NAME } from "#domain/brand.ts";
import { ERRORS, type ErrorCode } from "#domain/errors.ts";
import { TUS_CONTENT_TYPE } from "#domain/tus/protocol.ts";
import { V1_PATH } from "#domain/v1/address.ts";
import type { V1Call } from "#domain/v1/call.ts";
import { CALL_NAMES, V1_CALLS } from "#domain/v1/calls.ts";

type Json = Record<string, unknown>;

/** What every call may be refused with: with a key, and with a body. */
const OF_KEYS: readonly ErrorCode[] = ["KEY_MISSING", "KEY_INVALID", "KEY_SCOPE", "KEY_IN_BROWSER", "EMAIL_UNVERIFIED"];
const OF_INPUT: readonly ErrorCode[] = ["BAD_REQUEST"];
const OF_BODIES: readonly ErrorCode[] = ["BAD_JSON", "UNSUPPORTED_MEDIA_TYPE", "BODY_TOO_LARGE"];
const OF_ALL: readonly ErrorCode[] = ["RATE_LIMITED", "INTERNAL"];

/** Writes the description of `/api/v1` to the files of the build, where every deployment serves it. */
export function writeApiDescription(): void {
  const path = `build/client${V1_PATH}/openapi.json`;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(describeApi(), null, 2)}\n`);
}

/** The table of calls as OpenAPI 3.1 (https://spec.openapis.org/oas/v3.1.1). */
export function describeApi(): Json {
  const paths: Record<string, Json> = {};
  for (const name of CALL_NAMES) {
    const call: V1Call = V1_CALLS[name];
    paths[call.path] = { ...paths[call.path], [call.method.toLowerCase()]: describeCall(name, call) };
  }
  return {
    openapi: "3.1.1",
    info: {
      title: `${PRODUCT_NAME} API`,
      version: "1",
      description:
        "Send an API key as `Authorization: Bearer mayfly_…`, or as the password of Basic. Sizes are bytes, dates ISO 8601. Fields may be added; what breaks a client becomes version 2.",
    },
    servers: [{ url: V1_PATH }],
    tags: [...new Set(CALL_NAMES.map((name) => V1_CALLS[name].tag))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer" },
        basic: { type: "http", scheme: "basic", description: "The key is the password." },
      },
      schemas: {
        Error: {
          type: "object",
          required: ["message", "code"],
          properties: {
            message: { type: "string", description: "What happened, in words." },
            code: { type: "string", description: "The same for programs." },
            field: { type: "string", description: "The field that is wrong." },
            retryAfterSeconds: { type: "integer", description: "With a 429." },
          },
        },
      },
    },
  };
}

function describeCall(operationId: string, call: V1Call): Json {
  const { summary, description, tag, scope } = call;
  const needed = scope === null || scope === "any" ? [] : [`The key needs the scope \`${scope}\`.`];
  return {
    operationId,
    summary,
    description: [...(description === undefined ? [] : [description]), ...needed].join(" "),
    tags: [tag],
    security: scope === null ? [] : [{ bearer: [] }, { basic: [] }],
    parameters: [...parametersOf(call, "path"), ...parametersOf(call, "query"), ...headersOf(call)],
    ...requestOf(call),
    responses: { ...answerOf(call), ...refusalsOf(call) },
  };
}

function parametersOf({ params, query, example }: V1Call, place: "path" | "query"): Json[] {
  const schema = place === "path" ? params : query;
  const { properties = {} } = schema ? jsonSchemaOf(schema, "output") : {};
  const examples: Json = (place === "path" ? example.params : example.query) ?? {};
  return Object.entries(properties as Json).map(([name, schema]) => ({
    name,
    in: place,
    required: place === "path",
    schema,
    ...(name in examples && { example: examples[name] }),
  }));
}

const START_KEY = "The same start again within a day answers the same upload.";

function headersOf({ isStart, headers = {}, example }: V1Call): Json[] {
  const names = { ...headers, ...(isStart && { "Idempotency-Key": START_KEY }) };
  return Object.entries(names).map(([name, description]) => {
    const schema = { type: "string", ...(name === "Idempotency-Key" && { maxLength: 255 }) };
    const shown = example.headers?.[name];
    return { name, in: "header", required: false, description, schema, ...(shown !== undefined && { example: shown }) };
  });
}

function requestOf({ body, sends, example }: V1Call): Json {
  if (sends) {
    const type = sends === "tus" ? TUS_CONTENT_TYPE : "application/octet-stream";
    return { requestBody: { required: sends === "bytes", content: { [type]: {} } } };
  }
  if (!body) return {};
  const content = { "application/json": { schema: jsonSchemaOf(body, "input"), example: example.body } };
  return { requestBody: { required: true, content } };
}

const ANSWERS: Record<V1Call["status"], string> = {
  101: "The WebSocket is open.",
  200: "It worked.",
  201: "It was made.",
  204: "It worked; there is nothing to say.",
};

function answerOf({ method, status, answer, example }: V1Call): Json {
  const json = answer && { "application/json": { schema: jsonSchemaOf(answer, "output"), example: example.answer } };
  const bytes = status === 200 && method !== "HEAD" ? { "application/octet-stream": {} } : undefined;
  const content = json ?? bytes;
  return { [status]: { description: ANSWERS[status], ...(content && { content }) } };
}

/** One answer for each status, with the codes that it may have. */
function refusalsOf({ scope, body, params, query, errors, statuses }: V1Call): Json {
  const codes = new Set([
    ...(scope === null ? [] : OF_KEYS),
    ...(body || params || query ? OF_INPUT : []),
    ...(body ? OF_BODIES : []),
    ...errors,
    ...OF_ALL,
  ]);
  const byStatus = Map.groupBy([...codes], (code) => statuses?.[code] ?? ERRORS[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => {
      const description = group.map((code) => `\`${code}\`: ${ERRORS[code].message}`).join("\n\n");
      const content = { "application/json": { schema: { $ref: "#/components/schemas/Error" } } };
      return [status, { description, content }];
    }),
  );
}

/** @param io a default makes a field optional in a request, and always there in an answer */
function jsonSchemaOf(schema: z.ZodMiniType, io: "input" | "output"): Json {
  const { $schema, ...json } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  if ($schema === undefined) throw new Error("zod names no dialect of JSON Schema");
  return json;
}
