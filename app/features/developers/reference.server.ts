import {
  DESCRIBED_METHODS,
  type ApiDescription,
  type DescribedOperation,
  type DescribedParameter,
} from "#domain/v1/description.ts";
import { curlOf, javascriptOf, successOf } from "./call-examples.server.ts";
import { cliLineOf } from "./cli-lines.ts";
import type { ReferenceCall, ReferenceEvent, ReferenceField } from "./reference-call.ts";
import { fieldsOf, typeOf } from "./schema-fields.server.ts";

/** Where a call is. `origin`: of the site, for the examples. */
interface Place {
  method: string;
  path: string;
  origin: string;
}

/** @param origin of the site @returns every call, those of a tag together, else in the order of the description */
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

/** @returns every event of webhooks, in the order of the description */
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

/** The description lists the codes of a status as "`CODE`: message", a paragraph each. */
function refusalsOf(responses: DescribedOperation["responses"]): ReferenceCall["refusals"] {
  return Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([status, { description }]) =>
      [...description.matchAll(/^`(\w+)`: (.*)$/gm)].map(([, code = "", message = ""]) => ({ status, code, message })),
    );
}
