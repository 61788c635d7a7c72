import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { fromBase64url, toBase64url } from "#domain/bytes-as-text.ts";
import { passkeyAssertion } from "#domain/wire.ts";
import { checkPasskeyFactor } from "#worker/accounts/passkey-answers.ts";
import { readVisit } from "#worker/accounts/visit.ts";
import { servicesFor } from "#worker/services.ts";
import { Authenticator, type Wrong } from "../support/authenticator.ts";
import { Browser, letConfirmationRunOut, mailsTo, PASSWORD, signUpInBrowser } from "../support/browser.ts";
import { answerOf, rowOf, runSql } from "../support/worker.ts";

interface Options {
  challenge: string;
  rpId: string;
  allowCredentials: { id: string }[];
}

async function optionsFor(browser: Browser, purpose: "login" | "confirm" | "second-factor"): Promise<Options> {
  const response = await browser.post("/api/auth/passkey/options", { purpose });
  expect(response.status).toBe(200);
  return response.json();
}

async function creationOptions(browser: Browser): Promise<{ challenge: string; user: { id: string } }> {
  const response = await browser.post("/api/auth/passkeys/options", {});
  expect(response.status).toBe(200);
  return response.json();
}

/** A person whose account has a passkey. */
async function personWithPasskey(made = Authenticator.create()) {
  const person = await signUpInBrowser();
  const authenticator = await made;
  const credential = await authenticator.attest(await creationOptions(person.browser));
  const added = await person.browser.post("/api/auth/passkeys", { name: "A passkey", credential });
  expect(added.status).toBe(201);
  return { ...person, authenticator };
}

const logIn = (browser: Browser, credential: unknown) =>
  answerOf(browser.post("/api/auth/passkey/login", { credential }));

const REFUSED = [403, { code: "PASSKEY_REFUSED", message: "The passkey could not be checked. Please try again." }];
const COPIED = [
  403,
  {
    code: "PASSKEY_COPIED",
    message: "This passkey may have been copied, so we refused it. Sign in another way, and see our mail.",
  },
];

describe("signing in by a passkey", () => {
  it("begins a session, also where a second factor is set [PKEY-1]", async () => {
    const { id, email, authenticator } = await personWithPasskey();
    await runSql("insert into second_factors (user_id, secret, confirmed_at) values (?, 'sealed', 1)", id);
    const browser = new Browser();
    const credential = await authenticator.assert(await optionsFor(browser, "login"));
    expect(await logIn(browser, credential)).toMatchObject([200, { user: { email } }]);
    expect(await browser.isSignedIn()).toBe(true);
    expect(await rowOf("select method from sessions where user_id = ? order by rowid desc limit 1", id)).toEqual({
      method: "passkey",
    });
  });

  it.each(["EdDSA", "RS256"] as const)(
    "works with a key of %s, and not with a changed signature",
    async (algorithm) => {
      const { email, authenticator } = await personWithPasskey(Authenticator.createWith(algorithm));
      const browser = new Browser();
      const wrong = { signature: (right: Uint8Array<ArrayBuffer>) => right.with(0, (right[0] ?? 0) ^ 1) };
      const refused = await authenticator.assert(await optionsFor(browser, "login"), wrong);
      expect(await logIn(browser, refused)).toEqual(REFUSED);
      const credential = await authenticator.assert(await optionsFor(browser, "login"));
      expect(await logIn(browser, credential)).toMatchObject([200, { user: { email } }]);
    },
  );

  it("asks strangers for any passkey, and writes nothing for them [PKEY-3]", async () => {
    const before = await rowOf("select count(*) as n from steps");
    const options = await optionsFor(new Browser(), "login");
    expect(options).toMatchObject({ rpId: new URL(env.APP_ORIGIN).hostname, allowCredentials: [] });
    expect(await rowOf("select count(*) as n from steps")).toEqual(before);
  });

  it("works once with a challenge [PKEY-3]", async () => {
    const { authenticator } = await personWithPasskey();
    const browser = new Browser();
    const credential = await authenticator.assert(await optionsFor(browser, "login"));
    expect((await logIn(browser, credential))[0]).toBe(200);
    expect(await logIn(new Browser(), credential)).toEqual(REFUSED);
  });

  it("works for one of two that send the same answer at once [PKEY-3]", async () => {
    const { authenticator } = await personWithPasskey();
    const credential = await authenticator.assert(await optionsFor(new Browser(), "login"));
    const answers = await Promise.all([logIn(new Browser(), credential), logIn(new Browser(), credential)]);
    expect(answers.map(([status]) => status).sort()).toEqual([200, 403]);
  });

  it("accepts a challenge whose last character is written differently", async () => {
    const { authenticator } = await personWithPasskey();
    const { challenge } = await optionsFor(new Browser(), "login");
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const last = alphabet.indexOf(challenge.slice(-1));
    const other = `${challenge.slice(0, -1)}${alphabet[last ^ 1] ?? ""}`;
    expect(fromBase64url(other)).toEqual(fromBase64url(challenge));
    const credential = await authenticator.assert({ challenge: other });
    expect((await logIn(new Browser(), credential))[0]).toBe(200);
    expect(await logIn(new Browser(), await authenticator.assert({ challenge }))).toEqual(REFUSED);
  });

  it("says of an unknown passkey that it is not known", async () => {
    const authenticator = await Authenticator.create();
    const credential = await authenticator.assert(await optionsFor(new Browser(), "login"));
    expect(await logIn(new Browser(), credential)).toMatchObject([401, { code: "PASSKEY_UNKNOWN" }]);
  });

  const elsewhere = "https://elsewhere.example";
  const HOSTILE: [string, Wrong][] = [
    ["of another site", { origin: elsewhere }],
    ["for another RP ID", { rpId: "elsewhere.example" }],
    ["in a frame of another site", { crossOrigin: true }],
    ["of a registration", { type: "webauthn.create" }],
    ["with a challenge that is not ours", { challenge: toBase64url(new Uint8Array(56)) }],
    ["with an empty challenge", { challenge: "" }],
    ["with a challenge of other characters", { challenge: "*" }],
    ["without presence and verification", { flags: 0 }],
    ["without verification", { flags: 0x01 }],
    ["without presence", { flags: 0x04 }],
    ["for another account", { userHandle: toBase64url(new Uint8Array(16)) }],
    ["with no signature bytes that are DER", { signature: () => new Uint8Array(64) }],
    ["with one byte behind the signature", { signature: (der) => Uint8Array.of(...der, 0) }],
    ["with one byte of the signature missing", { signature: (der) => der.slice(0, -1) }],
    ["with an integer that is longer than the signature", { signature: (der) => der.with(3, 0x7f) }],
    ["with an integer of no bytes", { signature: () => Uint8Array.of(0x30, 4, 2, 0, 2, 0) }],
    ["with a negative integer", { signature: () => Uint8Array.of(0x30, 6, 2, 1, 0x80, 2, 1, 1) }],
    ["with an integer in a longer form", { signature: () => Uint8Array.of(0x30, 7, 2, 2, 0, 1, 2, 1, 1) }],
    ["with a changed signature", { signature: (der) => der.with(-1, (der.at(-1) ?? 0) ^ 1) }],
  ];

  it.each(HOSTILE)("refuses an answer %s [PKEY-2]", async (_what, wrong) => {
    const { id, authenticator } = await personWithPasskey();
    const browser = new Browser();
    const credential = await authenticator.assert(await optionsFor(browser, "login"), wrong);
    expect(await logIn(browser, credential)).toEqual(REFUSED);
    expect(await browser.isSignedIn()).toBe(false);
    expect(await rowOf("select last_used_at from passkeys where user_id = ?", id)).toEqual({ last_used_at: null });
  });

  it("refuses a challenge for something else, and that of another session [PKEY-3]", async () => {
    const { browser, authenticator, email } = await personWithPasskey();
    const forConfirming = await authenticator.assert(await optionsFor(browser, "confirm"));
    expect(await logIn(new Browser(), forConfirming)).toEqual(REFUSED);
    const other = new Browser();
    await other.logIn(email);
    expect(await answerOf(other.post("/api/auth/confirm", { passkey: forConfirming }))).toEqual(REFUSED);
    expect((await browser.post("/api/auth/confirm", { passkey: forConfirming })).status).toBe(200);
  });

  it("refuses a counter that goes back or stays, and mails it [PKEY-4]", async () => {
    const { id, email, authenticator } = await personWithPasskey();
    const tryWith = async (counter: number) => {
      authenticator.counter = counter;
      return logIn(new Browser(), await authenticator.assert(await optionsFor(new Browser(), "login")));
    };
    expect((await tryWith(5))[0]).toBe(200);
    for (const counter of [5, 4, 0]) expect(await tryWith(counter)).toEqual(COPIED);
    const mails = (await mailsTo(email)).filter(({ subject }) => subject.includes("was refused"));
    expect(mails).toHaveLength(3);
    expect(
      await rowOf("select count(*) as n from account_events where user_id = ? and kind = 'passkey.refused'", id),
    ).toEqual({ n: 3 });
    expect((await tryWith(6))[0]).toBe(200);
  });

  it("mails nothing for a counter that nobody signed", async () => {
    const { email, authenticator } = await personWithPasskey();
    authenticator.counter = 5;
    await logIn(new Browser(), await authenticator.assert(await optionsFor(new Browser(), "login")));
    const wrong = { counter: 1, signature: (der: Uint8Array<ArrayBuffer>) => der.with(-1, (der.at(-1) ?? 0) ^ 1) };
    const credential = await authenticator.assert(await optionsFor(new Browser(), "login"), wrong);
    expect(await logIn(new Browser(), credential)).toEqual(REFUSED);
    expect((await mailsTo(email)).filter(({ subject }) => subject.includes("was refused"))).toEqual([]);
  });
});

describe("confirming by a passkey", () => {
  it("works where a password does not, because a second factor is set [PKEY-8]", async () => {
    const { browser, id, authenticator } = await personWithPasskey();
    await runSql("insert into second_factors (user_id, secret, confirmed_at) values (?, 'sealed', 1)", id);
    await letConfirmationRunOut(id);
    expect(await answerOf(browser.post("/api/auth/confirm", { password: PASSWORD }))).toMatchObject([
      403,
      { code: "CONFIRM_REQUIRED", methods: ["passkey", "code"] },
    ]);
    const options = await optionsFor(browser, "confirm");
    expect(options.allowCredentials.map((allowed) => allowed.id)).toEqual([authenticator.id]);
    const passkey = await authenticator.assert(options);
    expect((await browser.post("/api/auth/confirm", { passkey })).status).toBe(200);
    expect((await browser.post("/api/keys", { name: "A program", scopes: ["upload"] })).status).toBe(201);
  });

  it("refuses the passkey of somebody else", async () => {
    const { browser, id } = await personWithPasskey();
    const other = await personWithPasskey();
    await letConfirmationRunOut(id);
    const passkey = await other.authenticator.assert(await optionsFor(browser, "confirm"));
    expect(await answerOf(browser.post("/api/auth/confirm", { passkey }))).toEqual(REFUSED);
  });

  it("is another thing than the second factor of a sign-in that waits", async () => {
    const { id, email, authenticator } = await personWithPasskey();
    await runSql("insert into second_factors (user_id, secret, confirmed_at) values (?, 'sealed', 1)", id);
    const browser = new Browser();
    await browser.logIn(email);
    const { tokenHash } = await rowOf<{ tokenHash: string }>(
      "select token_hash as tokenHash from steps where user_id = ? and kind = 'second-factor'",
      id,
    );
    const options = await optionsFor(browser, "second-factor");
    expect(options.allowCredentials.map((allowed) => allowed.id)).toEqual([authenticator.id]);
    const credential = passkeyAssertion.parse(await authenticator.assert(options));
    const visit = readVisit(new Request(env.APP_ORIGIN));
    const check = (hash: string) =>
      checkPasskeyFactor(servicesFor(env), { userId: id, tokenHash: hash }, credential, visit, Date.now());
    expect(await logIn(browser, credential)).toEqual(REFUSED);
    await expect(check("another")).rejects.toMatchObject({ code: "PASSKEY_REFUSED" });
    await check(tokenHash);
    await expect(check(tokenHash)).rejects.toMatchObject({ code: "PASSKEY_REFUSED" });
  });

  it("needs a session, and a second factor needs a sign-in that waits", async () => {
    const ask = (purpose: string) => answerOf(new Browser().post("/api/auth/passkey/options", { purpose }));
    expect(await ask("confirm")).toMatchObject([401, { code: "UNAUTHORIZED" }]);
    expect(await ask("second-factor")).toMatchObject([401, { code: "STEP_ENDED" }]);
    expect((await ask("anything"))[0]).toBe(400);
  });
});
