import type { RequestContext } from "./context.ts";

export interface AppEnv {
  Bindings: Env;
  Variables: {
    context: RequestContext;
    /** Content Security Policy: allows this response's inline scripts and styles. */
    nonce: string;
  };
}
