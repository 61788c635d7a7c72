import type * as z from "zod/mini";
import type { KeyScope } from "../api-keys.ts";
import type { ErrorCode } from "../errors.ts";
import type { RateLimitedCall } from "../rate-limits.ts";

/** Where programs call. What breaks becomes `/api/v2`. */
export const V1_PATH = "/api/v1";

/** @param path of a request */
export function isV1(path: string): boolean {
  return path.startsWith(`${V1_PATH}/`);
}

/** A row of the table of calls: the router, the description and the tests are made from it. */
export interface V1Call {
  method: "GET" | "HEAD" | "OPTIONS" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Below `/api/v1`, with parameters in braces. */
  path: `/${string}`;
  /** The path is at the top of the site instead. */
  isTop?: true;
  tag: "Account" | "Uploads" | "Transfers" | "Requests" | "Links" | "tus" | "curl";
  summary: string;
  description?: string;
  /** What the key has to have. "any": any living key. Null: the call takes no key. */
  scope: KeyScope | "any" | null;
  /** The token of an upload request takes the place of the key, or goes with the address of an upload into it. */
  takesRequest?: true;
  /** Besides the limits of keys. */
  limit: RateLimitedCall | null;
  /** The parameters of the path. */
  params?: z.ZodMiniType;
  query?: z.ZodMiniType;
  /** JSON. */
  body?: z.ZodMiniType;
  /** The request's headers. */
  headers?: z.ZodMiniType;
  /** `bytes`: the request's body is stored as it is. `tus`: the same, with the type that tus gives it. `form`: files in a form. */
  sends?: "bytes" | "tus" | "form";
  /** Takes an `Idempotency-Key`. */
  isStart?: true;
  status: 101 | 200 | 201 | 204;
  /** What the answer is in plain text, for whoever does not ask for JSON. */
  text?: string;
  /** The JSON that is answered. Absent where the answer has other bytes, or none. */
  answer?: z.ZodMiniType;
  /** What a call may be refused with, besides what refuses keys and input. */
  errors: readonly ErrorCode[];
  /** The statuses of codes that this call answers otherwise than other calls. */
  statuses?: Partial<Record<ErrorCode, number>>;
  /** Shown in the reference, and sent by a test. */
  example: {
    params?: Record<string, string | number>;
    query?: Record<string, string | number>;
    headers?: Record<string, string>;
    body?: Record<string, unknown>;
    answer?: Record<string, unknown>;
  };
}
