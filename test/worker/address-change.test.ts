import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { servicesFor } from "#worker/services.ts";
import { tokenIn } from "../support/browser.ts";
import { interceptQueries } from "../support/query-interceptor.ts";
import { workerWith } from "../support/worker-with-env.ts";
import { answerOf, runSql, Client, logInAdmin, mailedToken, rowOf, signUp } from "../support/worker.ts";

const PASSWORD = "a good password";
const PATH = "/api/auth/change-email";
const required = { ...env, EMAIL_VERIFICATION: "required" };

const newAddress = () => `new-${crypto.randomUUID()}@example.com`;

/** Waits for a mail and returns its token. */
async function tokenFor(email: string): Promise<string> {
  await expect.poll(() => mailedToken(email)).not.toBe("");
  return mailedToken(email);
}

/** Counts mails in the outbox and in the mailbox. */
async function mailsTo(email: string): Promise<number> {
  const waiting = await rowOf<{ n: number }>('select count(*) as n from mail_outbox where "to" = ?', email);
  const sent = await rowOf<{ n: number }>('select count(*) as n from local_mailbox where "to" = ?', email);
  return waiting.n + sent.n;
}

function addressOf(id: string): Promise<{ email: string }> {
  return rowOf("select email from users where id = ?", id);
}

describe("changing the email address", () => {
  it.each([
    ["an address that is none", { newEmail: "nobody" }, [400, "Please enter a valid email address"]],
    ["the address that the account has", null, [400, "This is already your email address."]],
  ])("with %s, the address does not change and no mail is sent", async (_what, body, expected) => {
    const person = await signUp();
    const [status, { message }] = await answerOf(person.post(PATH, body ?? { newEmail: person.email }));
    expect([status, message]).toEqual(expected);
    expect(await addressOf(person.id)).toEqual({ email: person.email });
    expect(await mailsTo(person.email)).toBe(0);
  });

  it("an address changes immediately, or with required verification when the mailed link is opened", async () => {
    const person = await signUp();
    const body = { newEmail: newAddress() };
    expect(await answerOf(person.post(PATH, body))).toEqual([200, { pending: false }]);
    expect(await addressOf(person.id)).toEqual({ email: body.newEmail });

    const careful = await signUp();
    const next = { newEmail: newAddress() };
    const client = new Client(careful.cookie, workerWith(required));
    expect(await answerOf(client.post(PATH, next))).toEqual([200, { pending: true }]);
    expect(await addressOf(careful.id)).toEqual({ email: careful.email });
    const token = await tokenFor(next.newEmail);
    expect((await client.fetch(`/api/auth/verify-email?token=${token}`)).status).toBe(200);
    expect(await addressOf(careful.id)).toEqual({ email: next.newEmail });
  });

  it("a change to another account's address answers as usual but changes nothing", async () => {
    const [person, other] = [await signUp(), await signUp()];
    const body = { newEmail: other.email };
    expect(await answerOf(person.post(PATH, body))).toEqual([200, { pending: true }]);
    expect(await addressOf(person.id)).toEqual({ email: person.email });
    expect(await addressOf(other.id)).toEqual({ email: other.email });
  });
});

describe("links mailed before an address change", () => {
  const WAYS: [string, (person: Client & { id: string }, newEmail: string) => Promise<void>][] = [
    [
      "by the person, at once",
      async (person, newEmail) => {
        expect((await person.post(PATH, { newEmail })).status).toBe(200);
      },
    ],
    [
      "by the person, with the mailed link",
      async (person, newEmail) => {
        const client = new Client(person.cookie, workerWith(required));
        expect((await client.post(PATH, { newEmail })).status).toBe(200);
        const token = await tokenFor(newEmail);
        expect((await client.fetch(`/api/auth/verify-email?token=${token}`)).status).toBe(200);
      },
    ],
    [
      "by an administrator",
      async (person, email) => {
        const admin = await logInAdmin();
        expect((await admin.put(`/api/admin/user/email/${person.id}`, { email })).status).toBe(200);
      },
    ],
  ];

  it.each(WAYS)("a reset link stops working when the address is changed %s", async (_way, changeAddress) => {
    const person = await signUp();
    await new Client().post("/api/auth/reset-password", { email: person.email });
    const token = await tokenFor(person.email);
    const newEmail = newAddress();
    await changeAddress(person, newEmail);
    expect(await addressOf(person.id)).toEqual({ email: newEmail });
    expect(await rowOf("select count(*) as n from verifications where value = ?", person.id)).toEqual({ n: 0 });
    const reset = new Client().post("/api/auth/reset-password", { newPassword: "a thief's password", token });
    expect(await answerOf(reset)).toMatchObject([400, { code: "TOKEN_INVALID" }]);
    expect((await new Client().post("/api/auth/login", { email: newEmail, password: PASSWORD })).status).toBe(200);
  });

  it.each(WAYS)(
    "a verification link for the former address stops working when the address is changed %s",
    async (_way, changeAddress) => {
      const person = await signUp();
      const { auth } = servicesFor(required);
      await auth.api.sendVerificationEmail({ body: { email: person.email } });
      const token = await tokenFor(person.email);
      await changeAddress(person, newAddress());
      const answer = new Client().fetch(`/api/auth/verify-email?token=${token}`);
      expect(await answerOf(answer)).toMatchObject([400, { code: "TOKEN_INVALID" }]);
    },
  );

  /** Runs `meanwhile` once, before the first statement that contains `text`. */
  function beforeStatement(text: string, meanwhile: () => Promise<void>): ReturnType<typeof servicesFor>["auth"] {
    let isDone = false;
    const database = interceptQueries(env.DB, async (queries, go) => {
      if (!isDone && queries.some((query) => query.text.includes(text))) {
        isDone = true;
        await meanwhile();
      }
      return go();
    });
    return servicesFor({ ...required, DB: database }).auth;
  }

  it("a reset link requested during an address change is not mailed", async () => {
    const person = await signUp();
    const auth = beforeStatement('insert into "verifications"', () =>
      runSql("update users set email = ? where id = ?", newAddress(), person.id),
    );
    await auth.api.requestPasswordReset({ body: { email: person.email } });
    expect(await mailsTo(person.email)).toBe(0);
    expect(await rowOf("select count(*) as n from verifications where value = ?", person.id)).toEqual({ n: 0 });
  });

  it("a verification link created during an address change does not work", async () => {
    const person = await signUp();
    const auth = beforeStatement('update "users"', () =>
      runSql("update users set email = ? where id = ?", newAddress(), person.id),
    );
    await auth.api.sendVerificationEmail({ body: { email: person.email } });
    const token = await tokenFor(person.email);
    const answer = new Client().fetch(`/api/auth/verify-email?token=${token}`);
    expect(await answerOf(answer)).toMatchObject([400, { code: "TOKEN_INVALID" }]);
    expect(await rowOf("select is_verified from users where id = ?", person.id)).toEqual({ is_verified: 0 });
  });

  it("a reset link still works after the address was only verified", async () => {
    const person = await signUp();
    await new Client().post("/api/auth/reset-password", { email: person.email });
    const reset = await tokenFor(person.email);
    await servicesFor(required).auth.api.sendVerificationEmail({ body: { email: person.email } });
    await expect.poll(() => mailedToken(person.email)).not.toBe(reset);
    const verification = await mailedToken(person.email);
    expect((await new Client().fetch(`/api/auth/verify-email?token=${verification}`)).status).toBe(200);
    const answer = new Client().post("/api/auth/reset-password", { newPassword: "another one", token: reset });
    expect((await answer).status).toBe(200);
  });
});

describe("a change that waits to be confirmed", () => {
  const WAYS: [string, (owner: Client & { email: string }) => Promise<Response>][] = [
    ["signing out everywhere", (owner) => owner.post("/api/auth/sign-out-everywhere", { keysToo: false })],
    [
      "a new password",
      (owner) =>
        owner.post("/api/auth/change-password", { currentPassword: PASSWORD, newPassword: "my own new password" }),
    ],
    [
      "a reset",
      async (owner) => {
        await new Client().post("/api/auth/reset-password", { email: owner.email });
        await expect.poll(() => resetTokenFor(owner.email)).not.toBe("");
        const token = await resetTokenFor(owner.email);
        return new Client().post("/api/auth/reset-password", { newPassword: "my own new password", token });
      },
    ],
  ];
  const resetTokenFor = (email: string) => tokenIn(email, "Set a new password");

  it.each(WAYS)("ends with %s, so that a thief cannot take the account by it [AUTH-32]", async (_way, shutOut) => {
    const owner = await signUp();
    await runSql("update users set is_verified = 1 where id = ?", owner.id);
    const newEmail = newAddress();
    expect(await answerOf(owner.post(PATH, { newEmail }))).toEqual([200, { pending: true }]);
    const token = await tokenFor(newEmail);
    expect((await shutOut(owner)).status).toBe(200);
    const opened = new Client().fetch(`/api/auth/verify-email?token=${token}`);
    expect(await answerOf(opened)).toMatchObject([400, { code: "TOKEN_INVALID" }]);
    expect(await addressOf(owner.id)).toEqual({ email: owner.email });
  });

  it("is something else than the first confirmation of an address, which signing out everywhere leaves", async () => {
    const person = await signUp();
    await servicesFor(required).auth.api.sendVerificationEmail({ body: { email: person.email } });
    const token = await tokenFor(person.email);
    expect((await person.post("/api/auth/sign-out-everywhere", { keysToo: false })).status).toBe(200);
    expect((await new Client().fetch(`/api/auth/verify-email?token=${token}`)).status).toBe(200);
  });
});
