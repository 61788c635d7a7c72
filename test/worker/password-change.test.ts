import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Authenticator } from "../support/authenticator.ts";
import { faultyEnv, LOST_ANSWER, LOST_REQUEST, type Fate } from "../support/faults.ts";
import { mailsTo } from "../support/mails.ts";
import { withProviders } from "../support/provider-sign-in.ts";
import { makeKey, Program } from "../support/v1.ts";
import { workerWith } from "../support/worker-with-env.ts";
import { addWebhook } from "../support/webhooks.ts";
import { tokenIn } from "../support/browser.ts";
import {
  runSql,
  Client,
  logInAdmin,
  mailedToken,
  putOnPlan,
  rowOf,
  sendFile,
  sha256Of,
  signUp,
} from "../support/worker.ts";

const OLD = "a good password";
const NEW = "another password";
const sound: Fate = () => null;

beforeEach(() => {
  // The faults below are logged.
  for (const level of ["warn", "error"] as const) vi.spyOn(console, level).mockReturnValue();
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** A user with two sessions, an admin session and a mailed reset link. */
interface Prepared {
  person: Client & { email: string; id: string };
  other: Client;
  admin: Client;
  token: string;
}

async function prepare(): Promise<Prepared> {
  const person = await signUp();
  await runSql("update users set is_admin = 1, is_verified = 1 where email = ?", person.email);
  const other = new Client();
  await other.post("/api/auth/login", { email: person.email, password: OLD });
  const admin = await logInAdmin(person.email, OLD);
  await new Client().post("/api/auth/reset-password", { email: person.email });
  await expect.poll(() => mailedToken(person.email)).not.toBe("");
  return { person, other, admin, token: await mailedToken(person.email) };
}

/** Both ways to set a new password. */
const WAYS: Record<string, (prepared: Prepared, settings: Env) => Promise<Response>> = {
  "a reset": ({ token }, settings) =>
    new Client("", workerWith(settings)).post("/api/auth/reset-password", { newPassword: NEW, token }),
  "a change by its owner": ({ person }, settings) =>
    new Client(person.cookie, workerWith(settings)).post("/api/auth/change-password", {
      currentPassword: OLD,
      newPassword: NEW,
    }),
};

async function opens(email: string, password: string): Promise<boolean> {
  return (await new Client().post("/api/auth/login", { email, password })).ok;
}

/** Like `prepare`, but inserts rows instead of logging in, because hashing passwords is slow. */
async function prepareRows(): Promise<Prepared> {
  const person = await signUp();
  const [token, now] = [crypto.randomUUID(), Date.now()];
  const later = now + 60_000;
  await runSql(
    "insert into sessions (id, user_id, token, expires_at, created_at, updated_at) values (?, ?, ?, ?, 0, 0)",
    crypto.randomUUID(),
    person.id,
    crypto.randomUUID(),
    later,
  );
  await runSql(
    "insert into admin_sessions (id, token_hash, user_id, username, created_at, last_seen_at, expires_at) values (?, ?, ?, 'a', 0, 0, ?)",
    crypto.randomUUID(),
    crypto.randomUUID(),
    person.id,
    later,
  );
  await runSql(
    "insert into verifications (id, identifier, value, expires_at, created_at, updated_at) values (?, ?, ?, ?, ?, ?)",
    crypto.randomUUID(),
    await sha256Of(new TextEncoder().encode(`reset-password:${token}`)),
    person.id,
    later,
    now,
    now,
  );
  await runSql("update sessions set created_at = 0 where user_id = ?", person.id);
  return { person, other: person, admin: person, token };
}

/** A user's password hash, and the number of sessions from before the change. */
function rowsOf(userId: string): Promise<{ password: string; former: number }> {
  return rowOf(
    `select password,
       (select count(*) from sessions where user_id = a.user_id and created_at = 0)
       + (select count(*) from admin_sessions where user_id = a.user_id) as former
     from accounts a where user_id = ?`,
    userId,
  );
}

/** Lists the earlier sessions that still work. */
async function livingSessions({ person, other, admin }: Prepared): Promise<string[]> {
  const isSignedIn = async ({ cookie }: Client) =>
    (await (await new Client(cookie).fetch("/api/auth/me")).json()) !== null;
  const check = await admin.fetch("/api/admin/auth-check");
  return [
    ...((await isSignedIn(person)) ? ["this session"] : []),
    ...((await isSignedIn(other)) ? ["the other session"] : []),
    ...((await check.json<{ isAdmin: boolean }>()).isAdmin ? ["the admin area's session"] : []),
  ];
}

/** The SQL of every database call of a run without faults. */
async function callsOf(run: (settings: Env) => Promise<Response>): Promise<string[]> {
  const calls: string[] = [];
  const settings = faultyEnv(
    env,
    (what) => {
      calls.push(what);
      return null;
    },
    sound,
  );
  expect((await run(settings)).status).toBe(200);
  return [...new Set(calls)];
}

/** The mail about a new password, which is one. */
async function changeMail(email: string): Promise<string> {
  const [mail, ...others] = (await mailsTo(email)).filter(({ subject }) => subject.includes("password was changed"));
  expect(others).toEqual([]);
  return mail?.text ?? "";
}

describe.each(Object.entries(WAYS))("%s", (way, run) => {
  const isReset = way === "a reset";

  it("ends all earlier sessions and mailed links, and sends a mail about it", async () => {
    const prepared = await prepare();
    expect(await livingSessions(prepared)).toEqual(["this session", "the other session", "the admin area's session"]);
    expect((await run(prepared, env)).status).toBe(200);
    expect(await livingSessions(prepared)).toEqual([]);
    expect([await opens(prepared.person.email, OLD), await opens(prepared.person.email, NEW)]).toEqual([false, true]);
    expect((await WAYS["a reset"]?.(prepared, env))?.status).toBe(400);
    expect(await changeMail(prepared.person.email)).not.toBe("");
  });

  it("is in the list of what happened to the account", async () => {
    const prepared = await prepareRows();
    expect((await run(prepared, env)).status).toBe(200);
    const kinds = "select count(*) as n from account_events where user_id = ? and kind = 'password.changed'";
    expect(await rowOf(kinds, prepared.person.id)).toEqual({ n: 1 });
  });

  it.each([
    ["never reaches the database", LOST_REQUEST],
    ["is run, and its answer is lost", LOST_ANSWER],
  ])("if any statement %s, no earlier session survives a new password", { tags: "long" }, async (_what, fault) => {
    const first = await prepareRows();
    const calls = await callsOf((settings) => run(first, settings));
    expect(calls.length).toBeGreaterThan(1);
    // Runs in parallel, because failed reads are retried after a delay.
    const failOne = async (failing: string) => {
      const prepared = await prepareRows();
      const before = await rowsOf(prepared.person.id);
      const { status } = await run(
        prepared,
        faultyEnv(env, (what) => (what === failing ? fault : null), sound),
      );
      const { password, former } = await rowsOf(prepared.person.id);
      const isNew = password !== before.password;
      const result = { failing, status, isNew };
      expect([result, former]).toEqual([result, isNew ? 0 : expect.any(Number)]);
      if (status === 200) expect(result).toMatchObject({ isNew: true });
      // If nothing has changed, a retry with the same link or form succeeds.
      if (!isNew) expect([result, (await run(prepared, env)).status]).toEqual([result, 200]);
    };
    await Promise.all(calls.map(failOne));
  });

  it("leaves the API keys that work, and the mail lists them [AUTH-50, KEY-15]", async () => {
    const prepared = await prepare();
    const { person } = prepared;
    const [backups, revoked, old] = [
      await makeKey(person, { name: "Backups" }),
      await makeKey(person, { name: "Revoked" }),
      await makeKey(person, { name: "Old" }),
    ];
    await person.fetch(`/api/keys/${revoked.id}`, { method: "DELETE" });
    await runSql("update api_keys set expires_at = 1 where id = ?", old.id);
    expect((await run(prepared, env)).status).toBe(200);
    const text = await changeMail(person.email);
    expect(text).toContain("These API keys go on working.");
    expect(text).toContain(`- “Backups”, which ends in ${backups.lastFour}\n`);
    expect(text).not.toMatch(/Revoked|Old/);
    expect((await new Program(backups.key).fetch("/me")).status).toBe(200);
  });

  it("leaves passkeys and providers, and the mail lists those that sign in [KEY-15]", async () => {
    const prepared = await prepare();
    const { person } = prepared;
    await (await Authenticator.create()).saveFor(person.id);
    for (const name of ["github", "gone"]) {
      await runSql(
        `insert into accounts (id, user_id, account_id, provider_id, created_at, updated_at)
         values (?1, ?2, ?1, ?3, 0, 0)`,
        crypto.randomUUID(),
        person.id,
        name,
      );
    }
    expect((await run(prepared, withProviders())).status).toBe(200);
    const text = await changeMail(person.email);
    expect(text).toContain("These passkeys still sign in.");
    expect(text).toContain("- “A passkey”\n");
    expect(text).toContain("These providers still sign in.");
    expect(text).toContain("- GitHub\n");
    expect(text).not.toContain("gone");
  });

  it(isReset ? "switches webhooks off, and the mail says so" : "leaves webhooks, and the mail lists them", async () => {
    const prepared = await prepare();
    const { person } = prepared;
    await putOnPlan(person.email, "professional");
    const { id } = await addWebhook(person, "https://hooks.example.org/mine", [
      "transfer.uploaded",
      "transfer.deleted",
    ]);
    const { id: off } = await addWebhook(person, "https://hooks.example.org/off");
    await person.patch(`/api/webhooks/${off}`, { enabled: false });
    const file = await sendFile(person, "one");
    await person.delete(`/api/files/${file.uploadId}`);
    const waiting = () =>
      rowOf("select count(*) as n from webhook_deliveries where webhook_id = ? and state = 'waiting'", id);
    expect(await waiting()).toEqual({ n: 2 });
    expect((await run(prepared, env)).status).toBe(200);
    const disabled = "select count(*) as n from webhooks where id = ? and disabled_at is not null";
    expect(await rowOf(disabled, id)).toEqual({ n: isReset ? 1 : 0 });
    expect(await waiting()).toEqual({ n: isReset ? 0 : 2 });
    const text = await changeMail(person.email);
    expect(text).toContain(
      isReset
        ? "We have switched these webhooks off. On your account page, switch on those that you know, and delete the others:"
        : "These webhooks are still told what happens to your files. On your account page, delete those that you do not know:",
    );
    expect(text).toContain("- https://hooks.example.org/mine\n");
    expect(text).not.toContain("hooks.example.org/off");
  });

  it("if the API keys cannot be read, the mail still goes, and says where to look", async () => {
    const prepared = await prepare();
    const fate: Fate = (what) => (what.includes('"last_four"') ? LOST_REQUEST : null);
    expect((await run(prepared, faultyEnv(env, fate, sound))).status).toBe(200);
    expect(await changeMail(prepared.person.email)).toContain(
      "Your account page lists the API keys, passkeys, providers and webhooks that are left. Remove what you do not know.",
    );
  });

  it("if the mail cannot be saved, the change still succeeds and the earlier sessions end", async () => {
    const prepared = await prepare();
    const fate: Fate = (what) => (what.includes('"mail_outbox"') ? LOST_REQUEST : null);
    expect([way, (await run(prepared, faultyEnv(env, fate, sound))).status]).toEqual([way, 200]);
    expect(await livingSessions(prepared)).toEqual([]);
    expect(await opens(prepared.person.email, NEW)).toBe(true);
  });
});

it("only one of two parallel resets with the same link sets its password", async () => {
  const { person, token } = await prepare();
  const passwords = ["the first one", "the second one"];
  const answers = await Promise.all(
    passwords.map((newPassword) => new Client().post("/api/auth/reset-password", { newPassword, token })),
  );
  const statuses = answers.map(({ status }) => status);
  expect([...statuses].sort()).toEqual([200, 400]);
  for (const [index, password] of passwords.entries()) {
    expect(await opens(person.email, password)).toBe(statuses[index] === 200);
  }
});

it("an expired reset link changes nothing and ends no session", async () => {
  const prepared = await prepare();
  await runSql("update verifications set expires_at = ?", Date.now() - 1);
  expect((await WAYS["a reset"]?.(prepared, env))?.status).toBe(400);
  expect(await opens(prepared.person.email, OLD)).toBe(true);
  expect(await livingSessions(prepared)).toHaveLength(3);
});

describe("a reset of an account whose address nobody had proved", () => {
  /** Somebody has registered the address of another person, to wait until they come. */
  async function prepareWaiting() {
    const waiting = await signUp();
    const { key } = await makeKey(waiting, { name: "A program" });
    const webhook = { url: "https://hooks.example.org/mine", events: ["transfer.uploaded"] };
    expect((await waiting.post("/api/webhooks", webhook)).status).toBe(201);
    await runSql(
      `insert into passkeys (id, user_id, credential_id, public_key, algorithm, transports, aaguid, name, created_at)
       values (?, ?, ?, '', -7, '[]', '', 'a key', 0)`,
      crypto.randomUUID(),
      waiting.id,
      crypto.randomUUID(),
    );
    await runSql(
      `insert into accounts (id, user_id, account_id, provider_id, created_at, updated_at)
       values (?1, ?2, ?1, 'github', 0, 0)`,
      crypto.randomUUID(),
      waiting.id,
    );
    return { waiting, key };
  }

  async function reset(email: string): Promise<void> {
    await new Client().post("/api/auth/reset-password", { email });
    const token = () => tokenIn(email, "Set a new password");
    await expect.poll(token).not.toBe("");
    const body = { newPassword: NEW, token: await token() };
    expect((await new Client("", workerWith(withProviders())).post("/api/auth/reset-password", body)).status).toBe(200);
  }

  const left = (id: string) =>
    rowOf(
      `select is_verified as isVerified,
         (select count(*) from passkeys where user_id = users.id) as passkeys,
         (select count(*) from webhooks where user_id = users.id) as webhooks,
         (select count(*) from second_factors where user_id = users.id) as factors
       from users where id = ?`,
      id,
    );

  it("ends whatever opens it to whoever waits in it, and confirms the address [AUTH-42, AUTH-50]", async () => {
    const { waiting, key } = await prepareWaiting();
    await reset(waiting.email);
    expect(await left(waiting.id)).toEqual({ isVerified: 1, passkeys: 0, webhooks: 0, factors: 0 });
    expect((await new Program(key).fetch("/me")).status).toBe(401);
    const text = await changeMail(waiting.email);
    expect(text).toContain(
      "Nobody had confirmed this address before, so what else led into the account has ended, in case a stranger made it.",
    );
    expect(text).toContain(`These API keys no longer work:\n\n- “A program”, which ends in ${key.slice(-4)}\n`);
    expect(text).toContain("These passkeys no longer sign in:\n\n- “a key”\n");
    expect(text).toContain("These providers no longer sign in:\n\n- GitHub\n");
    expect(text).toContain("These webhooks are deleted:\n\n- https://hooks.example.org/mine\n");
    expect(text).not.toMatch(/go on working|still|switched these/);
    expect([await opens(waiting.email, OLD), await opens(waiting.email, NEW)]).toEqual([false, true]);
  });

  it("leaves a second factor, which no reset takes away, and then the address unproved [AUTH-42]", async () => {
    const { waiting } = await prepareWaiting();
    await runSql("insert into second_factors (user_id, secret, confirmed_at) values (?, 'sealed', 1)", waiting.id);
    await reset(waiting.email);
    expect(await left(waiting.id)).toEqual({ isVerified: 0, passkeys: 0, webhooks: 0, factors: 1 });
  });

  it("takes nothing away where an administrator gave the address", async () => {
    const { waiting, key } = await prepareWaiting();
    await runSql("update users set is_address_given = 1 where id = ?", waiting.id);
    await reset(waiting.email);
    expect(await left(waiting.id)).toEqual({ isVerified: 1, passkeys: 1, webhooks: 1, factors: 0 });
    const text = await changeMail(waiting.email);
    expect(text).toContain("These API keys go on working.");
    expect(text).toContain("We have switched these webhooks off.");
    expect(text).not.toMatch(/Nobody had confirmed|no longer|are deleted/);
    expect((await new Program(key).fetch("/me")).status).toBe(200);
  });
});
