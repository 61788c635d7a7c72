import type { Context } from "hono";
import type { SessionChange } from "../accounts/accounts.ts";
import type { AppEnv } from "../app-env.ts";

/** Answers a call that changes who is signed in, with its cookies. */
export function answerSession(
  c: Context<AppEnv>,
  { cookies, user, secondFactor }: SessionChange,
  message?: string,
  status: 200 | 201 = 200,
) {
  for (const cookie of cookies) c.header("set-cookie", cookie, { append: true });
  return c.json(
    { ...(message === undefined ? {} : { message }), user, ...(secondFactor === undefined ? {} : { secondFactor }) },
    status,
  );
}
