import { Hono, type Context } from "hono";
import { AppError } from "#domain/errors.ts";
import { MAX_BATCH_BYTES } from "#domain/transfers/limits.ts";
import type { V1Call } from "#domain/v1/call.ts";
import { CALL_NAMES, V1_CALLS, type CallName } from "#domain/v1/calls.ts";
import { MANIFEST_BODY_MAX_BYTES } from "#domain/wire.ts";
import type { AppEnv } from "../../app-env.ts";
import { createRequestContext, withoutCookies } from "../../context.ts";
import { authenticate } from "../../keys/authenticate.ts";
import { plainBody } from "../../middleware/plain-body.ts";
import { requestTokenIn } from "../../requests/open-request.ts";
import { JSON_BODY_MAX_BYTES, parse, readJson } from "../input.ts";
import { deviceHandlers, readMe } from "./account.ts";
import type { Handlers } from "./handler.ts";
import { linkHandlers } from "./links.ts";
import { requestHandlers } from "./requests.ts";
import { transferHandlers } from "./transfers.ts";
import { tusHeaders } from "./tus-headers.ts";
import { overriddenCall, tusHandlers } from "./tus.ts";
import { uploadHandlers } from "./uploads.ts";

const HANDLERS: Handlers<CallName> = {
  readMe,
  ...deviceHandlers,
  ...uploadHandlers,
  ...transferHandlers,
  ...requestHandlers,
  ...linkHandlers,
  ...tusHandlers,
};

/** The size limits, in bytes, of calls that carry lists of files. */
const LARGE_BODIES: Partial<Record<CallName, { maxBytes: number; maxSealedBytes?: number }>> = {
  startTransfer: { maxBytes: MAX_BATCH_BYTES, maxSealedBytes: MAX_BATCH_BYTES + MANIFEST_BODY_MAX_BYTES },
  addFiles: { maxBytes: MAX_BATCH_BYTES },
  putManifest: { maxBytes: MANIFEST_BODY_MAX_BYTES },
};

/** The routes for programs. Only these routes read `Authorization` as a key, and none of them reads a cookie. */
export const v1Routes = createRoutes();

function createRoutes(): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();
  routes.use("/tus/*", tusHeaders);
  routes.use(plainBody);
  for (const name of CALL_NAMES) {
    const { method } = V1_CALLS[name];
    const path = patternOf(name);
    if (method === "HEAD") routes.get(path, (c) => answerHead(c, name));
    else routes.on(method, path, (c) => answer(c, name));
  }
  routes.post(patternOf("appendTusUpload"), (c) => answer(c, overriddenCall(c)));
  // Users of tus clients often configure an endpoint that ends in a slash.
  for (const name of ["describeTus", "createTusUpload"] as const) {
    routes.on(V1_CALLS[name].method, `${patternOf(name)}/`, (c) => answer(c, name));
  }
  return routes;
}

/** The path of a call in Hono's syntax. */
function patternOf(name: CallName): string {
  return V1_CALLS[name].path.replaceAll(/\{(\w+)\}/g, ":$1");
}

/** Answers a call whose method is HEAD, for which Hono runs the handler of GET. @throws AppError NOT_FOUND for a GET */
function answerHead(c: Context<AppEnv>, name: CallName): Promise<Response> {
  if (c.req.method === "HEAD") return answer(c, name);
  throw new AppError("NOT_FOUND");
}

async function answer(c: Context<AppEnv>, name: CallName): Promise<Response> {
  const call: V1Call = V1_CALLS[name];
  // The row's schemas make up the argument's type, which TypeScript cannot derive from `name`.
  const handle = HANDLERS[name] as (request: object) => Promise<object | undefined>;
  const now = Date.now();
  const context = createRequestContext(withoutCookies(c.req.raw), c.env);
  const requestToken = call.takesRequest ? requestTokenIn(c.req.raw.headers) : null;
  // With a request's token, no page may read the answer, unless the handler names the page's origin.
  if (requestToken !== null) c.set("reader", null);
  const scope = requestToken === null ? call.scope : null;
  const program = scope === null ? null : await authenticate(context.services, context.request, scope, now);
  const answered = await handle({
    c,
    context,
    program,
    requestToken,
    now,
    params: call.params && parse(call.params, c.req.param()),
    query: call.query && parse(call.query, c.req.query()),
    body: call.body && (await readBody(c, name, call.body)),
  });
  if (answered instanceof Response) return answered;
  return answered === undefined ? c.body(null, 204) : c.json(answered, call.status === 201 ? 201 : 200);
}

function readBody(c: Context<AppEnv>, name: CallName, schema: NonNullable<V1Call["body"]>): Promise<unknown> {
  const { maxBytes = JSON_BODY_MAX_BYTES, maxSealedBytes = maxBytes } = LARGE_BODIES[name] ?? {};
  return readJson(c, schema, maxBytes, maxSealedBytes);
}
