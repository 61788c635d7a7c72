import type { Context } from "hono";
import type { CallAnswer, CallerOf, CallInput, CallName } from "#domain/v1/calls.ts";
import type { AppEnv } from "../../app-env.ts";
import type { RequestContext } from "../../context.ts";
import type { Program } from "../../keys/authenticate.ts";

export interface V1Request<Name extends CallName> extends CallInput<Name> {
  c: Context<AppEnv>;
  /** Has no cookies. */
  context: RequestContext;
  /** The program whose key the call has; null for a call without a key. */
  program: CallerOf<Name, Program>;
  /** The token of an upload request; null without a token, and for calls that take no such token. */
  requestToken: string | null;
  /** Epoch milliseconds. */
  now: number;
}

/** Returns the call's JSON, undefined for an empty answer, or a `Response`. */
export type Handler<Name extends CallName> = (request: V1Request<Name>) => Promise<CallAnswer<Name> | Response>;

export type Handlers<Names extends CallName> = { [Name in Names]: Handler<Name> };
