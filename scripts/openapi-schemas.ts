import * as z from "zod/mini";

export type Json = Record<string, unknown>;

/** @param io a field with a default is optional in a request ("input"), and always there in an answer ("output") */
export function jsonSchemaOf(schema: z.ZodMiniType, io: "input" | "output"): Json {
  const { $schema, ...json } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  if ($schema === undefined) throw new Error("zod names no dialect of JSON Schema");
  return json;
}

/** @returns a parameter of OpenAPI for each field */
export function parametersOf(
  place: "path" | "query" | "header",
  parameters: z.ZodMiniType | undefined,
  examples: Json = {},
): Json[] {
  const { properties = {} } = parameters ? jsonSchemaOf(parameters, "output") : {};
  return Object.entries(properties as Json).map(([name, schema]) => ({
    name,
    in: place,
    required: place === "path",
    schema,
    ...(name in examples && { example: examples[name] }),
  }));
}
