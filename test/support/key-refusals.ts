import { env } from "cloudflare:workers";
import { KEY_SCOPES, keyOf, type KeyScope } from "#domain/api-keys.ts";
import { makeKey } from "./v1.ts";
import { workerWith } from "./worker-with-env.ts";
import { runSql, signUp, type Client } from "./worker.ts";

type Person = Client & { email: string; id: string };

/** A key that is refused, whatever it is shown to. */
export interface RefusedKey {
  why: string;
  key: string;
  status: number;
  code: string;
  /** With settings that make the difference. */
  send?: (request: Request) => Promise<Response>;
}

const ended = { status: 401, code: "KEY_INVALID" };

/** @param owner whose keys are made, if the reason is not the owner's own */
export async function makeRefusedKeys(owner: Person): Promise<RefusedKey[]> {
  const [runOut, revoked] = [await makeKey(owner), await makeKey(owner)];
  await runSql("update api_keys set expires_at = ? where id = ?", Date.now(), runOut.id);
  await owner.delete(`/api/keys/${revoked.id}`);
  const [leaving, unconfirmed] = [await signUp(), await signUp()];
  const [ofLeaving, ofUnconfirmed] = [await makeKey(leaving), await makeKey(unconfirmed)];
  await runSql("update users set deleted_at = 1 where id = ?", leaving.id);
  await runSql("update users set is_verified = 0 where id = ?", unconfirmed.id);
  return [
    { why: "has a wrong checksum", key: `mayfly_${"0".repeat(32)}2wjyrJ`, ...ended },
    { why: "was never made", key: keyOf("0".repeat(32)), ...ended },
    { why: "has run out", key: runOut.key, ...ended },
    { why: "was revoked", key: revoked.key, ...ended },
    { why: "belongs to an account that is being deleted", key: ofLeaving.key, ...ended },
    {
      why: "belongs to an unconfirmed address",
      key: ofUnconfirmed.key,
      status: 403,
      code: "EMAIL_UNVERIFIED",
      send: workerWith({ ...env, EMAIL_VERIFICATION: "required" }),
    },
  ];
}

/** A key for each scope, with every scope but that one. */
export async function makeKeysWithout(owner: Client): Promise<Map<KeyScope, string>> {
  const made = KEY_SCOPES.map(async (scope): Promise<[KeyScope, string]> => {
    const others = KEY_SCOPES.filter((other) => other !== scope);
    return [scope, (await makeKey(owner, { scopes: others })).key];
  });
  return new Map(await Promise.all(made));
}

/** As `Authorization` may carry a key. */
export function headersWith(key: string): Record<string, string>[] {
  return [{ authorization: `Bearer ${key}` }, { authorization: `Basic ${btoa(`:${key}`)}` }];
}
