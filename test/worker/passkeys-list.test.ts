import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { toBase64url } from "#domain/bytes-as-text.ts";
import { Authenticator, type Wrong } from "../support/authenticator.ts";
import { Browser, letConfirmationRunOut, mailsTo, signUpInBrowser } from "../support/browser.ts";
import { answerOf, rowOf, runSql } from "../support/worker.ts";

interface CreationOptions {
  challenge: string;
  user: { id: string; name: string };
  excludeCredentials: { id: string }[];
}

async function creationOptions(browser: Browser): Promise<CreationOptions> {
  const response = await browser.post("/api/auth/passkeys/options", {});
  expect(response.status).toBe(200);
  return response.json();
}

const add = (browser: Browser, credential: unknown, name = "A passkey") =>
  answerOf(browser.post("/api/auth/passkeys", { name, credential }));

async function listed(browser: Browser): Promise<{ id: string; name: string; credentialId: string }[]> {
  const [, body] = await answerOf(browser.fetch("/api/auth/passkeys"));
  return body.passkeys as { id: string; name: string; credentialId: string }[];
}

const change = (browser: Browser, id: string, method: "PATCH" | "DELETE", body?: unknown) =>
  answerOf(
    browser.fetch(`/api/auth/passkeys/${id}`, {
      method,
      ...(body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
    }),
  );

const REFUSED = [403, { code: "PASSKEY_REFUSED", message: "The passkey could not be checked. Please try again." }];

describe("adding a passkey", () => {
  it("asks for a resident key and verification, with a handle of 16 bytes that tells nothing of the person [PKEY-5]", async () => {
    const { browser, id, email } = await signUpInBrowser();
    const options = await creationOptions(browser);
    const bytes = Uint8Array.from(id.replaceAll("-", "").match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
    expect(bytes).toHaveLength(16);
    expect(options).toMatchObject({
      user: { id: toBase64url(bytes), name: email },
      pubKeyCredParams: [
        { type: "public-key", alg: -7 },
        { type: "public-key", alg: -8 },
        { type: "public-key", alg: -257 },
      ],
      attestation: "none",
      authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
      excludeCredentials: [],
    });
  });

  it("lists it, notes it, and leaves it out of the next question", async () => {
    const { browser, id } = await signUpInBrowser();
    const authenticator = await Authenticator.create();
    const credential = await authenticator.attest(await creationOptions(browser));
    expect((await add(browser, credential, " My laptop "))[0]).toBe(201);
    expect(await listed(browser)).toMatchObject([{ name: "My laptop", credentialId: authenticator.id }]);
    expect((await creationOptions(browser)).excludeCredentials.map((known) => known.id)).toEqual([authenticator.id]);
    expect(
      await rowOf("select count(*) as n from account_events where user_id = ? and kind = 'passkey.added'", id),
    ).toEqual({ n: 1 });
  });

  const HOSTILE: [string, Wrong][] = [
    ["of another site", { origin: "https://elsewhere.example" }],
    ["for another RP ID", { rpId: "elsewhere.example" }],
    ["in a frame of another site", { crossOrigin: true }],
    ["of a sign-in", { type: "webauthn.get" }],
    ["with a challenge that is not ours", { challenge: toBase64url(new Uint8Array(56)) }],
    ["without verification", { flags: 0x41 }],
    ["without presence", { flags: 0x44 }],
    ["without a key", { flags: 0x05 }],
  ];

  it.each(HOSTILE)("refuses an answer %s", async (_what, wrong) => {
    const { browser } = await signUpInBrowser();
    const authenticator = await Authenticator.create();
    const credential = await authenticator.attest(await creationOptions(browser), wrong);
    expect(await add(browser, credential)).toEqual(REFUSED);
    expect(await listed(browser)).toEqual([]);
  });

  it.each([
    ["ES384", { algorithm: -35 }],
    ["PS256", { algorithm: -37 }],
    ["RS256, for a key of another type", { algorithm: -257 }],
    ["EdDSA, for a key of another type", { algorithm: -8 }],
    ["ES256 on another curve", { curve: 2 }],
  ])("refuses a key of %s [PKEY-5]", async (_what, key) => {
    const { browser } = await signUpInBrowser();
    const authenticator = await Authenticator.create(key);
    expect(await add(browser, await authenticator.attest(await creationOptions(browser)))).toEqual(REFUSED);
  });

  it("refuses certificates, which nobody asked for [PKEY-5]", async () => {
    const { browser } = await signUpInBrowser();
    const authenticator = await Authenticator.create();
    const credential = await authenticator.attest(await creationOptions(browser), {}, "packed");
    expect(await add(browser, credential)).toEqual(REFUSED);
  });

  it("refuses a challenge of another session, and one that was used", async () => {
    const { browser, email } = await signUpInBrowser();
    const other = new Browser();
    await other.logIn(email);
    const options = await creationOptions(browser);
    const [first, second] = [await Authenticator.create(), await Authenticator.create()];
    expect(await add(other, await first.attest(options))).toEqual(REFUSED);
    expect((await add(browser, await first.attest(options)))[0]).toBe(201);
    expect(await add(browser, await second.attest(options))).toEqual(REFUSED);
    expect(await listed(browser)).toHaveLength(1);
  });

  it("is mailed, and so is removing it; what is refused is not [PKEY-7]", async () => {
    const { browser, id, email } = await signUpInBrowser();
    const authenticator = await Authenticator.create();
    const credential = await authenticator.attest(await creationOptions(browser));
    expect((await add(browser, credential, "My laptop"))[0]).toBe(201);
    expect(await add(browser, credential, "My laptop")).toEqual(REFUSED);
    const [passkey] = await listed(browser);
    const subjects = async () => (await mailsTo(email)).map(({ subject }) => subject.replace(/ \/ .*/, ""));
    expect(await subjects()).toEqual(["A new passkey for your Mayfly account"]);
    const [added] = await mailsTo(email);
    expect(added?.text).toContain("The passkey “My laptop” was just added to your account.");
    expect(added?.text).toContain("/account/security");

    await runSql("update accounts set password = null where user_id = ?", id);
    const withoutMails = new Browser({ ...env, MAIL_LINKS: "off" });
    for (const [name, value] of browser.cookies) withoutMails.cookies.set(name, value);
    expect(await change(withoutMails, passkey?.id ?? "", "DELETE")).toMatchObject([409, { code: "LAST_WAY_IN" }]);
    expect(await subjects()).toHaveLength(1);
    expect(await change(browser, passkey?.id ?? "", "DELETE")).toMatchObject([200, {}]);
    expect((await subjects()).sort()).toEqual([
      "A new passkey for your Mayfly account",
      "A passkey of your Mayfly account was removed",
    ]);
    const removed = (await mailsTo(email)).find(({ subject }) => subject.includes("was removed"));
    expect(removed?.text).toContain("The passkey “My laptop” of your account was just removed.");
  });

  it("refuses a passkey that another account has", async () => {
    const [owner, thief] = [await signUpInBrowser(), await signUpInBrowser()];
    const authenticator = await Authenticator.create();
    await authenticator.saveFor(owner.id);
    expect(await add(thief.browser, await authenticator.attest(await creationOptions(thief.browser)))).toEqual([
      409,
      { code: "PASSKEY_CONFLICT", message: "This passkey has been added already." },
    ]);
  });

  it("leaves an account at most 20, also when two are added at once [PKEY-6]", async () => {
    const { browser, id } = await signUpInBrowser();
    for (let count = 1; count <= 19; count += 1) await (await Authenticator.create()).saveFor(id);
    const challenges = [await creationOptions(browser), await creationOptions(browser)];
    const answers = await Promise.all(
      challenges.map(async (options) => add(browser, await (await Authenticator.create()).attest(options))),
    );
    expect(answers.map(([status]) => status).sort()).toEqual([201, 409]);
    expect(await answerOf(browser.post("/api/auth/passkeys/options", {}))).toEqual([
      409,
      { code: "PASSKEY_CONFLICT", message: "An account has at most 20 passkeys. Remove one first." },
    ]);
  });
});

describe("a passkey in the list", () => {
  it.each([
    ["no name", {}],
    ["an empty name", { name: " " }],
    ["a name of 61 characters", { name: "x".repeat(61) }],
  ])("is not renamed to %s", async (_what, body) => {
    const { browser, id } = await signUpInBrowser();
    await (await Authenticator.create()).saveFor(id);
    const [passkey] = await listed(browser);
    expect((await change(browser, passkey?.id ?? "", "PATCH", body))[0]).toBe(400);
    expect(await listed(browser)).toMatchObject([{ name: "A passkey" }]);
  });

  it("is renamed, and removed after a confirmation [PKEY-7]", async () => {
    const { browser, id } = await signUpInBrowser();
    await (await Authenticator.create()).saveFor(id);
    const [passkey] = await listed(browser);
    const passkeyId = passkey?.id ?? "";
    expect(await change(browser, passkeyId, "PATCH", { name: "My phone" })).toMatchObject([200, { name: "My phone" }]);
    await letConfirmationRunOut(id);
    expect(await change(browser, passkeyId, "DELETE")).toMatchObject([403, { code: "CONFIRM_REQUIRED" }]);
    await runSql("update sessions set confirmed_at = ? where user_id = ?", Date.now(), id);
    expect(await change(browser, passkeyId, "DELETE")).toMatchObject([200, { passkeys: [] }]);
    expect(await change(browser, passkeyId, "DELETE")).toMatchObject([404, { code: "NOT_FOUND" }]);
  });

  it("stays while it is the last way into the account [PKEY-7]", async () => {
    const { browser, id } = await signUpInBrowser({ ...env, MAIL_LINKS: "off" });
    await (await Authenticator.create()).saveFor(id);
    await (await Authenticator.create()).saveFor(id);
    await runSql("update accounts set password = null where user_id = ?", id);
    const [first, second] = await listed(browser);
    const removed = await Promise.all([first, second].map((passkey) => change(browser, passkey?.id ?? "", "DELETE")));
    expect(removed.map(([status]) => status).sort()).toEqual([200, 409]);
    expect(removed.find(([status]) => status === 409)?.[1]).toEqual({
      code: "LAST_WAY_IN",
      message: "This is the last way into your account. Add another one first.",
    });
  });
});
