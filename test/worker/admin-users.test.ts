import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { DAY_MS } from "#domain/units.ts";
import type { AdminUser, Paged } from "#domain/wire.ts";
import { auditEntriesFor, read, runCron } from "../support/admin.ts";
import { subjectsTo } from "../support/mails.ts";
import { deliver, payer, stripe, stripeEnv, apiWith, type StripeState } from "../support/stripe.ts";
import { answerOf, runSql, Client, contentPath, logInAdmin, rowOf, sendFile, signUp } from "../support/worker.ts";

let admin: Client;

beforeAll(async () => {
  admin = await logInAdmin();
});

describe("the list of users", () => {
  it("is an array without `page`, and one page with it [ADM-37, API-37, ENT-20, ROLE-7]", async () => {
    const person = await signUp();
    const all = await read<AdminUser[]>(admin, "/api/admin/users");
    expect(all[0]).toEqual({
      id: person.id,
      email: person.email,
      isAdmin: false,
      planType: "free",
      isVerified: false,
      hasSecondFactor: false,
      hasPasskey: false,
      createdAt: expect.stringMatching(/Z$/) as string,
      isDeleting: false,
      suspendedAt: null,
    });
    const page = await read<Paged<AdminUser>>(
      admin,
      `/api/admin/users?page=1&q=${person.email.slice(0, -8).toUpperCase()}`,
    );
    expect(page).toEqual({ items: [all[0]], page: 1, pages: 1, total: 1, next: null, previous: null });
    expect((await read<Paged<AdminUser>>(admin, `/api/admin/users?q=${person.id}`)).items).toEqual([all[0]]);
    expect((await read<Paged<AdminUser>>(admin, "/api/admin/users?q=erson")).items).toEqual([]);
    expect(await read(admin, `/api/admin/users/${person.id}`)).toEqual(all[0]);
    expect((await admin.fetch("/api/admin/users/nobody")).status).toBe(404);
  });

  it("has pages of a hundred in the requested order, and a capped count [ADM-37]", async () => {
    // Older than all users of other tests.
    await runSql(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 10050)
       insert into users (id, email, plan_type, current_period_start, current_period_end, created_at, updated_at)
       select 'many-' || i, 'many-' || printf('%05d', i) || '@example.com', 'free', 0, 4102444800000, i - 1e12, i from n`,
    );
    const oldest = await read<Paged<AdminUser>>(admin, "/api/admin/users?sort=oldest&page=2");
    expect(oldest.items.map(({ id }) => id).slice(0, 2)).toEqual(["many-101", "many-102"]);
    expect(oldest).toMatchObject({ page: 2, pages: 100, total: 10_000 });
    expect((await read<Paged<AdminUser>>(admin, "/api/admin/users?q=many-0000&sort=newest")).items).toHaveLength(9);
    for (const query of ["page=0", "page=101", "page=x", "sort=size"]) {
      expect((await admin.fetch(`/api/admin/users?${query}`)).status, query).toBe(400);
    }
    await runSql("delete from users where id like 'many-%'");
  });
});

describe("a user's email address", () => {
  it("can be changed: both addresses are notified, the new one must be verified, and sessions stay valid [ADM-36, API-42]", async () => {
    const person = await signUp();
    await runSql("update users set is_verified = 1, verification_token = 'x' where id = ?", person.id);
    const email = `New.Name_${person.id}-x@mail.example.com`;
    const changed = await answerOf(admin.put(`/api/admin/user/email/${person.id}`, { email }));
    expect(changed).toEqual([200, expect.objectContaining({ email: email.toLowerCase(), isVerified: false })]);
    expect(await rowOf("select verification_token as token from users where id = ?", person.id)).toEqual({
      token: null,
    });
    expect(await (await person.fetch("/api/auth/me")).json()).toMatchObject({ email: email.toLowerCase() });
    expect(await subjectsTo(person.email)).toEqual([expect.stringMatching(/address was changed/)]);
    expect(await subjectsTo(email.toLowerCase())).toEqual([expect.stringMatching(/has a new email address$/)]);
    expect(await auditEntriesFor(admin, person.id)).toEqual([
      ["user.email", "admin", `${person.email} → ${email.toLowerCase()}`],
    ]);
  });

  it("that was changed is in the list of what happened to the account", async () => {
    const person = await signUp();
    const email = `given-${crypto.randomUUID()}@example.com`;
    expect((await admin.put(`/api/admin/user/email/${person.id}`, { email })).status).toBe(200);
    const events = await read<{ kind: string; userAgent: string }[]>(person, "/api/auth/events");
    expect(events[0]).toMatchObject({ kind: "email.changed", userAgent: "" });
  });

  it("does not change if the new one is taken, equal or invalid, and nothing is logged [API-42, VAL-22]", async () => {
    const [person, other] = [await signUp(), await signUp()];
    const put = (email: unknown, id = person.id) => answerOf(admin.put(`/api/admin/user/email/${id}`, { email }));
    expect(await put(other.email)).toEqual([409, expect.objectContaining({ message: "Email already registered" })]);
    expect((await put(person.email))[0]).toBe(200);
    for (const wrong of [
      "a+b@example.com",
      "a@b",
      "a@b.c",
      "@example.com",
      "a b@example.com",
      "a@exa mple.com",
      5,
      undefined,
    ]) {
      expect(await put(wrong), String(wrong)).toEqual([
        400,
        expect.objectContaining({ message: "Invalid email format" }),
      ]);
    }
    expect((await put("somebody@example.com", "nobody"))[0]).toBe(404);
    expect(await auditEntriesFor(admin, person.id)).toEqual([]);
  });
});

describe("a user's plan", () => {
  const put = (id: string, planType: string, as = admin) =>
    answerOf(as.put(`/api/admin/user/plan/${id}`, { planType }));

  it("changes at once; files that never expire get an expiry on a smaller plan [ADM-11, API-43, ENT-2, VAL-8]", async () => {
    const person = await signUp();
    expect(await put(person.id, "ultimate")).toEqual([200, expect.objectContaining({ planType: "ultimate" })]);
    expect(await (await person.fetch("/api/subscription/current-plan")).json()).toMatchObject({
      planType: "ultimate",
      hasSubscription: true,
    });
    const { uploadId } = await sendFile(person, "kept", { expiration: "never" });
    expect((await put(person.id, "free"))[0]).toBe(200);
    const { expiresAt } = await rowOf<{ expiresAt: number }>(
      "select expires_at as expiresAt from files where id = ?",
      uploadId,
    );
    expect(expiresAt).toBeGreaterThan(Date.now() + 29 * DAY_MS);
    await runCron();
    expect(await subjectsTo(person.email)).toContainEqual(expect.stringMatching(/files expire/));
    expect(await auditEntriesFor(admin, person.id)).toEqual([
      ["user.plan", "admin", "Free → Ultimate"],
      ["user.plan", "admin", "Ultimate → Free"],
    ]);
    expect((await put(person.id, "gold"))[0]).toBe(400);
    expect((await put("nobody", "free"))[0]).toBe(404);
  });

  it("overrides a Stripe subscription: cancels it and ignores its later events, until the user buys a new one [ADM-11]", async () => {
    const card = new Client(admin.cookie, apiWith(stripeEnv));
    const person = await payer();
    await person.buy("professional");
    const { userId, id: customer } = await person.row();
    expect((await put(userId, "ultimate", card))[0]).toBe(200);
    const state = await stripe<StripeState>("state", { customer });
    expect(state.subscriptions.map(({ status }) => status)).toEqual(["canceled"]);
    for (const event of await stripe<{ type: string; body: string; signature: string }[]>("events", { customer })) {
      expect((await deliver(event)).status).toBe(200);
    }
    expect((await person.plan("?refresh=true")).planType).toBe("ultimate");
    expect((await put(userId, "free", card))[0]).toBe(200);
    expect((await person.plan("?refresh=true")).planType).toBe("free");
    expect((await auditEntriesFor(admin, userId)).map(([action]) => action)).toEqual(["user.plan", "user.plan"]);
  });

  it("set to free cancels a Stripe subscription and stays free", async () => {
    const card = new Client(admin.cookie, apiWith(stripeEnv));
    const person = await payer();
    await person.buy("ultimate");
    const { userId } = await person.row();
    expect((await put(userId, "free", card))[0]).toBe(200);
    expect((await person.state()).subscriptions.map(({ status }) => status)).toEqual(["canceled"]);
    await person.deliverAll();
    expect((await person.plan("?refresh=true")).planType).toBe("free");
  });
});

describe("administrators", () => {
  it("are promoted and demoted; repeated requests are logged once [DEC-17]", async () => {
    const person = await signUp();
    await runSql("update users set is_admin = 1 where id = ?", (await signUp()).id);
    const put = (isAdmin: unknown, id = person.id) => answerOf(admin.put(`/api/admin/user/admin/${id}`, { isAdmin }));
    for (const isAdmin of [true, true, false, false]) {
      expect(await put(isAdmin)).toEqual([200, expect.objectContaining({ isAdmin })]);
    }
    expect((await auditEntriesFor(admin, person.id)).map(([action]) => action)).toEqual([
      "user.promote",
      "user.demote",
    ]);
    expect((await put("yes"))[0]).toBe(400);
    expect((await put(true, "nobody"))[0]).toBe(404);
  });
});

describe("deleting a user", () => {
  it("ends links and sessions at once, shows the deletion as pending, and then removes rows and objects [ADM-14, API-41, KEEP-7]", async () => {
    const person = await signUp();
    const { uploadId, downloadId } = await sendFile(person, "gone soon");
    const broken = vi.spyOn(env.BUCKET, "delete").mockRejectedValue(new Error("down"));
    expect((await admin.delete(`/api/admin/users/${person.id}`)).status).toBe(202);
    expect((await new Client().fetch(contentPath(downloadId))).status).toBe(410);
    expect(await (await person.fetch("/api/auth/me")).json()).toBeNull();
    await vi.waitFor(() => {
      expect(broken).toHaveBeenCalled();
    });
    expect(await read(admin, `/api/admin/users/${person.id}`)).toMatchObject({ isDeleting: true });
    expect((await admin.put(`/api/admin/user/plan/${person.id}`, { planType: "ultimate" })).status).toBe(404);
    expect((await admin.delete(`/api/admin/users/${person.id}`)).status).toBe(202);
    broken.mockRestore();
    await vi.waitFor(async () => {
      await runCron();
      expect((await admin.fetch(`/api/admin/users/${person.id}`)).status).toBe(404);
    });
    expect(await env.BUCKET.head(`files/${uploadId}`)).toBeNull();
    expect((await admin.delete(`/api/admin/users/${person.id}`)).status).toBe(404);
    expect(await auditEntriesFor(admin, person.id)).toEqual([["user.delete", "admin", person.email]]);
  });

  it("deletes the Stripe customer too [ADM-14]", async () => {
    const card = new Client(admin.cookie, apiWith(stripeEnv));
    const person = await payer();
    await person.buy("professional");
    const { userId, id: customer } = await person.row();
    expect((await card.delete(`/api/admin/users/${userId}`)).status).toBe(202);
    await vi.waitFor(async () => {
      expect((await stripe<StripeState>("state", { customer })).customer?.deleted).toBe(true);
      expect((await admin.fetch(`/api/admin/users/${userId}`)).status).toBe(404);
    });
  });
});
