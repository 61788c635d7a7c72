import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { mailsTo } from "../support/mails.ts";
import { workerWith } from "../support/worker-with-env.ts";
import { answerOf, Client, logInAdmin, mailedToken, runSql, sendFile, signUp } from "../support/worker.ts";

const PASSWORD = "a good password";

/** Addresses with signs that not every check knows, and with domains that have letters beyond ASCII. */
const ADDRESSES: [typed: string, otherForm: string, stored: string][] = [
  ["r&d@Example.com", " R&D@example.com ", "r&d@example.com"],
  ["x@exämple.de", "X@xn--exmple-cua.de", "x@xn--exmple-cua.de"],
];

describe.each(ADDRESSES)("the account of %s", (typed, otherForm, stored) => {
  it("is one account in each form of its address, and gets its mails", async () => {
    const strict = new Client("", workerWith({ ...env, EMAIL_VERIFICATION: "required" }));
    const registered = await strict.post("/api/auth/register", { email: typed, password: PASSWORD });
    expect(registered.status).toBe(201);
    const again = strict.post("/api/auth/register", { email: otherForm, password: PASSWORD });
    expect(await answerOf(again)).toMatchObject([409, { code: "EMAIL_TAKEN" }]);
    await expect.poll(() => mailsTo(stored)).toHaveLength(1);
    await strict.post("/api/auth/resend-verification", { email: otherForm });
    await expect.poll(() => mailsTo(stored)).toHaveLength(2);
    const token = await mailedToken(stored);
    expect(await answerOf(strict.fetch(`/api/auth/verify-email?token=${token}`))).toEqual([200, { email: stored }]);

    const login = (email: string, password: string) => new Client().post("/api/auth/login", { email, password });
    expect(await answerOf(login(otherForm, PASSWORD))).toMatchObject([200, { user: { email: stored } }]);

    await strict.post("/api/auth/reset-password", { email: otherForm });
    await expect.poll(() => mailedToken(stored)).not.toBe(token);
    const reset = { newPassword: "another one", token: await mailedToken(stored) };
    expect((await strict.post("/api/auth/reset-password", reset)).status).toBe(200);
    expect((await login(typed, "another one")).status).toBe(200);

    await runSql("update users set is_admin = 1 where email = ?", stored);
    expect((await logInAdmin(otherForm.trim(), "another one")).cookie).not.toBe("");
    const root = await logInAdmin();
    const search = encodeURIComponent(otherForm.trim());
    const found = await (await root.fetch(`/api/admin/users?q=${search}`)).json<{ items: { email: string }[] }>();
    expect(found.items.map(({ email }) => email)).toEqual([stored]);
    // Each password is hashed: that takes seconds on a busy machine.
  }, 60_000);

  it("may become that of another account", async () => {
    const { cookie } = await signUp();
    const person = new Client(cookie, workerWith({ ...env, EMAIL_VERIFICATION: "required" }));
    const changed = person.post("/api/auth/change-email", { newEmail: `other-${typed}` });
    expect(await answerOf(changed)).toEqual([200, { pending: true }]);
    await expect.poll(() => mailedToken(`other-${stored}`)).not.toBe("");
    const token = await mailedToken(`other-${stored}`);
    expect(await answerOf(new Client().fetch(`/api/auth/verify-email?token=${token}`))).toEqual([
      200,
      { email: `other-${stored}` },
    ]);
  });

  it("gets links that others send", async () => {
    const person = await signUp();
    const { uploadId } = await sendFile(person, "hello");
    const shared = await person.post(`/api/files/${uploadId}/share`, {
      emails: [`to-${typed}`, `to-${otherForm.trim()}`],
    });
    expect(await answerOf(shared)).toMatchObject([200, { sent: 1 }]);
    expect(await mailsTo(`to-${stored}`)).toHaveLength(1);
  });
});

describe("an administrator", () => {
  it("gives an account an address whose domain has letters beyond ASCII", async () => {
    const [person, root] = [await signUp(), await logInAdmin()];
    const response = await root.put(`/api/admin/user/email/${person.id}`, { email: "admin-set@exämple.de" });
    expect(await answerOf(response)).toMatchObject([200, { email: "admin-set@xn--exmple-cua.de" }]);
  });
});
