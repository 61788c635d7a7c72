import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { servicesFor } from "#worker/services.ts";
import { between } from "../support/between.ts";
import { callingFrom, serving } from "../support/serving.ts";
import { answerOf, change, Client, logInAdmin, mailedToken, rowOf, signUp } from "../support/worker.ts";

const PASSWORD = "a good password";
const PATH = "/api/auth/change-email";
const required = { ...env, EMAIL_VERIFICATION: "required" };

const newAddress = () => `new-${crypto.randomUUID()}@example.com`;

/** The token of the newest mail to an address, once one is there. */
async function tokenFor(email: string): Promise<string> {
  await expect.poll(() => mailedToken(email)).not.toBe("");
  return mailedToken(email);
}

/** Mails to an address: a mail stays in the outbox until it is in the mailbox. */
async function mailsTo(email: string): Promise<number> {
  const waiting = await rowOf<{ n: number }>('select count(*) as n from mail_outbox where "to" = ?', email);
  const sent = await rowOf<{ n: number }>('select count(*) as n from local_mailbox where "to" = ?', email);
  return waiting.n + sent.n;
}

function addressOf(id: string): Promise<{ email: string }> {
  return rowOf("select email from users where id = ?", id);
}

describe("changing the address", () => {
  it.each([
    ["a wrong password", { currentPassword: "not this one" }, [403, "The current password is not right."]],
    ["a password that is too short", { currentPassword: "short" }, [400, "Password must be at least 6 characters"]],
    ["no password", {}, [400, "Password must be at least 6 characters"]],
  ])("needs the current password: with %s nothing changes and no mail goes out", async (_what, more, expected) => {
    for (const settings of [env, required]) {
      const person = await signUp();
      const newEmail = newAddress();
      const [status, { message }] = await answerOf(
        new Client(person.cookie, serving(settings)).post(PATH, { newEmail, ...more }),
      );
      expect([status, message]).toEqual(expected);
      expect(await addressOf(person.id)).toEqual({ email: person.email });
      expect(await mailsTo(newEmail)).toBe(0);
    }
  });

  it("with the right password it is changed at once, or once the mailed link has been opened", async () => {
    const person = await signUp();
    const body = { newEmail: newAddress(), currentPassword: PASSWORD };
    expect(await answerOf(person.post(PATH, body))).toEqual([200, { pending: false }]);
    expect(await addressOf(person.id)).toEqual({ email: body.newEmail });

    const careful = await signUp();
    const next = { newEmail: newAddress(), currentPassword: PASSWORD };
    const client = new Client(careful.cookie, serving(required));
    expect(await answerOf(client.post(PATH, next))).toEqual([200, { pending: true }]);
    expect(await addressOf(careful.id)).toEqual({ email: careful.email });
    const token = await tokenFor(next.newEmail);
    expect((await client.fetch(`/api/auth/verify-email?token=${token}`)).status).toBe(200);
    expect(await addressOf(careful.id)).toEqual({ email: next.newEmail });
  });

  it("an address that somebody else has answers the same and changes nothing", async () => {
    const [person, other] = [await signUp(), await signUp()];
    const body = { newEmail: other.email, currentPassword: PASSWORD };
    expect(await answerOf(person.post(PATH, body))).toEqual([200, { pending: true }]);
    expect(await addressOf(person.id)).toEqual({ email: person.email });
    expect(await addressOf(other.id)).toEqual({ email: other.email });
  });

  it("passwords cannot be guessed here: the sixth try in a minute is refused, the right one too", async () => {
    const { cookie } = await signUp();
    const caller = callingFrom(`2001:db8:${crypto.randomUUID().slice(0, 4)}::1`, { ...env, RATE_LIMITS: "on" }, cookie);
    const guess = async (currentPassword: string) =>
      (await caller.post(PATH, { newEmail: newAddress(), currentPassword })).status;
    for (let count = 1; count <= 5; count += 1) expect(await guess("not this one")).toBe(403);
    expect(await guess(PASSWORD)).toBe(429);
  });
});

describe("links that were mailed before the address changed do nothing", () => {
  /** Every way in which an address changes. Each takes the person and the new address. */
  const WAYS: [string, (person: Client & { id: string }, newEmail: string) => Promise<void>][] = [
    [
      "by the person, at once",
      async (person, newEmail) => {
        expect((await person.post(PATH, { newEmail, currentPassword: PASSWORD })).status).toBe(200);
      },
    ],
    [
      "by the person, with the mailed link",
      async (person, newEmail) => {
        const client = new Client(person.cookie, serving(required));
        expect((await client.post(PATH, { newEmail, currentPassword: PASSWORD })).status).toBe(200);
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

  it.each(WAYS)("a reset link, where the address is changed %s", async (_way, changeAddress) => {
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

  it.each(WAYS)("a link that confirms the former address, where it is changed %s", async (_way, changeAddress) => {
    const person = await signUp();
    const { auth } = servicesFor(required);
    await auth.api.sendVerificationEmail({ body: { email: person.email } });
    const token = await tokenFor(person.email);
    await changeAddress(person, newAddress());
    const answer = new Client().fetch(`/api/auth/verify-email?token=${token}`);
    expect(await answerOf(answer)).toMatchObject([400, { code: "TOKEN_INVALID" }]);
  });

  /** Runs what `meanwhile` does just before a statement that contains `text` reaches the database, once. */
  function beforeStatement(text: string, meanwhile: () => Promise<void>): ReturnType<typeof servicesFor>["auth"] {
    let isDone = false;
    const database = between(env.DB, async (queries, go) => {
      if (!isDone && queries.some((query) => query.text.includes(text))) {
        isDone = true;
        await meanwhile();
      }
      return go();
    });
    return servicesFor({ ...required, DB: database }).auth;
  }

  it("a reset link that was asked for while the address was being changed is not mailed", async () => {
    const person = await signUp();
    const auth = beforeStatement('insert into "verifications"', () =>
      change("update users set email = ? where id = ?", newAddress(), person.id),
    );
    await auth.api.requestPasswordReset({ body: { email: person.email } });
    expect(await mailsTo(person.email)).toBe(0);
    expect(await rowOf("select count(*) as n from verifications where value = ?", person.id)).toEqual({ n: 0 });
  });

  it("a link to confirm the former address that was made while it was being changed confirms nothing", async () => {
    const person = await signUp();
    const auth = beforeStatement('update "users"', () =>
      change("update users set email = ? where id = ?", newAddress(), person.id),
    );
    await auth.api.sendVerificationEmail({ body: { email: person.email } });
    const token = await tokenFor(person.email);
    const answer = new Client().fetch(`/api/auth/verify-email?token=${token}`);
    expect(await answerOf(answer)).toMatchObject([400, { code: "TOKEN_INVALID" }]);
    expect(await rowOf("select is_verified from users where id = ?", person.id)).toEqual({ is_verified: 0 });
  });

  it("a reset link stays good where an address was only confirmed", async () => {
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
