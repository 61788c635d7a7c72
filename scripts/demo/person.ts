/** The password of every account of the demo, which is printed, and known to everybody who reads this file. */
export const DEMO_PASSWORD = "a demo password";

/** Somebody who calls the API, and keeps the cookies that the API has set, as a page would. */
export class Person {
  readonly origin: string;
  readonly #cookies = new Map<string, string>();

  constructor(origin: string) {
    this.origin = origin;
  }

  get<Answer>(path: string): Promise<Answer> {
    return this.#json<Answer>("GET", path);
  }

  /** @param headers e.g. a sender's upload token */
  post<Answer>(path: string, body: object = {}, headers?: Record<string, string>): Promise<Answer> {
    return this.#json<Answer>("POST", path, body, headers);
  }

  put<Answer>(path: string, body: object): Promise<Answer> {
    return this.#json<Answer>("PUT", path, body);
  }

  patch<Answer>(path: string, body: object): Promise<Answer> {
    return this.#json<Answer>("PATCH", path, body);
  }

  delete(path: string): Promise<unknown> {
    return this.#json("DELETE", path);
  }

  /** @throws CallError for an error answer */
  async send(method: string, path: string, body?: object, headers: Record<string, string> = {}): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(new URL(path, this.origin), {
      method,
      headers: { ...headers, cookie, ...(body && { "content-type": "application/json" }) },
      body: body && JSON.stringify(body),
    });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ""] = line.split(";");
      const [name = "", value = ""] = pair.split(/=(.*)/s);
      if (value === "") this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    if (!response.ok) throw new CallError(`${method} ${path}`, response.status, await response.text());
    return response;
  }

  async #json<Answer>(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<Answer> {
    const text = await (await this.send(method, path, body, headers)).text();
    return (text === "" ? null : JSON.parse(text)) as Answer;
  }
}

class CallError extends Error {
  readonly status: number;

  constructor(call: string, status: number, text: string) {
    super(`${call} answered ${status}: ${text.slice(0, 500)}`);
    this.status = status;
  }
}

/** Signs a person in, and registers the person first if there is no such account yet. */
export async function comeIn(origin: string, email: string): Promise<Person> {
  const person = new Person(origin);
  const account = { email, password: DEMO_PASSWORD };
  try {
    await person.post("/api/auth/login", account);
  } catch (error) {
    if (!(error instanceof CallError) || error.status >= 500) throw error;
    await person.post("/api/auth/register", account);
  }
  return person;
}
