import type * as z from "zod/mini";
import type { Call, Who } from "#domain/calls/call.ts";
import type { AccountFixture } from "./account-fixture.ts";
import type { CallSample } from "./call-samples.ts";

/** A call as the tests make it. */
export interface Route extends Omit<CallSample, "ids"> {
  who: Who;
  limit: Call["limit"];
  /** The path with the owner's ids. */
  path: (fixture: AccountFixture) => string;
  /** Of the JSON body. */
  schema?: z.ZodMiniType;
  /** What the call reads besides. */
  headers?: Record<string, string>;
  /** Of the query string. */
  query?: z.ZodMiniType;
  /** The status for another user. */
  others?: number;
  /** The status for the owner or an administrator. */
  own?: number;
}
