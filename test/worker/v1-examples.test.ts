import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import type { V1Call } from "#domain/v1/call.ts";
import { DESCRIBED_CALLS } from "#domain/v1/calls.ts";
import { ANY_TYPE, DESCRIBED_METHODS, type ApiDescription, type DescribedOperation } from "#domain/v1/description.ts";
import { makeKey } from "../support/v1.ts";
import { sendExample, type DescribedName } from "../support/v1-examples.ts";
import { signUp } from "../support/worker.ts";

interface Example {
  name: DescribedName;
  call: V1Call;
  /** What the program asks for. */
  type: string;
}

const JSON_TYPE = "application/json";
const NAMES = Object.keys(DESCRIBED_CALLS) as DescribedName[];
/** Each call, and once more if it answers in plain text, too. */
const EXAMPLES: Example[] = NAMES.flatMap((name) => {
  const call: V1Call = DESCRIBED_CALLS[name];
  const asked = { name, call, type: call.answer ? JSON_TYPE : ANY_TYPE };
  return call.text === undefined ? [asked] : [asked, { ...asked, type: "text/plain" }];
});

let description: ApiDescription;

beforeAll(async () => {
  // What the build has written.
  const served = await env.ASSETS.fetch(new URL("/api/v1/openapi.json", env.APP_ORIGIN));
  description = await served.json<ApiDescription>();
});

async function sendByNewcomer({ name, type }: Example): Promise<Response> {
  const person = await signUp();
  return sendExample(name, person, (await makeKey(person)).key, type);
}

function operationOf({ path, method }: V1Call): DescribedOperation | undefined {
  const described = DESCRIBED_METHODS.find((name) => name.toUpperCase() === method);
  return described && description.paths[path]?.[described];
}

/** The fields of a JSON text without their values, such as `.items[].name`. */
function fieldsOf(json: unknown, path = ""): string[] {
  if (Array.isArray(json)) return [...new Set(json.flatMap((item) => fieldsOf(item, `${path}[]`)))];
  if (typeof json !== "object" || json === null) return [path];
  return Object.entries(json).flatMap(([field, value]) => fieldsOf(value, `${path}.${field}`));
}

function expectDescribed(response: Response, { call, type }: Example): void {
  const described = operationOf(call)?.responses[call.status];
  expect([response.status, described === undefined]).toEqual([call.status, false]);
  const types = Object.keys(described?.content ?? {});
  const answered = response.headers.get("content-type")?.split(";")[0] ?? "nothing";
  expect(types.length === 0 ? ["nothing"] : types).toContain(types.includes(ANY_TYPE) ? ANY_TYPE : answered);
  if (type === JSON_TYPE || type === "text/plain") expect(answered).toBe(type);
  const { webSocket } = response;
  webSocket?.accept();
  webSocket?.close();
}

describe("the example of a call is answered as the description says", () => {
  it.each(EXAMPLES)("$name, $type [PROG-2]", async (example) => {
    const { call, type } = example;
    const response = await sendByNewcomer(example);
    expectDescribed(response, example);
    if (type !== JSON_TYPE || !call.answer) return;
    const json = await response.json();
    // Parsing drops fields that the schema does not know.
    expect(call.answer.parse(json)).toEqual(json);
    expect(fieldsOf(json).sort()).toEqual(fieldsOf(call.example.answer).sort());
  });
});
