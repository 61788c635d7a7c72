import type { Context } from "hono";
import type { CallAnswer, CallInput, CallName, NeedsKey } from "#domain/v1/calls.ts";
import type { AppEnv } from "../../app-env.ts";
import type { RequestContext } from "../../context.ts";
import type { KeyCaller } from "../../keys/authenticate.ts";

interface V1Request<Name extends CallName> extends CallInput<Name> {
  c: Context<AppEnv>;
  /** Without cookies. */
  context: RequestContext;
  /** Null for a call that takes no key. */
  caller: NeedsKey<Name> extends true ? KeyCaller : null;
  /** Epoch milliseconds. */
  now: number;
}

/** Answers with the call's JSON, with nothing where it has none, or with a response of its own. */
export type Handler<Name extends CallName> = (request: V1Request<Name>) => Promise<CallAnswer<Name> | Response>;

export type Handlers<Names extends CallName> = { [Name in Names]: Handler<Name> };
