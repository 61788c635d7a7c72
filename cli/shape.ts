/** What JSON is made of: a type of JSON Schema, one of several shapes, a value, a list, or an object. */
export type Shape =
  | "any"
  | "boolean"
  | "integer"
  | "null"
  | "number"
  | "string"
  | { anyOf: readonly Shape[] }
  | { value: unknown }
  | { items: Shape }
  /** A list of fixed length. */
  | { tuple: readonly Shape[] }
  | {
      fields: Readonly<Record<string, Shape>>;
      optional?: Readonly<Record<string, Shape>>;
      /** Of every other field: without it they may hold anything. */
      others?: Shape;
    };

/** Whether the JSON has the shape. */
function hasShape(value: unknown, shape: Shape): boolean {
  if (shape === "any") return true;
  if (shape === "null") return value === null;
  if (shape === "integer") return Number.isInteger(value);
  if (typeof shape === "string") return typeof value === shape;
  if ("anyOf" in shape) return shape.anyOf.some((one) => hasShape(value, one));
  if ("value" in shape) return shape.value === value;
  if ("items" in shape) return Array.isArray(value) && value.every((item) => hasShape(item, shape.items));
  if ("tuple" in shape) {
    const { tuple } = shape;
    return Array.isArray(value) && value.length === tuple.length && tuple.every((one, n) => hasShape(value[n], one));
  }
  if (!isRecord(value)) return false;
  const { fields, optional = {}, others = "any" } = shape;
  const named = new Map(Object.entries({ ...fields, ...optional }));
  return (
    Object.keys(fields).every((field) => Object.hasOwn(value, field)) &&
    Object.entries(value).every(([field, content]) => hasShape(content, named.get(field) ?? others))
  );
}

/** Neither a list nor null. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Stands for a schema of zod in the bundle. */
interface LightSchema {
  safeParse(value: unknown): { success: true; data: unknown } | { success: false };
}

/** @returns what checks the shape of JSON alone, and leaves it as it is */
export function schemaOf(shape: Shape): LightSchema {
  return { safeParse: (value) => (hasShape(value, shape) ? { success: true, data: value } : { success: false }) };
}
