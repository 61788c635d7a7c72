import type { RequestContext } from "./context.ts";

/** What Hono's handlers and middleware find on their context. */
export interface AppEnv {
  Bindings: Env;
  Variables: {
    context: RequestContext;
    /** Allows this response's inline scripts and styles (Content Security Policy). */
    nonce: string;
  };
}
