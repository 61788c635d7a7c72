import type * as z from "zod/mini";
import type { KeyScope } from "../api-keys.ts";
import type { ErrorCode } from "../errors.ts";
import type { RateLimitedCall } from "../rate-limits.ts";

/** The path of the API for programs. A breaking change would become `/api/v2`. */
export const V1_PATH = "/api/v1";

/** @param path of a request */
export function isV1(path: string): boolean {
  return path.startsWith(`${V1_PATH}/`);
}

/** A row of the table of calls, from which the router, the API description and the tests are made. */
export interface V1Call {
  method: "GET" | "HEAD" | "OPTIONS" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** The path below `/api/v1`, with parameters in braces. */
  path: `/${string}`;
  /** The path is at the top of the site, not below `/api/v1`. */
  isTop?: true;
  tag: "Account" | "Uploads" | "Transfers" | "Requests" | "Links" | "tus" | "curl";
  summary: string;
  description?: string;
  /** The scope that the caller's API key needs; "any" for a key of any scope; null for a call without a key. */
  scope: KeyScope | "any" | null;
  /** The token of an upload request replaces the key, or is needed for the address of an upload into the request. */
  takesRequest?: true;
  /** A rate limit in addition to the limits of keys. */
  limit: RateLimitedCall | null;
  params?: z.ZodMiniType;
  query?: z.ZodMiniType;
  /** The schema of the JSON body. */
  body?: z.ZodMiniType;
  headers?: z.ZodMiniType;
  /**
   * `bytes`: the body is stored as it is. `tus`: the body is stored as it is, and its content type is the one of tus.
   * `form`: files in a form.
   */
  sends?: "bytes" | "tus" | "form";
  /** Whether the call takes an `Idempotency-Key`. */
  isStart?: true;
  status: 101 | 200 | 201 | 204;
  /** Describes the plain text answer, which clients get that do not ask for JSON. */
  text?: string;
  /** The schema of the JSON answer. Absent if the answer is a file's bytes or has no body. */
  answer?: z.ZodMiniType;
  /** The errors that a call may answer, besides errors about keys and input. */
  errors: readonly ErrorCode[];
  /** The statuses of error codes for which this call differs from other calls. */
  statuses?: Partial<Record<ErrorCode, number>>;
  /** An example that the reference shows and a test sends. */
  example: {
    params?: Record<string, string | number>;
    query?: Record<string, string | number>;
    headers?: Record<string, string>;
    body?: Record<string, unknown>;
    answer?: Record<string, unknown>;
  };
}
