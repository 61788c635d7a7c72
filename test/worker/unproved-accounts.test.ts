import { describe, expect, it, vi } from "vitest";
import { Authenticator } from "../support/authenticator.ts";
import { Browser, mailsTo, tokenIn } from "../support/browser.ts";
import { newPerson, signInAt, withProviders } from "../support/provider-sign-in.ts";
import { setUpFactor } from "../support/second-factor.ts";
import { addWebhook } from "../support/webhooks.ts";
import { answerOf, rowOf } from "../support/worker.ts";

const PROVIDERS = withProviders();

/** A provider that is not trusted with addresses has named somebody else's. */
describe("an account that nobody has proved but a provider that is not trusted with addresses", () => {
  /** Somebody who comes by the provider, and sets up all that may outlast them. */
  async function waitingPerson() {
    const stranger = new Browser(PROVIDERS);
    const person = newPerson();
    expect(await signInAt(stranger, "club", person)).toBe("/dashboard");
    const [, { id }] = await answerOf(stranger.fetch("/api/auth/me"));
    expect((await stranger.post("/api/keys", { name: "A program", scopes: ["upload"] })).status).toBe(201);
    await addWebhook(stranger.asClient(), "https://hooks.example.org/mine");
    await (await Authenticator.create()).saveFor(String(id));
    return { ...person, stranger, id: String(id) };
  }

  const left = (id: string) =>
    rowOf(
      `select is_verified as isVerified,
         (select count(*) from accounts where user_id = users.id and provider_id <> 'credential') as providers,
         (select count(*) from api_keys where user_id = users.id and revoked_at is null) as keys,
         (select count(*) from passkeys where user_id = users.id) as passkeys,
         (select count(*) from second_factors where user_id = users.id) as factors,
         (select count(*) from webhooks where user_id = users.id) as webhooks
       from users where id = ?`,
      id,
    );
  const NOTHING = { isVerified: 1, providers: 0, keys: 0, passkeys: 0, factors: 0, webhooks: 0 };

  it("belongs to the first who proves its address by a link by mail, and all else ends [AUTH-49]", async () => {
    const { id, sub, email, stranger } = await waitingPerson();
    await setUpFactor(stranger);
    expect(await left(id)).toEqual({ isVerified: 0, providers: 1, keys: 1, passkeys: 1, factors: 1, webhooks: 1 });
    const owner = new Browser(PROVIDERS);
    await owner.post("/api/auth/mail-link", { email });
    const token = await vi.waitFor(async () => {
      const texts = (await mailsTo(email)).map(({ text }) => text).join();
      return /sign-in-link#(\S+)/.exec(texts)?.[1] ?? expect.unreachable("no mail yet");
    });
    expect((await owner.post("/api/auth/mail-link/use", { token, rememberMe: true })).status).toBe(200);
    expect((await answerOf(owner.fetch("/api/auth/me")))[1]).toMatchObject({ id, isVerified: true });
    expect(await left(id)).toEqual(NOTHING);
    expect(await stranger.isSignedIn()).toBe(false);
    expect(await signInAt(new Browser(PROVIDERS), "club", { sub, email })).toBe("/login?error=LINK_FIRST");
  });

  it("belongs to the first who sets a password by mail, and all else ends [AUTH-49]", async () => {
    const { id, sub, email, stranger } = await waitingPerson();
    await new Browser(PROVIDERS).post("/api/auth/reset-password", { email });
    const token = () => tokenIn(email, "Set a new password");
    await expect.poll(token).not.toBe("");
    const body = { newPassword: "a password of mine", token: await token() };
    expect((await new Browser(PROVIDERS).post("/api/auth/reset-password", body)).status).toBe(200);
    expect(await left(id)).toEqual(NOTHING);
    expect(await stranger.isSignedIn()).toBe(false);
    expect(await signInAt(new Browser(PROVIDERS), "club", { sub, email })).toBe("/login?error=LINK_FIRST");
    expect((await new Browser().logIn(email, "a password of mine")).status).toBe(200);
  });

  it("is closed until its address is confirmed, where that is required, and a mail asks for it", async () => {
    const required = withProviders({ EMAIL_VERIFICATION: "required" });
    const person = newPerson();
    expect(await signInAt(new Browser(required), "club", person)).toBe("/login?error=EMAIL_UNVERIFIED");
    const token = () => tokenIn(person.email, "Confirm your email address");
    await expect.poll(token).not.toBe("");
    expect((await new Browser(required).fetch(`/api/auth/verify-email?token=${await token()}`)).status).toBe(200);
    expect(await signInAt(new Browser(required), "club", person)).toBe("/dashboard");
    expect(await signInAt(new Browser(required), "work", newPerson())).toBe("/dashboard");
  });
});
