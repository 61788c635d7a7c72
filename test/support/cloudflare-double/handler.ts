import type * as z from "zod/mini";
import type { Account } from "./account.ts";

/** One request to the API, for a handler. */
export interface Call {
  account: Account;
  /** The id in the path, as in `/r2/buckets/:id`. */
  id: string;
  query: URLSearchParams;
  /** In which the call looks for a bucket, or makes one. */
  jurisdiction: string | undefined;
  /** The body. @throws Refusal with a fault if it does not match the shape or is not sent as JSON */
  json<Shape extends z.ZodMiniType>(shape: Shape): z.output<Shape>;
  form(): Promise<FormData>;
}

/** @returns the answer's `result` */
export type Handler = (call: Call) => unknown;
