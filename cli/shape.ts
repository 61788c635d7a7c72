/**
 * The shape of JSON: a type of JSON Schema, one of several shapes, a value, a list, a list of fixed length, or an
 * object. Optional fields of an object end in `?`. `*` is every other field: without `*` such fields may hold anything.
 */
export type Shape =
  | "any"
  | "boolean"
  | "integer"
  | "null"
  | "number"
  | "string"
  | ["or" | "tuple", ...Shape[]]
  | ["value", unknown]
  | ["list", Shape]
  | { [field: string]: Shape };

function hasShape(value: unknown, shape: Shape): boolean {
  if (shape === "any") return true;
  if (shape === "null") return value === null;
  if (shape === "integer") return Number.isInteger(value);
  if (typeof shape === "string") return typeof value === shape;
  if (!Array.isArray(shape)) return isRecord(value) && hasFields(value, new Map(Object.entries(shape)));
  if (shape[0] === "value") return shape[1] === value;
  const [kind, ...inner] = shape;
  if (kind === "or") return inner.some((one) => hasShape(value, one));
  if (!Array.isArray(value)) return false;
  if (kind === "list") return value.every((item) => hasShape(item, inner[0]));
  return value.length === inner.length && inner.every((one, n) => hasShape(value[n], one));
}

function hasFields(value: Record<string, unknown>, shapes: ReadonlyMap<string, Shape>): boolean {
  const shapeOf = (field: string) => shapes.get(field) ?? shapes.get(`${field}?`) ?? shapes.get("*") ?? "any";
  return (
    Array.from(shapes.keys()).every((field) => /[?*]$/.test(field) || Object.hasOwn(value, field)) &&
    Object.entries(value).every(([field, content]) => hasShape(content, shapeOf(field)))
  );
}

/** Whether the value is an object that is neither a list nor null. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Replaces a schema of zod in the bundle. */
interface LightSchema {
  safeParse(value: unknown): { success: true; data: unknown } | { success: false };
}

/** @returns a schema that checks only the shape of JSON, and does not change the value */
export function schemaOf(shape: Shape): LightSchema {
  return { safeParse: (value) => (hasShape(value, shape) ? { success: true, data: value } : { success: false }) };
}
