import type { LocalServer } from "../../scripts/local-server.ts";

export interface Account {
  cookie: { name: string; value: string };
  post<Answer>(path: string, body: unknown): Promise<Answer>;
}

/** Registers an account on a plan with limits that no run reaches. */
export async function createAccount({ origin, execute }: LocalServer, email = "bench@example.com"): Promise<Account> {
  const response = await fetch(`${origin}/api/auth/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email, password: "a good password" }),
  });
  const [pair] = response.headers.getSetCookie()[0]?.split(";") ?? [];
  const [name, value] = pair?.split(/=(.*)/s) ?? [];
  if (!response.ok || !name || !value) throw new Error(`the registration answered ${response.status}`);
  await execute("update users set plan_type = 'ultimate'");
  return {
    cookie: { name, value },
    post: async <Answer>(path: string, body: unknown) => {
      const answer = await fetch(origin + path, {
        method: "POST",
        headers: { "content-type": "application/json", cookie: `${name}=${value}` },
        body: JSON.stringify(body),
      });
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
      return (await answer.json()) as Answer;
    },
  };
}
