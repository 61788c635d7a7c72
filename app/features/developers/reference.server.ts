import {
  DESCRIBED_METHODS,
  type ApiDescription,
  type DescribedOperation,
  type DescribedParameter,
  type DescribedSchema,
} from "#domain/v1/description.ts";
import { curlOf, javascriptOf, successOf, cliLineOf } from "./call-examples.server.ts";
import type { ReferenceCall, ReferenceEvent, ReferenceField } from "./reference-call.ts";

/** The address of a call. `origin`: the site's origin, to which the examples send the call. */
interface Place {
  method: string;
  path: string;
  origin: string;
}

/**
 * @param origin the site's origin @returns every call, grouped by tag, otherwise in the order of the API description
 */
export function referenceOf(
  { servers, paths }: Pick<ApiDescription, "servers" | "paths">,
  origin: string,
): ReferenceCall[] {
  const calls = Object.entries(paths).flatMap(([path, described]) => {
    const base = (described.servers ?? servers)[0]?.url.replace(/\/$/, "") ?? "";
    return DESCRIBED_METHODS.flatMap((method) => {
      const operation = described[method];
      return operation ? [describe(operation, { method: method.toUpperCase(), path: `${base}${path}`, origin })] : [];
    });
  });
  const tags = [...new Set(calls.map(({ tag }) => tag))];
  return tags.flatMap((tag) => calls.filter((call) => call.tag === tag));
}

/** @returns every webhook event, in the order of the API description */
export function eventsOf({ webhooks }: Pick<ApiDescription, "webhooks">): ReferenceEvent[] {
  return Object.entries(webhooks).map(([id, { post }]) => {
    const { summary, tags, parameters, requestBody } = post;
    const body = requestBody?.content["application/json"];
    return {
      id,
      tag: tags[0] ?? "",
      summary,
      parameters: parameters.map(parameterField),
      body: fieldsOf(body?.schema),
      example: JSON.stringify(body?.example, null, 2),
    };
  });
}

function describe(operation: DescribedOperation, { method, path, origin }: Place): ReferenceCall {
  const { operationId, summary, description, tags, security, parameters, requestBody, responses } = operation;
  const [status, content] = successOf(responses);
  const answer = content?.["application/json"];
  const call = { method, url: `${origin}${addressOf(path, parameters)}`, operation };
  return {
    id: operationId,
    tag: tags[0] ?? "",
    method,
    path,
    summary,
    description,
    needsKey: security.length > 0,
    parameters: parameters.map(parameterField),
    body: fieldsOf(requestBody?.content["application/json"]?.schema),
    status,
    answer: fieldsOf(answer?.schema),
    answerExample: answer ? JSON.stringify(answer.example, null, 2) : null,
    refusals: refusalsOf(responses),
    examples: { curl: curlOf(call), JavaScript: javascriptOf(call), CLI: cliLineOf(operationId) },
  };
}

function addressOf(path: string, parameters: DescribedParameter[]): string {
  const valueOf = (name: string) => String(parameters.find((parameter) => parameter.name === name)?.example ?? name);
  const query = parameters.filter((parameter) => parameter.in === "query" && parameter.example !== undefined);
  const search = new URLSearchParams(query.map(({ name, example }) => [name, String(example)])).toString();
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => valueOf(name));
  return search === "" ? filled : `${filled}?${search}`;
}

const PLACES = { path: "", query: ", in the query", header: ", a header" };

function parameterField({ name, in: place, required, description, schema }: DescribedParameter): ReferenceField {
  return {
    name,
    type: `${typeOf(schema)}${PLACES[place]}`,
    isRequired: required,
    description: description ?? schema.description ?? "",
  };
}

/** The API description lists a status's error codes as "`CODE`: message", each in its own paragraph. */
function refusalsOf(responses: DescribedOperation["responses"]): ReferenceCall["refusals"] {
  return Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([status, { description }]) =>
      [...description.matchAll(/^`(\w+)`: (.*)$/gm)].map(([, code = "", message = ""]) => ({ status, code, message })),
    );
}

/** Lists a JSON Schema's fields in order. The fields inside an object follow the field of the object. */
export function fieldsOf(schema: DescribedSchema | undefined, prefix = ""): ReferenceField[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = objectIn(schema) ?? {};
  return Object.entries(properties).flatMap(([name, field]) => {
    const { marks } = unwrap(field);
    return [
      {
        name: `${prefix}${name}`,
        type: typeOf(field),
        isRequired: required.includes(name),
        description: wordsOf(field),
      },
      ...fieldsOf(field, `${prefix}${name}${marks}.`),
    ];
  });
}

/** The object schema inside lists and nullable values; null if there is no object. */
function objectIn(schema: DescribedSchema): DescribedSchema | null {
  const { inner } = unwrap(schema);
  return inner.properties ? inner : null;
}

/** Removes null and lists around a schema. `marks` has a `[]` for each removed list. */
function unwrap(schema: DescribedSchema): { inner: DescribedSchema; marks: string } {
  const [only, ...others] = schema.anyOf?.filter(({ type }) => type !== "null") ?? [];
  if (only && others.length === 0) return unwrap(only);
  if (!schema.items) return { inner: schema, marks: "" };
  const { inner, marks } = unwrap(schema.items);
  return { inner, marks: `[]${marks}` };
}

function wordsOf(schema: DescribedSchema): string {
  return schema.description ?? schema.anyOf?.find(({ description }) => description !== undefined)?.description ?? "";
}

const FORMATS: Record<string, string> = {
  uuid: "UUID",
  uri: "URL",
  "date-time": "date and time",
  email: "email address",
};

/** @returns the type in words, such as "list, each: integer" */
export function typeOf(schema: DescribedSchema): string {
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeOf))].join(" or ");
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.prefixItems) return `[${schema.prefixItems.map(typeOf).join(", ")}]`;
  if (schema.type === "array") return `list, each: ${typeOf(schema.items ?? {})}`;
  if (schema.format !== undefined) return FORMATS[schema.format] ?? schema.format;
  const { type = "anything" } = schema;
  return [type, rangeOf(schema)].filter(Boolean).join(", ");
}

/** The range of a number or text, in words. Leaves out a bound that says only that a number is a safe integer. */
function rangeOf({ minimum, maximum, maxLength }: DescribedSchema): string {
  if (maxLength !== undefined) return `at most ${maxLength.toLocaleString("en")} characters`;
  const min = minimum === undefined || minimum <= Number.MIN_SAFE_INTEGER ? null : minimum.toLocaleString("en");
  const max = maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? null : maximum.toLocaleString("en");
  if (min !== null && max !== null) return `${min} to ${max}`;
  if (min !== null) return `from ${min}`;
  return max === null ? "" : `up to ${max}`;
}
