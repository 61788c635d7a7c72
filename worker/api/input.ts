import type { Context } from "hono";
import * as z from "zod/mini";
import { AppError } from "#domain/errors.ts";
import { formatBytes, KIB } from "#domain/units.ts";
import type { CurrentSession } from "../accounts/session.ts";
import type { AppEnv } from "../app-env.ts";
import { PARSE_OPTIONS, toInputError } from "./input-errors.ts";

export const JSON_BODY_MAX_BYTES = 64 * KIB;

export const anyObject = z.record(z.string(), z.unknown());

/**
 * @param maxSealedBytes the limit for a body with `seal`
 * @throws AppError UNSUPPORTED_MEDIA_TYPE, BODY_TOO_LARGE, BAD_JSON, BAD_REQUEST with the first invalid field
 */
export async function readJson<Schema extends z.ZodMiniType>(
  c: Context<AppEnv>,
  schema: Schema,
  maxBytes = JSON_BODY_MAX_BYTES,
  maxSealedBytes = maxBytes,
): Promise<z.infer<Schema>> {
  const type = c.req.header("content-type") ?? "";
  if (!/^application\/json\b/i.test(type)) throw new AppError("UNSUPPORTED_MEDIA_TYPE");
  let json: unknown;
  try {
    const text = await readText(c.req.raw, maxSealedBytes);
    json = JSON.parse(text);
    const isSealed = typeof json === "object" && json !== null && "seal" in json;
    if (!isSealed && new Blob([text]).size > maxBytes) throw tooLarge(maxBytes);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError("BAD_JSON");
  }
  return parse(schema, json);
}

/**
 * @param name the name that the error gives to a value that is not an object
 * @throws AppError BAD_REQUEST with the first invalid field and all field names
 */
export function parse<Schema extends z.ZodMiniType>(schema: Schema, value: unknown, name = ""): z.infer<Schema> {
  const result = schema.safeParse(value, PARSE_OPTIONS);
  if (result.success) return result.data;
  const received = typeof value === "object" && value !== null ? Object.keys(value) : typeof value;
  const [issue] = result.error.issues;
  throw issue ? toInputError(issue, name, { received }) : new AppError("BAD_REQUEST", { received });
}

/** @throws AppError UNAUTHORIZED with `requiresAuth` */
export async function requireSession(c: Context<AppEnv>): Promise<CurrentSession> {
  const session = await c.get("context").currentSession();
  if (!session) throw new AppError("UNAUTHORIZED", { requiresAuth: true });
  return session;
}

/**
 * Reads a body as text. Enforces the limit even if Content-Length is missing or wrong.
 * @throws AppError BODY_TOO_LARGE, BAD_JSON
 */
export async function readText(request: Request, maxBytes: number): Promise<string> {
  if (!request.body) return "";
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const chunks: Uint8Array[] = [];
  let length = 0;
  // Does not cancel the stream, because `SentBody.refuse` reads the rest of a rejected body.
  for await (const chunk of (request.body as ReadableStream<Uint8Array>).values({ preventCancel: true })) {
    length += chunk.byteLength;
    if (length > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  const bytes = await new Blob(chunks).arrayBuffer();
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    throw new AppError("BAD_JSON", { message: "The request body is not UTF-8." });
  }
}

function tooLarge(maxBytes: number): AppError {
  return new AppError("BODY_TOO_LARGE", { message: `This request may hold at most ${formatBytes(maxBytes)}.` });
}

/** @returns the announced number of bytes; null without a valid Content-Length */
export function contentLength(c: Context<AppEnv>): number | null {
  const header = c.req.header("content-length");
  return header !== undefined && /^\d+$/.test(header) ? Number(header) : null;
}

/**
 * Refuses requests of web pages, which have the header `Origin` or `Sec-Fetch-Site`.
 * @param message what the error tells the author of a page
 * @throws AppError CROSS_SITE
 */
export function requireProgram(c: Context<AppEnv>, message: string): void {
  if (c.req.header("origin") === undefined && c.req.header("sec-fetch-site") === undefined) return;
  throw new AppError("CROSS_SITE", { message });
}
