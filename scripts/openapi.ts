import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { PRODUCT_NAME } from "#domain/brand.ts";
import { ERRORS, type ErrorCode } from "#domain/errors.ts";
import { TUS_CONTENT_TYPE } from "#domain/tus.ts";
import { V1_PATH, type V1Call } from "#domain/v1/call.ts";
import { DESCRIBED_CALLS } from "#domain/v1/calls.ts";
import { ANY_TYPE } from "#domain/v1/description.ts";
import { jsonSchemaOf, parametersOf, type Json } from "./openapi-schemas.ts";
import { describeWebhooks, WEBHOOKS_TAG } from "./openapi-webhooks.ts";

/** Codes with which every call may be refused that needs a key, has input, or has a body, and codes of all calls. */
const OF_KEYS: readonly ErrorCode[] = [
  "KEY_MISSING",
  "KEY_INVALID",
  "KEY_SCOPE",
  "KEY_IN_BROWSER",
  "EMAIL_UNVERIFIED",
  "ACCOUNT_SUSPENDED",
];
const OF_INPUT: readonly ErrorCode[] = ["BAD_REQUEST"];
const OF_BODIES: readonly ErrorCode[] = ["BAD_JSON", "UNSUPPORTED_MEDIA_TYPE", "BODY_TOO_LARGE"];
const OF_ALL: readonly ErrorCode[] = ["RATE_LIMITED", "INTERNAL", "DATABASE_BUSY", "DATABASE_FULL"];

/** Writes the description of `/api/v1` to the files of the build, where every deployment serves it. */
export function writeApiDescription(): void {
  const path = `build/client${V1_PATH}/openapi.json`;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(describeApi(), null, 2)}\n`);
}

const CALLS: [string, V1Call][] = Object.entries(DESCRIBED_CALLS);

/** The table of calls as OpenAPI 3.1 (https://spec.openapis.org/oas/v3.1.1). */
export function describeApi(): Json {
  const paths: Record<string, Json> = {};
  for (const [name, call] of CALLS) {
    const top = call.isTop && { servers: [{ url: "/" }] };
    paths[call.path] = { ...paths[call.path], ...top, [call.method.toLowerCase()]: describeCall(name, call) };
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
    tags: [...new Set([...CALLS.map(([, { tag }]) => tag), WEBHOOKS_TAG])].map((name) => ({ name })),
    paths,
    webhooks: describeWebhooks(),
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
            error: { type: "string", description: "Of the device flow: the name that RFC 8628 gives the code." },
            field: { type: "string", description: "The field that is wrong." },
            retryAfterSeconds: {
              type: "integer",
              description: "With a 429, and with a 503 of an overloaded database.",
            },
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
    parameters: [
      ...parametersOf("path", call.params, call.example.params),
      ...parametersOf("query", call.query, call.example.query),
      ...parametersOf("header", call.headers, call.example.headers),
      ...startKeyOf(call),
    ],
    ...requestOf(call),
    responses: { ...answerOf(call), ...refusalsOf(call) },
  };
}

function startKeyOf({ isStart }: V1Call): Json[] {
  if (!isStart) return [];
  const description = "The same start again within a day answers the same upload.";
  return [
    { name: "Idempotency-Key", in: "header", required: false, description, schema: { type: "string", maxLength: 255 } },
  ];
}

function requestOf({ body, sends, example }: V1Call): Json {
  if (sends === "form") {
    const schema = { type: "object", additionalProperties: { type: "string", format: "binary" } };
    return { requestBody: { required: true, content: { "multipart/form-data": { schema } } } };
  }
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

function answerOf({ method, status, answer, text, example }: V1Call): Json {
  const json = answer && { "application/json": { schema: jsonSchemaOf(answer, "output"), example: example.answer } };
  const bytes = status === 200 && method !== "HEAD" ? { [ANY_TYPE]: {} } : undefined;
  const plain = text !== undefined && { "text/plain": { schema: { type: "string", description: text } } };
  const content = json ? { ...plain, ...json } : bytes;
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
