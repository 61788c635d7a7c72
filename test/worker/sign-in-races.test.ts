// @module-tag long
import { beforeEach, describe, expect, it, vi } from "vitest";
import { accountAdministrator, answerPasskey, isAdminIn, showCode } from "../support/admin-second-factor.ts";
import { Authenticator } from "../support/authenticator.ts";
import { Browser, mailsTo, PASSWORD, tokenIn } from "../support/browser.ts";
import { interceptQueries } from "../support/query-interceptor.ts";
import { codeAt, setUpFactor } from "../support/second-factor.ts";
import { newPerson, PROVIDERS, WAYS_IN, type Person } from "../support/ways-in.ts";
import { answerOf, rowOf, runSql } from "../support/worker.ts";

/** What was shown has been checked at both: before the gate reads the account, and before it makes the session. */
const MOMENTS = [
  { moment: "before the gate reads the account", query: "as hasRecoveryCode" },
  { moment: "before the session is made", query: 'insert into "sessions"' },
];

/** A browser elsewhere, during whose sign-in `change` happens once. */
function strangerDuring(
  query: string,
  change: () => Promise<unknown>,
  environment = PROVIDERS,
): { stranger: Browser; wasChanged(): boolean } {
  let isChanged = false;
  const DB = interceptQueries(environment.DB, async (queries, go) => {
    if (!isChanged && queries.some(({ text }) => text.includes(query))) {
      isChanged = true;
      await change();
    }
    return go();
  });
  return { stranger: new Browser({ ...environment, DB }), wasChanged: () => isChanged };
}

let person: Person;
beforeEach(async () => {
  person = await newPerson();
});

async function expectStatus(response: Promise<Response>, status = 200): Promise<void> {
  expect((await response).status).toBe(status);
}

const signOutEverywhere = () => expectStatus(person.browser.post("/api/auth/sign-out-everywhere", { keysToo: false }));

/** Signs in from a new browser first, so that there is a mail with the button "This was not me". */
async function prepareNotMe(): Promise<() => Promise<void>> {
  await expectStatus(new Browser().logIn(person.email));
  const token = await vi.waitFor(async () => {
    const found = await tokenIn(person.email, "new device");
    expect(found).not.toBe("");
    return found;
  });
  return () => expectStatus(new Browser().post("/api/auth/not-me", { token }));
}

/** What ends the sign-ins that have begun. Each prepares the account, and returns the change. */
const CHANGES: [string, () => Promise<() => Promise<unknown>>][] = [
  ["signs out everywhere", () => Promise.resolve(signOutEverywhere)],
  [
    "changes the password",
    () => {
      const passwords = { currentPassword: PASSWORD, newPassword: "another good password" };
      return Promise.resolve(() => expectStatus(person.browser.post("/api/auth/change-password", passwords)));
    },
  ],
  ["presses the button of a mail about a new device", prepareNotMe],
  ["sets an authenticator app up", () => Promise.resolve(() => setUpFactor(person.browser))],
  [
    "removes the authenticator app",
    async () => {
      await setUpFactor(person.browser);
      return () => expectStatus(person.browser.fetch("/api/auth/totp", { method: "DELETE" }));
    },
  ],
  [
    "removes a passkey",
    async () => {
      await (await Authenticator.create()).saveFor(person.id);
      const { id } = await rowOf<{ id: string }>("select id from passkeys where user_id = ?", person.id);
      return () => expectStatus(person.browser.fetch(`/api/auth/passkeys/${id}`, { method: "DELETE" }));
    },
  ],
  [
    "disconnects a provider",
    async () => {
      await runSql(
        `insert into accounts (id, user_id, account_id, provider_id, created_at, updated_at)
         values (?1, ?2, ?1, 'github', 0, 0)`,
        crypto.randomUUID(),
        person.id,
      );
      return () => expectStatus(person.browser.fetch("/api/auth/providers/github", { method: "DELETE" }));
    },
  ],
  [
    "removes a device",
    async () => {
      const { id } = await rowOf<{ id: string }>("select id from devices where user_id = ?", person.id);
      return () => expectStatus(person.browser.fetch(`/api/auth/devices/${id}`, { method: "DELETE" }));
    },
  ],
  [
    "deletes the account",
    () => Promise.resolve(() => runSql("update users set deleted_at = 1 where id = ?", person.id)),
  ],
];

describe.each(MOMENTS)("a sign-in under way, $moment", ({ query }) => {
  it.each(CHANGES)("leaves no session when the owner %s [AUTH-25]", async (_what, prepare) => {
    const change = await prepare();
    const { stranger, wasChanged } = strangerDuring(query, change);
    const authenticator = await Authenticator.create();
    await authenticator.saveFor(person.id);
    const options = await stranger.post("/api/auth/passkey/options", { purpose: "login" });
    const credential = await authenticator.assert(await options.json());
    const refused = await answerOf(stranger.post("/api/auth/passkey/login", { credential }));
    expect(refused).toMatchObject([401, { code: "INVALID_CREDENTIALS" }]);
    expect(wasChanged()).toBe(true);
    expect(await stranger.isSignedIn()).toBe(false);
  });

  it.each(WAYS_IN)("leaves none by $way when the owner signs out everywhere [AUTH-25]", async ({ enter }) => {
    const { stranger, wasChanged } = strangerDuring(query, signOutEverywhere);
    await enter(person, stranger);
    expect(wasChanged()).toBe(true);
    expect(await stranger.isSignedIn()).toBe(false);
    expect(await rowOf("select count(*) as n from sessions where user_id = ?", person.id)).toEqual({ n: 0 });
  });
});

describe("a second step that is written after the owner has signed out everywhere", () => {
  it("leads into no account [AUTH-25]", async () => {
    const { secret } = await setUpFactor(person.browser);
    const { stranger, wasChanged } = strangerDuring('insert into "steps"', signOutEverywhere);
    expect((await stranger.logIn(person.email)).status).toBe(200);
    expect(wasChanged()).toBe(true);
    await expectStatus(stranger.post("/api/auth/second-factor", { code: codeAt(secret, 0) }), 401);
    expect(await stranger.isSignedIn()).toBe(false);
  });

  it("does not lead into the back office [AUTH-25]", async () => {
    const administrator = await accountAdministrator({ has: ["app"], setting: "off" });
    const { username, password, environment, secret } = administrator;
    person = { ...person, browser: administrator.browser };
    const { stranger, wasChanged } = strangerDuring('insert into "steps"', signOutEverywhere, environment);
    await expectStatus(stranger.post("/api/admin/login", { username, password }));
    expect(wasChanged()).toBe(true);
    expect(await showCode(stranger, codeAt(secret, 0))).toMatchObject([401, { code: "STEP_ENDED" }]);
    expect(await isAdminIn(stranger)).toBe(false);
  });
});

describe("a login to the back office under way", () => {
  it.each(["password", "passkey"] as const)(
    "by %s leaves no session when its owner signs out everywhere [AUTH-25]",
    async (way) => {
      const administrator = await accountAdministrator({ has: way === "passkey" ? ["passkey"] : [], setting: "off" });
      const { username, password, environment } = administrator;
      person = { ...person, browser: administrator.browser };
      const query = 'insert into "admin_sessions"';
      const { stranger, wasChanged } = strangerDuring(query, signOutEverywhere, environment);
      const refused =
        way === "password"
          ? await answerOf(stranger.post("/api/admin/login", { username, password }))
          : await answerOf(
              stranger.post("/api/admin/passkey/login", {
                credential: await answerPasskey(stranger, administrator, "login"),
              }),
            );
      expect(refused).toMatchObject([401, { code: "ADMIN_CREDENTIALS" }]);
      expect(wasChanged()).toBe(true);
      expect(await isAdminIn(stranger)).toBe(false);
    },
  );
});

describe("a sign-in that is refused at its end", () => {
  const countOf = async (table: string) =>
    (await rowOf<{ n: number }>(`select count(*) as n from ${table} where user_id = ?`, person.id)).n;

  it("leaves no trust, no device, no event and no mail [AUTH-25]", async () => {
    const { secret } = await setUpFactor(person.browser);
    await runSql("update users set created_at = 1 where id = ?", person.id);
    const { stranger, wasChanged } = strangerDuring('insert into "sessions"', signOutEverywhere);
    expect((await stranger.logIn(person.email)).status).toBe(200);
    const mails = (await mailsTo(person.email)).length;
    const [devices, events, steps] = [
      await countOf("devices"),
      await countOf("account_events"),
      await countOf("steps"),
    ];
    const answer = { code: codeAt(secret, 0), trustDevice: true };
    const refused = await answerOf(stranger.post("/api/auth/second-factor", answer));
    expect(refused).toMatchObject([401, { code: "INVALID_CREDENTIALS" }]);
    expect(wasChanged()).toBe(true);
    expect(await countOf("devices")).toBe(devices);
    // The owner has signed out everywhere, and the step of the password is used up.
    expect(await countOf("account_events")).toBe(events + 1);
    expect(await countOf("steps")).toBe(steps - 1);
    expect(await mailsTo(person.email)).toHaveLength(mails);
  });

  it("does not bring the trust back that has just ended [AUTH-25]", async () => {
    const { secret } = await setUpFactor(person.browser);
    const { stranger } = strangerDuring('insert into "sessions"', signOutEverywhere);
    for (const [name, value] of person.browser.cookies) if (name.includes("device")) stranger.cookies.set(name, value);
    expect((await stranger.logIn(person.email)).status).toBe(200);
    const answer = { code: codeAt(secret, 0), trustDevice: true };
    await expectStatus(stranger.post("/api/auth/second-factor", answer), 401);
    expect(await rowOf("select trusted_until as until from devices where user_id = ?", person.id)).toEqual({
      until: null,
    });
  });
});
