import { keyOf } from "#domain/api-keys.ts";
import { GIB } from "#domain/units.ts";
import { limitedEnv } from "./limited-env.ts";
import { makeKey } from "./v1.ts";
import { clientFrom } from "./worker-with-env.ts";
import { putOnPlan, runSql, signUp, type Client } from "./worker.ts";

const limited = limitedEnv();

export function newAddress(): string {
  const group = () => crypto.randomUUID().slice(0, 4);
  return `2001:db8:${group()}:${group()}::1`;
}

export const from = (address: string, cookie?: string): Client => clientFrom(address, limited, cookie);

/** @param count the number of earlier calls */
export type Repeat = (count: number) => Promise<Response>;

export interface Row {
  call: string;
  by: "address" | "account" | "key";
  maxCalls: number;
  windowSeconds: number;
  /** The status of a call within the limit. */
  allowedStatus: number;
  /** A new caller. What the limit does not count by changes with each call, so that no other limit applies. */
  newCaller(): Promise<Repeat> | Repeat;
}

/** @returns the status, when the body has been dropped */
export async function statusOf(answer: Promise<Response>): Promise<number> {
  const response = await answer;
  await response.arrayBuffer();
  return response.status;
}

/** @returns a call of `/api/v1` from a new address */
const byKey = (key: string, path: string, body?: object) =>
  from(newAddress()).fetch(`/api/v1${path}`, {
    method: body ? "POST" : "GET",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });

/** Looking and refusing share a limit, so the calls alternate. */
const deviceCall = (count: number) => `/api/auth/device${count % 2 === 0 ? "" : "/refuse"}`;

/** The rows of decision 019 about keys, and about programs that sign in. */
export const PROGRAM_LIMITS: Row[] = [
  {
    call: "a key's calls",
    by: "key",
    maxCalls: 300,
    windowSeconds: 60,
    allowedStatus: 200,
    async newCaller() {
      const { key } = await makeKey(await signUp());
      return () => byKey(key, "/me");
    },
  },
  {
    call: "calls of all keys",
    by: "account",
    maxCalls: 900,
    windowSeconds: 60,
    allowedStatus: 200,
    async newCaller() {
      const person = await signUp();
      const keys = await Promise.all(Array.from({ length: 4 }, () => makeKey(person)));
      return (count) => byKey(keys[count % keys.length]?.key ?? "", "/me");
    },
  },
  {
    call: "starting an upload with a key",
    by: "account",
    maxCalls: 60,
    windowSeconds: 60,
    allowedStatus: 403,
    async newCaller() {
      const person = await signUp();
      const keys = [await makeKey(person), await makeKey(person)];
      // Too large for the plan: counted, but starts nothing.
      return (count) => byKey(keys[count % 2]?.key ?? "", "/uploads", { name: "a.txt", size: GIB });
    },
  },
  {
    call: "keys that do not work",
    by: "address",
    maxCalls: 20,
    windowSeconds: 60,
    allowedStatus: 401,
    newCaller() {
      const client = from(newAddress());
      return () => {
        const key = keyOf(crypto.randomUUID().replaceAll("-", ""));
        return client.fetch("/api/v1/me", { headers: { authorization: `Bearer ${key}` } });
      };
    },
  },
  {
    call: "making keys",
    by: "account",
    maxCalls: 20,
    windowSeconds: 3600,
    allowedStatus: 201,
    async newCaller() {
      const person = await signUp();
      // Its 25 keys are more than the calls.
      await putOnPlan(person.email, "professional");
      // The session stays confirmed for longer than the limit lasts.
      await runSql("update sessions set confirmed_at = ? where user_id = ?", Date.now() + 86_400_000, person.id);
      const body = { name: "A program", scopes: ["upload"] };
      return () => from(newAddress(), person.cookie).post("/api/keys", body);
    },
  },
  {
    call: "beginning to sign a program in",
    by: "address",
    maxCalls: 10,
    windowSeconds: 3600,
    allowedStatus: 200,
    newCaller() {
      const client = from(newAddress());
      return () => client.post("/api/v1/device", { device_name: "a laptop" });
    },
  },
  {
    call: "programs that ask for their key",
    by: "address",
    maxCalls: 120,
    windowSeconds: 60,
    allowedStatus: 400,
    newCaller() {
      const client = from(newAddress());
      const grant_type = "urn:ietf:params:oauth:grant-type:device_code";
      return () => client.post("/api/v1/device/token", { grant_type, device_code: crypto.randomUUID() });
    },
  },
  {
    call: "typing the codes of programs",
    by: "account",
    maxCalls: 20,
    windowSeconds: 600,
    allowedStatus: 404,
    async newCaller() {
      const { cookie } = await signUp();
      return (count) => from(newAddress(), cookie).post(deviceCall(count), { userCode: "BCDF-GHJK" });
    },
  },
  {
    call: "typing the codes of programs",
    by: "address",
    maxCalls: 60,
    windowSeconds: 600,
    allowedStatus: 404,
    async newCaller() {
      const people = await Promise.all(Array.from({ length: 4 }, () => signUp()));
      const address = newAddress();
      return (count) => {
        const { cookie } = people[count % people.length] ?? {};
        return from(address, cookie).post(deviceCall(count), { userCode: "BCDF-GHJK" });
      };
    },
  },
  {
    call: "pages that stop mail",
    by: "address",
    maxCalls: 60,
    windowSeconds: 60,
    allowedStatus: 404,
    newCaller() {
      const client = from(newAddress());
      return () => client.fetch("/api/unsubscribe/files.nobody.nothing");
    },
  },
];
