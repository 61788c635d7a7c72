import fc from "fast-check";
import type * as z from "zod/mini";
import { anyDownloadId, anyId, anyUploadId } from "./id-placeholders.ts";
import { EDGE_CASE_URLS, EDGE_CASE_NAMES, EDGE_CASE_TYPES } from "./edge-case-values.ts";

/** Strings that often break parsers. */
const EDGE_CASE_STRINGS = [
  "",
  " ",
  "\u0000",
  "\ud800",
  "\u202e",
  "é".repeat(300),
  "x".repeat(5000),
  "💥",
  "%00",
  "%E0%A4%A",
  "../../etc",
  "' or 1=1 --",
  "<script>",
  "{}",
  "null",
  "NaN",
  "-1",
  "0",
  "1e999",
  "9007199254740993",
  "__proto__",
  "constructor",
  "2026-13-45",
  "2026-02-30",
  "9999-12-31",
  "0000-00-00",
  "http://[::1",
  "//evil.example",
  "javascript:1",
  "/\\evil",
  "\r\nset-cookie: a=b",
  "\u2028",
  "%",
  "_",
  "*",
  "a@b.c",
  "in_1",
  "A".repeat(22),
  "free",
  "never",
  "3d",
  "image/png",
];

export const edgeCaseText = fc.oneof(fc.constantFrom(...EDGE_CASE_STRINGS), fc.string({ unit: "binary" }), fc.string());

export const anyJson = fc.oneof(
  fc.jsonValue(),
  edgeCaseText,
  fc.constantFrom<unknown>(null, true, -0, 1e308, Number.MAX_SAFE_INTEGER, -1, 0.1),
);

/** The parts of zod's `_zod.def` used here. */
interface Definition {
  type: string;
  shape?: Record<string, z.ZodMiniType>;
  innerType?: z.ZodMiniType;
  element?: z.ZodMiniType;
  items?: z.ZodMiniType[];
  options?: z.ZodMiniType[];
  entries?: Record<string, string>;
  values?: unknown[];
  in?: z.ZodMiniType;
}

/** Mostly values that a schema accepts; sometimes fields are missing, of the wrong type, or unknown. */
export function hostile(schema: z.ZodMiniType): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 6, arbitrary: accepted(schema) }, { weight: 1, arbitrary: anyJson });
}

function accepted(schema: z.ZodMiniType): fc.Arbitrary<unknown> {
  const def: Definition = schema._zod.def;
  switch (def.type) {
    case "object":
      return objectOf(def.shape ?? {});
    case "array":
      return fc.array(hostile(inner(def.element)), { maxLength: 5 });
    case "tuple":
      return tupleOf(def.items ?? []);
    case "union":
      return fc.oneof(...(def.options ?? []).map(accepted));
    case "enum":
      return fc.constantFrom(...Object.values(def.entries ?? {}));
    case "literal":
      return fc.constantFrom(...(def.values ?? []));
    case "boolean":
      return fc.boolean();
    case "number":
      return fc.oneof(fc.nat(100), fc.integer(), fc.double(), fc.maxSafeInteger());
    case "string":
      return textOf(schema);
    case "pipe":
      return accepted(inner(def.in));
    case "optional":
    case "default":
      return fc.option(accepted(inner(def.innerType)), { nil: undefined });
    case "nullable":
      return fc.option(accepted(inner(def.innerType)));
    default:
      return anyJson;
  }
}

function inner(schema: z.ZodMiniType | undefined): z.ZodMiniType {
  if (!schema) throw new Error("unexpected shape of the zod definition");
  return schema;
}

/** Sometimes shorter than the schema's, or longer. */
function tupleOf(items: z.ZodMiniType[]): fc.Arbitrary<unknown> {
  const whole = fc.tuple(...items.map(hostile));
  const cut = whole.chain((values) => fc.nat(items.length).map((length) => values.slice(0, length)));
  const longer = fc.tuple(whole, anyJson).map(([values, added]) => [...values, added]);
  return fc.oneof({ weight: 8, arbitrary: whole }, { weight: 1, arbitrary: cut }, { weight: 1, arbitrary: longer });
}

function objectOf(shape: Record<string, z.ZodMiniType>): fc.Arbitrary<unknown> {
  const values = Object.entries(shape).map(([name, field]) => [name, valueFor(name, field)]);
  const fields = fc.record(Object.fromEntries(values) as Record<string, fc.Arbitrary<unknown>>);
  const unknownFields = fc.dictionary(
    fc.constantFrom("__proto__", "constructor", "toString", "id", "userId", "planType"),
    anyJson,
    {
      maxKeys: 1,
    },
  );
  return fc
    .tuple(fields, fc.oneof({ weight: 9, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: unknownFields }))
    .map(([known, unknown]) => ({ ...known, ...unknown }));
}

/** Half of the time an existing id, possibly of the wrong type, if the field's name is that of an id. */
function valueFor(name: string, field: z.ZodMiniType): fc.Arbitrary<unknown> {
  const real = realValueFor(name);
  return real ? fc.oneof(real, hostile(field)) : hostile(field);
}

function realValueFor(name: string): fc.Arbitrary<string> | null {
  if (name === "uploadId") return fc.oneof({ weight: 4, arbitrary: anyUploadId }, { weight: 1, arbitrary: anyId });
  if (name === "downloadId") return fc.oneof({ weight: 4, arbitrary: anyDownloadId }, { weight: 1, arbitrary: anyId });
  if (/^id$|Id$/.test(name)) return anyId;
  if (name === "filename") return fc.constantFrom(...EDGE_CASE_NAMES);
  if (name === "fileType") return fc.constantFrom(...EDGE_CASE_TYPES);
  return /Url$|^returnTo$/.test(name) ? fc.constantFrom(...EDGE_CASE_URLS) : null;
}

/** Common kinds of text that the schema accepts, and edge cases. */
function textOf(schema: z.ZodMiniType): fc.Arbitrary<string> {
  const commonTexts = [
    fc.emailAddress().map((address) => address.toLowerCase()),
    fc.uuid(),
    fc.nat(100_000).map(String),
    fc.string({ unit: fc.constantFrom("0", "1", "7", "9", "a", "c", "f"), minLength: 64, maxLength: 64 }),
    fc.nat(0xffffffff).map((number) => number.toString(16).padStart(8, "0")),
    fc.base64String({ minLength: 24, maxLength: 24 }).map((text) => text.slice(0, 22).replace(/[+/=]/g, "_")),
    fc.webPath(),
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10)),
    fc.lorem({ maxCount: 8 }),
    fc.json().filter((text) => /^[[{]/.test(text)),
    fc.string({ minLength: 1, maxLength: 40 }),
  ];
  const acceptedText = fc.oneof(...commonTexts).filter((text) => schema.safeParse(text).success);
  return fc.oneof(
    { weight: 4, arbitrary: acceptsCommonText(schema) ? acceptedText : edgeCaseText },
    { weight: 1, arbitrary: edgeCaseText },
  );
}

/** Whether the schema accepts any of the common kinds. */
function acceptsCommonText(schema: z.ZodMiniType): boolean {
  const examples = [
    "a@b.example",
    crypto.randomUUID(),
    "7",
    "0".repeat(64),
    "0".repeat(8),
    "A".repeat(22),
    "/page",
    "2026-01-31",
    "ten letters",
    "{}",
  ];
  return examples.some((example) => schema.safeParse(example).success);
}
