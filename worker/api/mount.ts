import type { Context, Hono } from "hono";
import type * as z from "zod/mini";
import type { AnswerOf, Call, PathParams } from "#domain/calls/call.ts";
import { CALL_LIMITS, type RateLimitedCall } from "#domain/rate-limits.ts";
import type { AdminViewer, CurrentUser } from "#domain/wire.ts";
import { requireConfirmed } from "../accounts/confirm.ts";
import type { CurrentSession } from "../accounts/session.ts";
import { readVisit, type Visit } from "../accounts/visit.ts";
import { requireAdmin, requireAdminConfirmed } from "../admin/require-admin.ts";
import type { AppEnv } from "../app-env.ts";
import {
  quotaHolderOf,
  type Caller,
  type FileOwner,
  requireCaller,
  requireOwner,
  requireStarter,
} from "../callers/caller.ts";
import type { RequestContext } from "../context.ts";
import { requireHuman } from "../limits/human-check.ts";
import type { Services } from "../services.ts";
import { anyObject, parse, readJson, requireSession } from "./input.ts";

interface Known {
  anybody: object;
  member: { session: CurrentSession; user: CurrentUser };
  /** A promise, because the caller is looked up while the body is read. */
  sender: { caller: Promise<Caller> };
  starter: { caller: Caller };
  owner: { owner: FileOwner };
  administrator: { admin: AdminViewer };
}

type Parsed<Schema> = Schema extends z.ZodMiniType ? z.infer<Schema> : undefined;
type Params<Path extends string, Row> = {
  [Name in PathParams<Path>]: Row extends { params: Record<Name, infer Schema> } ? Parsed<Schema> : string;
};

/** A handler's argument, parsed by the schemas of its row. */
type ApiRequest<Path extends string, Row extends Pick<Call, "who">> = Known[Row["who"]] & {
  c: Context<AppEnv>;
  context: RequestContext;
  services: Services;
  visit: Visit;
  params: Params<Path, Row>;
  query: Row extends { handler: "reads" } ? undefined : Parsed<Row extends { query: infer Schema } ? Schema : null>;
  body: Row extends { handler: "reads" }
    ? undefined
    : Row extends { bodies: unknown }
      ? Record<string, unknown>
      : Parsed<Row extends { body: infer Schema } ? Schema : null>;
  /** Epoch milliseconds. */
  now: number;
};

/** The type of a handler's return value, which is ignored if the call's row has a fixed message or an empty answer. */
type Answered<Row> = Row extends { says: string } | { status: 204 } ? unknown : AnswerOf<Row> | Response;

/** The handler of each call, which returns the call's JSON or a `Response`. */
export type Handlers<Rows extends Record<string, Call>> = {
  [Name in keyof Rows & string]: (
    request: ApiRequest<Name, Rows[Name]>,
  ) => Answered<Rows[Name]> | Promise<Answered<Rows[Name]>>;
};

/**
 * A handler of any row. The row's schemas make up its argument's type, which TypeScript cannot follow through a loop.
 */
type Handle = (request: never) => unknown;

/** Adds a route for each row of the table, in the table's order. */
export function mount<Rows extends Record<string, Call>>(
  app: Hono<AppEnv>,
  rows: Rows,
  handlers: NoInfer<Handlers<Rows>>,
): void {
  const byName: Record<string, Handle> = handlers;
  for (const [name, row] of Object.entries<Call>(rows)) {
    const [method = "", path = ""] = name.split(" ");
    const handle = byName[name];
    if (handle) app.on(method, path, (c) => answer(c, row, handle));
  }
}

async function answer(c: Context<AppEnv>, row: Call, handle: Handle): Promise<Response> {
  const context = c.get("context");
  const caller = await findWho(c, row);
  const params: Record<string, unknown> = c.req.param();
  for (const [name, schema] of Object.entries(row.params ?? {})) params[name] = parse(schema, params[name], name);
  const query = row.query && row.handler !== "reads" ? parse(row.query, c.req.query()) : undefined;
  if (row.limitFirst) await enforceLimit(context, row, caller);
  if (row.needsHuman && !(await hasAccount(caller))) await requireHuman(context);
  const body = row.handler === "reads" ? undefined : await readBody(c, row, caller);
  if (!row.limitFirst) await enforceLimit(context, row, caller, body);
  const { services } = context;
  const visit = readVisit(c.req.raw);
  const request = { ...caller, c, context, services, visit, params, query, body, now: Date.now() };
  const answered = await handle(request as never);
  if (answered instanceof Response) return answered;
  const { status = 200, says } = row;
  return status === 204 ? c.body(null, 204) : c.json(says === undefined ? answered : { message: says }, status);
}

type Found = Partial<Omit<Known["member"] & Known["owner"] & Known["administrator"], "caller">> & {
  caller?: Caller | Promise<Caller>;
};

/** @throws AppError UNAUTHORIZED with `requiresAuth`, ADMIN_REQUIRED, CONFIRM_REQUIRED with `methods` */
async function findWho(c: Context<AppEnv>, { who, isConfirmed }: Call): Promise<Found> {
  const context = c.get("context");
  switch (who) {
    case "anybody":
      return {};
    case "member": {
      const session = await requireSession(c);
      if (isConfirmed) await requireConfirmed(context.services, session, Date.now());
      return { session, user: session.user };
    }
    case "sender": {
      const caller = requireCaller(c);
      // Prevents an unhandled rejection while the body is being read. The handler awaits the promise in any case.
      caller.catch(() => undefined);
      return { caller };
    }
    case "starter":
      return { caller: await requireStarter(c) };
    case "owner":
      return { owner: await requireOwner(c) };
    case "administrator":
      return { admin: isConfirmed ? await requireAdminConfirmed(context, Date.now()) : await requireAdmin(context) };
  }
}

/** Whether the caller of a call that anybody or a starter may make has an account. */
async function hasAccount({ caller }: Found): Promise<boolean> {
  const known = await caller;
  return known !== undefined && known.kind !== "visitor";
}

async function readBody(c: Context<AppEnv>, row: Call, { caller }: Found): Promise<unknown> {
  const schema = row.bodies ? anyObject : row.body;
  try {
    return schema && (await readJson(c, schema, row.maxBytes, row.maxSealedBytes));
  } catch (error) {
    // If the caller may not make the call and its body is invalid, too, the error about the permission is thrown.
    await caller;
    throw error;
  }
}

/** @throws AppError RATE_LIMITED */
async function enforceLimit(context: RequestContext, row: Call, { user, owner }: Found, body?: unknown): Promise<void> {
  if (row.handler !== undefined || !isLimited(row.limit)) return;
  const email = () => user?.email ?? (body as { email: string }).email;
  const id = user?.id ?? (owner && quotaHolderOf(owner)) ?? undefined;
  await context.enforceRateLimit(row.limit, row.limitBy === "email" ? email() : id);
}

function isLimited(limit: Call["limit"]): limit is RateLimitedCall {
  return limit in CALL_LIMITS;
}
