import { Hono, type Context } from "hono";
import { loginRequest, registerRequest } from "#domain/wire.ts";
import { login, logout, register, type SessionChange } from "../accounts/accounts.ts";
import type { ApiEnv } from "./env.ts";
import { readJson } from "./input.ts";

/** `/api/auth`: who is signed in, and signing in, up and out. */
export const authRoutes = new Hono<ApiEnv>()
  .get("/me", async (c) => c.json(await c.get("context").currentUser()))
  .post("/login", async (c) => {
    const credentials = await readJson(c, loginRequest);
    return answer(c, await login(c.get("context").services, credentials, c.req.raw.headers));
  })
  .post("/register", async (c) => {
    const credentials = await readJson(c, registerRequest);
    const change = await register(c.get("context").services, credentials, c.req.raw.headers);
    const message = change.user
      ? "Account created successfully"
      : "Please check your email to complete account activation.";
    return answer(c, change, { message }, 201);
  })
  .post("/logout", async (c) => answer(c, await logout(c.get("context").services, c.req.raw.headers)));

function answer(c: Context<ApiEnv>, change: SessionChange, more: { message?: string } = {}, status: 200 | 201 = 200) {
  for (const cookie of change.cookies) c.header("set-cookie", cookie, { append: true });
  return c.json({ ...more, user: change.user }, status);
}
