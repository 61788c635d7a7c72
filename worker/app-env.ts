import type { RequestContext } from "./context.ts";
import type { SentBody } from "./sending/sent-body.ts";

export interface AppEnv {
  Bindings: Env;
  Variables: {
    context: RequestContext;
    body: SentBody;
    /** The nonce with which the Content Security Policy allows this response's inline scripts and styles. */
    nonce: string;
    /** The origin whose pages may read this answer of `/api/v1`. Null: no page may. Undefined: every page may. */
    reader?: string | null;
  };
}
