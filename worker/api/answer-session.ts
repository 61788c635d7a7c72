import type { Context } from "hono";
import type { SessionChange } from "../accounts/accounts.ts";
import type { AppEnv } from "../app-env.ts";

/** Sets the cookies of a call that changes who is signed in. @returns the call's answer */
export function answerSession(c: Context<AppEnv>, { cookies, user, secondFactor }: SessionChange) {
  for (const cookie of cookies) c.header("set-cookie", cookie, { append: true });
  return { user, ...(secondFactor === undefined ? {} : { secondFactor }) };
}
