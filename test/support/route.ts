import type * as z from "zod/mini";
import type { RateLimitedCall } from "#domain/rate-limits.ts";
import type { AccountFixture } from "./account-fixture.ts";

/** Who may make the call. `sender` is a user, or a visitor with an upload token if visitors may upload. */
export type Who = "anybody" | "member" | "sender" | "administrator";

/** The rate limit, or why the call needs none. */
type Limit =
  | RateLimitedCall
  | "needs a session"
  | "needs a key"
  | "needs a signature"
  | "reads what is public"
  | "ends its own session";

export interface Route {
  who: Who;
  limit: Limit;
  /** For a call that reads through a link: what it answers a stranger while the link is locked. */
  guard?: "locked" | "asks for the password";
  /** The path with the owner's ids. */
  path?: (fixture: AccountFixture) => string;
  /** Of the JSON body. */
  schema?: z.ZodMiniType;
  /** What the call reads besides. */
  headers?: Record<string, string>;
  /** A valid body of the owner. */
  body?: (fixture: AccountFixture) => unknown;
  /** Of the query string. */
  query?: z.ZodMiniType;
  /** A valid query string. */
  search?: string;
  /** The status for another user; 404 if the path or body has ids of the owner. */
  others?: number;
  /** The status for the owner or an administrator. */
  own?: number;
}

export const admin = (more: Omit<Route, "who" | "limit"> & { limit?: Limit } = {}): Route => ({
  who: "administrator",
  limit: "needs a session",
  ...more,
});
export const member = (more: Omit<Route, "who" | "limit"> & { limit?: Limit } = {}): Route => ({
  who: "member",
  limit: "needs a session",
  ...more,
});
export const link = (end: string) => (fixture: AccountFixture) => `/api/files/download/${fixture.downloadId}${end}`;
