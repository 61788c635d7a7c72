import { env } from "cloudflare:workers";
import { Secret } from "otpauth";
import { Authenticator } from "./authenticator.ts";
import { Browser, PASSWORD, signUpInBrowser } from "./browser.ts";
import { codeAt, setUpFactor } from "./second-factor.ts";
import { answerOf, runSql } from "./worker.ts";

/** Base32, of an app that nobody else has. */
export const newTotpSecret = () => new Secret({ size: 20 }).base32;

/** An administrator, and what they show. */
export interface TestAdministrator {
  /** Their account's id; null for the administrator of the settings. */
  id: string | null;
  username: string;
  password: string;
  /** With which they log in. */
  environment: Env;
  /** Base32; "" without an app. */
  secret: string;
  authenticator: Authenticator | null;
  /** In which they are signed in to their account, if they have one. */
  browser: Browser;
}

interface Wish {
  has: readonly ("app" | "passkey")[];
  setting: "required" | "off";
}

export async function configuredAdministrator({ has, setting }: Wish): Promise<TestAdministrator> {
  const secret = has.includes("app") ? newTotpSecret() : "";
  const environment = { ...env, ADMIN_SECOND_FACTOR: setting, ADMIN_TOTP_SECRET: secret };
  const { ADMIN_USERNAME: username, ADMIN_PASSWORD: password } = env;
  const browser = new Browser(environment);
  return Promise.resolve({ id: null, username, password, environment, secret, authenticator: null, browser });
}

export async function accountAdministrator({ has, setting }: Wish): Promise<TestAdministrator> {
  const environment = { ...env, ADMIN_SECOND_FACTOR: setting };
  const { browser, id, email } = await signUpInBrowser(environment);
  await runSql("update users set is_admin = 1 where id = ?", id);
  const secret = has.includes("app") ? (await setUpFactor(browser)).secret : "";
  const authenticator = has.includes("passkey") ? await Authenticator.create() : null;
  await authenticator?.saveFor(id);
  return { id, username: email, password: PASSWORD, environment, secret, authenticator, browser };
}

/** Name and password. */
export function enterPassword(
  { username, password }: Pick<TestAdministrator, "username" | "password">,
  browser: Browser,
): Promise<[number, Record<string, unknown>]> {
  return answerOf(browser.post("/api/admin/login", { username, password }));
}

export function showCode(browser: Browser, code: string): Promise<[number, Record<string, unknown>]> {
  return answerOf(browser.post("/api/admin/second-factor", { code }));
}

type Purpose = "login" | "second-factor" | "confirm";

/** The answer of a passkey to the challenge that this browser asks for. @throws Error when there is no passkey */
export async function answerPasskey(browser: Browser, { authenticator }: TestAdministrator, purpose: Purpose) {
  const response = await browser.post("/api/admin/passkey/options", { purpose });
  if (response.status !== 200 || !authenticator) throw new Error(`asking for a passkey answered ${response.status}`);
  return authenticator.assert(await response.json<{ challenge: string }>());
}

/** Goes through all that is asked. @returns a browser with an admin session */
export async function logInWholly(administrator: TestAdministrator): Promise<Browser> {
  const browser = new Browser(administrator.environment);
  const [, { isAdmin }] = await enterPassword(administrator, browser);
  if (isAdmin === false) await showCode(browser, codeAt(administrator.secret, 0));
  if (!(await isAdminIn(browser))) throw new Error(`${administrator.username} is not logged in`);
  return browser;
}

export async function isAdminIn(browser: Browser): Promise<boolean> {
  const [, { isAdmin }] = await answerOf(browser.fetch("/api/admin/auth-check"));
  return isAdmin === true;
}
