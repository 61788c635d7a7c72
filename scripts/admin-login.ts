import * as z from "zod/mini";

/** The login's answer. `isAdmin` is false while a second factor is due. */
const loginAnswer = z.object({ isAdmin: z.boolean() });

/**
 * Logs in as an administrator.
 * @param askCode gives the code that the administrator's app shows; called only where the login asks for it
 * @returns the cookie of an admin session
 * @throws Error whose message names the site's answer, and can follow a colon in a sentence
 */
export async function logInAsAdministrator(
  origin: string,
  administrator: { username: string; password: string },
  askCode: () => Promise<string>,
): Promise<string> {
  const first = await postJson(origin, "/api/admin/login", administrator);
  if (first.status === 401) throw new Error("the administrator's name or password is wrong.");
  if (!first.ok) throw new Error(`the login answered ${first.status}: ${await first.text()}`);
  const { isAdmin } = loginAnswer.parse(await first.json());
  if (isAdmin) return cookieOf(first);
  const second = await postJson(origin, "/api/admin/second-factor", { code: await askCode() }, cookieOf(first));
  if (!second.ok) throw new Error(`the second factor answered ${second.status}: ${await second.text()}`);
  return cookieOf(second);
}

/** Sends JSON as a page of the site does. @throws Error when nothing answers */
export function postJson(origin: string, path: string, body: object, cookie = ""): Promise<Response> {
  const headers = { "content-type": "application/json", origin, cookie };
  return fetch(new URL(path, origin), { method: "POST", headers, body: JSON.stringify(body) }).catch(() => {
    throw new Error(`${origin} does not answer.`);
  });
}

function cookieOf(response: Response): string {
  return response.headers.getSetCookie()[0]?.split(";")[0] ?? "";
}
