import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import type { AdminLogEntry, Paged } from "#domain/wire.ts";
import { read } from "../support/admin.ts";
import { apiWith } from "../support/stripe.ts";
import { runSql, Client, logInAdmin, signUp, stopClockAt } from "../support/worker.ts";

const NOW = Date.UTC(2030, 4, 6, 7, 8, 9);
const AT = "2030-05-06T07:08:09.000Z";
const ROW = { id: expect.any(String) as string, adminName: env.ADMIN_USERNAME, adminUserId: null };

let reader: Client;

beforeEach(async () => {
  stopClockAt(NOW);
  reader = await logInAdmin();
  await runSql("delete from admin_audit_logs");
});

/** Newest first. */
async function readAuditLog(): Promise<AdminLogEntry[]> {
  return (await read<Paged<AdminLogEntry>>(reader, "/api/admin/admin-log?page=1")).items;
}

/** Signs up a user with the administrator role. */
async function promoted(): Promise<Client & { email: string; id: string }> {
  const person = await signUp();
  await runSql("update users set is_admin = 1 where id = ?", person.id);
  return person;
}

describe("the admin log", () => {
  it("records each login and logout with administrator, action and time [ADM-36]", async () => {
    const admin = await logInAdmin();
    const login = { ...ROW, action: "admin.login", target: "", details: "", at: AT };
    expect(await readAuditLog()).toEqual([login]);

    stopClockAt(NOW + 60_000);
    expect((await admin.post("/api/admin/logout", {})).status).toBe(200);
    const logout = { ...login, action: "admin.logout", at: "2030-05-06T07:09:09.000Z" };
    expect(await readAuditLog()).toEqual([logout, login]);
  });

  it("names an administrator with an account by email address and id [ADM-36]", async () => {
    const { email, id } = await promoted();
    const admin = await logInAdmin(email, "a good password");
    await admin.post("/api/admin/logout", {});
    const who = { ...ROW, adminName: email, adminUserId: id, target: id, details: "", at: AT };
    expect(await readAuditLog()).toEqual([
      { ...who, action: "admin.logout" },
      { ...who, action: "admin.login" },
    ]);
  });

  it("does not record a failed login or a logout without a session", async () => {
    const wrong = { username: env.ADMIN_USERNAME, password: "wrong" };
    expect((await new Client().post("/api/admin/login", wrong)).status).toBe(401);
    expect((await new Client().post("/api/admin/logout", {})).status).toBe(200);
    const admin = await logInAdmin();
    const { cookie } = admin;
    await admin.post("/api/admin/logout", {});
    await new Client(cookie).post("/api/admin/logout", {});
    expect((await readAuditLog()).map(({ action }) => action)).toEqual(["admin.logout", "admin.login"]);
  });

  it("records each test mail with its recipient [ADM-36]", async () => {
    const email = "ops@example.com";
    expect((await reader.post("/api/diagnostic/send-test-email", { email })).status).toBe(200);
    const row = { ...ROW, action: "mail.test", target: email, details: "", at: AT };
    expect(await readAuditLog()).toEqual([row]);
  });

  it("does not record a test mail that could not be sent", async () => {
    const down = { MAIL_TRANSPORT: "resend", RESEND_API_URL: "http://127.0.0.1:9", RESEND_API_KEY: "k" };
    const admin = new Client(reader.cookie, apiWith({ ...env, ...down }));
    const response = await admin.post("/api/diagnostic/send-test-email", { email: "ops@example.com" });
    expect([response.status, await response.json()]).toEqual([
      502,
      {
        code: "TEST_MAIL_FAILED",
        message: "There was an error sending the test email. Check the logs for details.",
      },
    ]);
    expect(await readAuditLog()).toEqual([]);
  });
});
