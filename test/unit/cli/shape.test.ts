import * as z from "zod/mini";
import { describe, expect, it } from "vitest";
import type { V1Call } from "#domain/v1/call.ts";
import { completedPart, serverMessage, transferMessage } from "#domain/wire.ts";
import { CALLS } from "../../../cli/net/calls.ts";
import { shapeOfSchema } from "../../../cli/schemas-as-data.ts";
import { schemaOf } from "../../../cli/shape.ts";
import { V1_CALLS } from "#domain/v1/calls.ts";
import { unlocked } from "../../../opener/answers.ts";

const light = (schema: z.ZodMiniType) => schemaOf(shapeOfSchema(schema));
const accepts = (schema: z.ZodMiniType, value: unknown) => light(schema).safeParse(value).success;

const ANSWERS = Object.keys(CALLS).flatMap((name) => {
  const { answer, example }: V1Call = V1_CALLS[name as keyof typeof CALLS];
  return answer && example.answer ? [{ name, answer, example: example.answer }] : [];
});

describe("the shapes that stand for schemas in the bundle", () => {
  it.each(ANSWERS)(
    "take the answer of $name, and no answer that lacks a field of it [CLI-17]",
    ({ answer, example }) => {
      expect(accepts(answer, example)).toBe(true);
      for (const field of Object.keys(example)) {
        const { [field]: _, ...rest } = example;
        expect([field, accepts(answer, rest)]).toEqual([field, answer.safeParse(rest).success]);
      }
    },
  );

  it.each(ANSWERS)("take no answer of $name with a field of another type [CLI-17]", ({ answer, example }) => {
    for (const field of Object.keys(example)) {
      expect([field, accepts(answer, { ...example, [field]: { unexpected: true } })]).toEqual([field, false]);
    }
  });

  it("are there for most calls", () => {
    expect(ANSWERS.length).toBeGreaterThan(10);
  });

  it("leave JSON as it is, and take fields and words that a later server adds", () => {
    const progress = { type: "upload_ended", status: "a later word", more: 1 };
    expect(light(serverMessage).safeParse(progress)).toEqual({ success: true, data: progress });
  });

  it.each([
    [serverMessage, { type: "received", parts: [1, 2] }, true],
    [serverMessage, { type: "received", parts: ["1"] }, false],
    [serverMessage, { type: "unknown" }, false],
    [serverMessage, null, false],
    [transferMessage, { type: "entries_stored", runs: [[0, 3]] }, true],
    [transferMessage, { type: "entries_stored", runs: [[0]] }, false],
    [completedPart, { part: 1, etag: '"e"' }, true],
    [completedPart, { part: 1.5, etag: '"e"' }, false],
    [z.record(z.string(), z.number()), { a: 1 }, true],
    [z.record(z.string(), z.number()), { a: "1" }, false],
    [z.nullable(z.array(z.unknown())), null, true],
    [z.nullable(z.array(z.unknown())), {}, false],
    [unlocked, { grant: null, wrap: "", commitment: "", revision: 1, manifest: "", info: { status: "ready" } }, true],
    [unlocked, { grant: null, wrap: "", commitment: "", revision: 1, manifest: "", info: [] }, false],
  ])("tell %#: %j", (schema, value, isTaken) => {
    expect(accepts(schema, value)).toBe(isTaken);
  });
});
