import type { DescribedSchema } from "#domain/v1/description.ts";
import type { ReferenceField } from "./reference-call.ts";

/** Every field of a JSON Schema, in its order, fields of objects behind the field that holds them. */
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

/** The object that a schema is, or that its list or nullable value holds. */
function objectIn(schema: DescribedSchema): DescribedSchema | null {
  const { inner } = unwrap(schema);
  return inner.properties ? inner : null;
}

/** Without null and lists around it. `marks` has `[]` for each list. */
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

/** @returns in words, such as "list, each: integer" */
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

/** Bounds of every safe integer say nothing. */
function rangeOf({ minimum, maximum, maxLength }: DescribedSchema): string {
  if (maxLength !== undefined) return `at most ${maxLength.toLocaleString("en")} characters`;
  const min = minimum === undefined || minimum <= Number.MIN_SAFE_INTEGER ? null : minimum.toLocaleString("en");
  const max = maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? null : maximum.toLocaleString("en");
  if (min !== null && max !== null) return `${min} to ${max}`;
  if (min !== null) return `from ${min}`;
  return max === null ? "" : `up to ${max}`;
}
