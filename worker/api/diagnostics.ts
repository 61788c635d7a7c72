import { Hono } from "hono";
import { fixCors } from "../diagnostics/fix-cors.ts";
import type { ApiEnv } from "./env.ts";

/** `/api/diagnostics` and `/api/diagnostic`: both spellings are in use. */
export const diagnosticRoutes = new Hono<ApiEnv>().post("/public-fix-cors", async (c) => {
  const { services, takeCall } = c.get("context");
  await takeCall("fixCors");
  return c.json(await fixCors(services));
});
