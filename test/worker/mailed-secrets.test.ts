import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { Browser, letConfirmationRunOut, mailsTo, signUpInBrowser } from "../support/browser.ts";
import { setUpFactor } from "../support/second-factor.ts";
import { logInAdmin, runSql } from "../support/worker.ts";

const VERIFYING = { ...env, EMAIL_VERIFICATION: "required" as const };

async function newPerson() {
  const person = await signUpInBrowser();
  await runSql("update users set is_verified = 1 where id = ?", person.id);
  return person;
}

interface Mailed {
  /** Whom the mail goes to. */
  email: string;
  /** Part of the mail's text. */
  about: string;
}

/** Every mail that carries a secret which opens, confirms or changes an account. */
const MAILS: Record<string, () => Promise<Mailed>> = {
  "an address to confirm": async () => {
    const email = `${crypto.randomUUID()}@example.com`;
    await new Browser(VERIFYING).post("/api/auth/register", { email, password: "a good password" });
    return { email, about: "/verify-email?token=" };
  },
  "a new address to confirm": async () => {
    const { browser } = await newPerson();
    const newEmail = `${crypto.randomUUID()}@example.com`;
    await browser.post("/api/auth/change-email", { newEmail });
    return { email: newEmail, about: "/verify-email?token=" };
  },
  "a new address, to the former one": async () => {
    const { browser, email } = await newPerson();
    await browser.post("/api/auth/change-email", { newEmail: `${crypto.randomUUID()}@example.com` });
    return { email, about: "/undo-email?token=" };
  },
  "a password to set": async () => {
    const { email } = await newPerson();
    await new Browser().post("/api/auth/reset-password", { email });
    return { email, about: "/reset-password?token=" };
  },
  "a sign-in": async () => {
    const { email } = await newPerson();
    await new Browser().post("/api/auth/mail-link", { email });
    return { email, about: "/sign-in-link#" };
  },
  "a code that confirms": async () => {
    const { browser, id, email } = await newPerson();
    await letConfirmationRunOut(id);
    await browser.post("/api/auth/confirm/mail", {});
    return { email, about: "Confirm that it is you" };
  },
  "a new device": async () => {
    const { email } = await newPerson();
    await new Browser().logIn(email);
    return { email, about: "/not-me?token=" };
  },
  "a second factor to be removed": async () => {
    const { browser, id, email } = await newPerson();
    await setUpFactor(browser);
    await (await logInAdmin()).post(`/api/admin/users/${id}/second-factor/removal`, {});
    return { email, about: "/keep-factor?token=" };
  },
};

/** What follows "token=" or "#" in a link, its two halves where it names a row first, and codes of eight digits. */
function secretsIn(text: string): string[] {
  const links = [...text.matchAll(/https?:\S+?(?:token=|#)(\S+)/g)].map(([, token = ""]) => token);
  const halves = links.flatMap((token) => (/^[0-9a-f]{128}$/.test(token) ? [token.slice(64)] : []));
  const codes = [...text.matchAll(/\b(\d{4}) (\d{4})\b/g)].map(([, first, second]) => `${first}${second}`);
  return [...new Set([...links, ...halves, ...codes])];
}

/** Each text in the database with its table. The local mailbox stands for the person's own. */
async function textsInDatabase(): Promise<[table: string, text: string][]> {
  const tables = await env.DB.prepare(
    "select name from sqlite_schema where type = 'table' and name not like '\\_cf%' escape '\\' and name <> 'local_mailbox'",
  ).all<{ name: string }>();
  const texts = await Promise.all(
    tables.results.map(async ({ name }) => {
      const { results } = await env.DB.prepare(`select * from "${name}"`).all();
      return results.flatMap((row) =>
        Object.values(row).flatMap((value): [string, string][] => (typeof value === "string" ? [[name, value]] : [])),
      );
    }),
  );
  return texts.flat();
}

it.each(Object.entries(MAILS))("the database has no secret of a mail about %s [AUTH-47]", async (_about, send) => {
  const { email, about } = await send();
  const textOf = async () => (await mailsTo(email)).find(({ text }) => text.includes(about))?.text ?? "";
  await expect.poll(textOf).not.toBe("");
  const secrets = secretsIn(await textOf());
  expect(secrets).not.toEqual([]);
  const waiting = env.DB.prepare('select count(*) as n from mail_outbox where "to" = ?').bind(email);
  await expect.poll(() => waiting.first("n")).toBe(0);
  const texts = await textsInDatabase();
  expect(texts.length).toBeGreaterThan(50);
  // Between other digits, eight digits are part of something else.
  const isIn = (text: string, secret: string) =>
    /^\d{8}$/.test(secret) ? new RegExp(`(?<![0-9a-f])${secret}(?![0-9a-f])`).test(text) : text.includes(secret);
  expect(texts.filter(([, text]) => secrets.some((secret) => isIn(text, secret)))).toEqual([]);
});
