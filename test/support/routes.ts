import * as z from "zod/mini";
import type { Call, Who } from "#domain/calls/call.ts";
import { CALLS } from "#domain/calls/calls.ts";
import { PROVEN_CALLS } from "#domain/calls/proven.ts";
import { createApp } from "#worker/app.ts";
import { ACCESS } from "./access.ts";
import type { AccountFixture } from "./account-fixture.ts";
import { CALL_SAMPLES, type CallSample } from "./call-samples.ts";
import type { Route } from "./route.ts";
import { V1_ROUTES } from "./v1-routes.ts";

/** Every API route; `test/worker/isolation.test.ts` fails if one is missing. */
export const ROUTES: Record<string, Route> = {
  ...Object.fromEntries(
    Object.entries<Call>({ ...CALLS, ...PROVEN_CALLS }).map(([key, row]) => [key, routeOf(key, row)]),
  ),
  ...V1_ROUTES,
};

function routeOf(key: string, { limit, body, bodies, query }: Call): Route {
  const [word, others = 200, own = 200] = ACCESS[key as keyof typeof ACCESS];
  const { ids, ...sample }: CallSample = CALL_SAMPLES[key as keyof typeof ACCESS] ?? {};
  const schema = bodies ? z.union(bodies) : body;
  return {
    who: word.replace("confirmed ", "") as Who,
    others,
    own,
    limit,
    ...(schema && { schema }),
    ...(query && { query }),
    ...sample,
    path: (fixture) => {
      const values = ids?.(fixture) ?? [];
      return (key.split(" ")[1] ?? "").replaceAll(/:\w+/g, (name) => values.shift() ?? name);
    },
  };
}

const OPEN_PAGES = [
  "/",
  "/about",
  "/admin",
  "/chunked-upload",
  "/contact",
  "/delete/:id/:token",
  "/dev/mailbox",
  "/dev/sinks",
  "/developers",
  "/developers/reference",
  "/direct-upload",
  "/download",
  "/download/:downloadId",
  "/email-diagnostic",
  "/features",
  "/llms.txt",
  "/login",
  "/manifest.webmanifest",
  "/plans",
  "/pricing",
  "/privacy",
  "/register",
  "/reset-password",
  "/robots.txt",
  "/share",
  "/sitemap.xml",
  "/terms",
  "/verify-email",
];

export const PAGES: Record<string, "anybody" | "member" | "administrator"> = {
  ...Object.fromEntries(OPEN_PAGES.map((page) => [page, "anybody"] as const)),
  "/account": "member",
  "/account/billing-history": "member",
  "/account/security": "member",
  "/not-me": "anybody",
  "/human-check": "anybody",
  "/keep-factor": "anybody",
  "/sign-in-link": "anybody",
  "/undo-email": "anybody",
  "/admin/dashboard": "administrator",
  "/account/notices": "member",
  "/dashboard": "member",
  "/dashboard/:id": "member",
  "/dashboard/received": "member",
  "/dashboard/requests": "member",
  "/r/:token": "anybody",
  "/objection/:token": "anybody",
  "/unsubscribe/:token": "anybody",
  "/device": "member",
};

/** The routes registered in Hono, such as `POST /api/contact`. */
export function listRoutes(): string[] {
  // A path with a slash at its end is the same call.
  const routes = createApp().routes.filter(({ method, path }) => method !== "ALL" && !/.\/$/.test(path));
  return [...new Set(routes.map(({ method, path }) => `${method} ${path}`))];
}

export function requestFor(key: string, fixture: AccountFixture): { path: string; init: RequestInit } {
  const [method = "", pattern = ""] = key.split(" ");
  const { path, search = "", headers, body } = ROUTES[key] ?? {};
  const json = body ? { headers: { "content-type": "application/json" }, body: JSON.stringify(body(fixture)) } : {};
  return {
    path: `${path ? path(fixture) : pattern}${search}`,
    init: { method, redirect: "manual", ...(headers && { headers }), ...json },
  };
}

/** Calls that only answer a WebSocket's handshake. */
export function isSocket(key: string): boolean {
  return key.startsWith("GET /ws") || key.endsWith("/live") || key.endsWith("/socket");
}

/** The URL of a page's loader data. */
export function dataPath(path: string): string {
  return path === "/" ? "/_root.data" : `${path}.data`;
}
