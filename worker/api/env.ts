import type { RequestContext } from "../context.ts";

/** What a Hono handler finds on its context. */
export interface ApiEnv {
  Bindings: Env;
  Variables: { context: RequestContext };
}
