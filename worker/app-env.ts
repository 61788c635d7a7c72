import type { RequestContext } from "./context.ts";
import type { SentBody } from "./sending/sent-body.ts";

export interface AppEnv {
  Bindings: Env;
  Variables: {
    context: RequestContext;
    body: SentBody;
    /** Content Security Policy: allows this response's inline scripts and styles. */
    nonce: string;
    /** The one page that may read an answer of `/api/v1`. Null for none; absent for every page. */
    reader?: string | null;
  };
}
