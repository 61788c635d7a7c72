import { resolve } from "node:path";
import type { Plugin } from "vite";
import * as z from "zod/mini";
import * as wire from "#domain/wire.ts";
import * as answers from "../opener/answers.ts";
import * as calls from "./net/calls.ts";
import { isRecord, type Shape } from "./shape.ts";

const MODULES = new Map<string, object>([
  [resolve("domain/wire.ts"), wire],
  [resolve("opener/answers.ts"), answers],
  [resolve("cli/net/calls.ts"), calls],
]);

/**
 * Replaces modules of schemas by plain data. The program comes from the server whose answers it checks, so the shape of
 * an answer is enough. zod, the input of calls and their descriptions would be half of the program's size.
 */
export const schemasAsData: Plugin = {
  name: "schemas-as-data",
  enforce: "pre",
  load: (id) => {
    const values = MODULES.get(id);
    return values ? moduleOf(values) : null;
  },
};

/** @returns the source of a module. Functions are left out, so an import of a function fails. */
function moduleOf(values: object): string {
  const exported = Object.entries(values).filter(([, value]: [string, unknown]) => typeof value !== "function");
  const shapes = new SharedShapes();
  for (const [, value] of exported) shapes.count(value);
  const lines = exported.map(
    ([name, value]: [string, unknown]) => `export const ${name} = ${sourceOf(value, shapes)};`,
  );
  const runtime = JSON.stringify(resolve("cli/shape.ts"));
  return [`import { schemaOf } from ${runtime};`, ...shapes.lines, ...lines].join("\n");
}

function sourceOf(value: unknown, shapes: SharedShapes): string {
  if (value instanceof z.ZodMiniType) return `/* @__PURE__ */ schemaOf(${shapes.write(shapeOfSchema(value))})`;
  if (!isRecord(value)) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, field]) => `${JSON.stringify(name)}: ${sourceOf(field, shapes)}`);
  return `{ ${fields.join(", ")} }`;
}

/** Writes parts that several shapes share only once, because half of the source would be repetitions. */
class SharedShapes {
  readonly #counts = new Map<string, number>();
  readonly #names = new Map<string, string>();
  /** The declarations of shared shapes, which stand before the exports. */
  readonly lines: string[] = [];

  /** Counts the parts of the shapes of a value's schemas. Has to be called for all values before `write`. */
  count(value: unknown): void {
    if (value instanceof z.ZodMiniType) {
      this.#countIn(shapeOfSchema(value));
      return;
    }
    if (isRecord(value)) for (const field of Object.values(value)) this.count(field);
  }

  #countIn(shape: unknown): void {
    const json = JSON.stringify(shape);
    const count = (this.#counts.get(json) ?? 0) + 1;
    this.#counts.set(json, count);
    // The inner shapes of a repeated shape are written only once, so they are counted once.
    if (count > 1 || typeof shape !== "object" || shape === null) return;
    for (const inner of Object.values(shape)) this.#countIn(inner);
  }

  /** @returns the shape's source, which names shared shapes instead of repeating them */
  write(shape: unknown): string {
    const json = JSON.stringify(shape);
    const known = this.#names.get(json);
    if (known !== undefined) return known;
    const source = this.#writeWhole(shape);
    if ((this.#counts.get(json) ?? 0) < 2) return source;
    const name = `shared${this.lines.length}`;
    this.#names.set(json, name);
    this.lines.push(`const ${name} = ${source};`);
    return name;
  }

  #writeWhole(shape: unknown): string {
    if (Array.isArray(shape)) return `[${shape.map((inner) => this.write(inner)).join(", ")}]`;
    if (!isRecord(shape)) return JSON.stringify(shape);
    const fields = Object.entries(shape).map(([name, inner]) => `${JSON.stringify(name)}: ${this.write(inner)}`);
    return `{ ${fields.join(", ")} }`;
  }
}

/** @returns the shape of JSON that the server sends */
export function shapeOfSchema(schema: z.ZodMiniType): Shape {
  return shapeOf(z.toJSONSchema(schema, { io: "output", unrepresentable: "any" }));
}

/** Omits lengths, patterns and lists of words, which may grow within an API version. @throws Error for unknown types */
function shapeOf(schema: unknown): Shape {
  // JSON Schema also allows `true` and `false` in place of a schema.
  if (!isRecord(schema)) return "any";
  const { type, const: value, anyOf, oneOf = anyOf, items, prefixItems } = schema;
  if (Array.isArray(oneOf)) return ["or", ...oneOf.map(shapeOf)];
  if (value !== undefined) return ["value", value];
  if (Array.isArray(type)) return ["or", ...type.map((one: unknown) => shapeOf({ ...schema, type: one }))];
  if (Array.isArray(prefixItems)) return ["tuple", ...prefixItems.map(shapeOf)];
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
      return ["list", shapeOf(items)];
    case "object":
      return shapeOfObject(schema);
    default:
      throw new Error(`a shape has no ${JSON.stringify(type)}`);
  }
}

function shapeOfObject({ properties, required, additionalProperties }: Record<string, unknown>): Shape {
  const needed = new Set<unknown>(Array.isArray(required) ? required : []);
  const fields = Object.entries(isRecord(properties) ? properties : {}).map(
    ([name, schema]) => [needed.has(name) ? name : `${name}?`, shapeOf(schema)] as const,
  );
  return {
    ...Object.fromEntries(fields),
    ...(isRecord(additionalProperties) && { "*": shapeOf(additionalProperties) }),
  };
}
