import { resolve } from "node:path";
import * as z from "zod/mini";
import type { Plugin } from "vite";
import * as wire from "#domain/wire.ts";
import * as answers from "../opener/answers.ts";
import * as calls from "./net/calls.ts";
import { isRecord, type Shape } from "./shape.ts";

/** Modules that hold schemas, and what is made of them. */
const MODULES = new Map<string, object>([
  [resolve("domain/wire.ts"), wire],
  [resolve("opener/answers.ts"), answers],
  [resolve("cli/net/calls.ts"), calls],
]);

/**
 * Replaces modules of schemas by their values. The program checks answers of a server that it was installed from, so
 * it needs their shape alone; zod, the input of calls and their descriptions would be half of its size.
 */
export const schemasAsData: Plugin = {
  name: "schemas-as-data",
  enforce: "pre",
  load: (id) => {
    const values = MODULES.get(id);
    return values ? moduleOf(values) : null;
  },
};

/** @returns the source of a module; functions are left out, so an import of one fails */
function moduleOf(values: object): string {
  const lines = Object.entries(values).flatMap(([name, value]: [string, unknown]) =>
    typeof value === "function" ? [] : [`export const ${name} = ${sourceOf(value)};`],
  );
  const runtime = JSON.stringify(resolve("cli/shape.ts"));
  return [`import { schemaOf } from ${runtime};`, ...lines].join("\n");
}

function sourceOf(value: unknown): string {
  if (value instanceof z.ZodMiniType) return `/* @__PURE__ */ schemaOf(${JSON.stringify(shapeOfSchema(value))})`;
  if (!isRecord(value)) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, field]) => `${JSON.stringify(name)}: ${sourceOf(field)}`);
  return `{ ${fields.join(", ")} }`;
}

/** @returns the shape of what the server sends */
export function shapeOfSchema(schema: z.ZodMiniType): Shape {
  return shapeOf(z.toJSONSchema(schema, { io: "output", unrepresentable: "any" }));
}

/** Leaves out lengths, patterns, and lists of words, which grow without a new version of the API. @throws Error for a type that it does not know */
function shapeOf(schema: unknown): Shape {
  // JSON Schema also allows `true` and `false` in place of a schema.
  if (!isRecord(schema)) return "any";
  const { type, const: value, anyOf, oneOf = anyOf, items, prefixItems } = schema;
  if (Array.isArray(oneOf)) return { anyOf: oneOf.map(shapeOf) };
  if (value !== undefined) return { value };
  if (Array.isArray(type)) return { anyOf: type.map((one: unknown) => shapeOf({ ...schema, type: one })) };
  if (Array.isArray(prefixItems)) return { tuple: prefixItems.map(shapeOf) };
  switch (type) {
    case undefined:
      return "any";
    case "boolean":
    case "integer":
    case "null":
    case "number":
    case "string":
      return type;
    case "array":
      return { items: shapeOf(items) };
    case "object":
      return shapeOfObject(schema);
    default:
      throw new Error(`a shape has no ${JSON.stringify(type)}`);
  }
}

function shapeOfObject({ properties, required, additionalProperties }: Record<string, unknown>): Shape {
  const needed = new Set<unknown>(Array.isArray(required) ? required : []);
  const all = Object.entries(isRecord(properties) ? properties : {});
  const shapes = (isNeeded: boolean) =>
    Object.fromEntries(
      all.filter(([name]) => needed.has(name) === isNeeded).map(([name, schema]) => [name, shapeOf(schema)]),
    );
  const optional = shapes(false);
  return {
    fields: shapes(true),
    ...(Object.keys(optional).length > 0 && { optional }),
    ...(isRecord(additionalProperties) && { others: shapeOf(additionalProperties) }),
  };
}
