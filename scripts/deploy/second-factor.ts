import { renderUnicodeCompact } from "uqr";
import { PRODUCT_NAME } from "#domain/brand.ts";
import { newFactor } from "#worker/accounts/totp.ts";
import { saveSetting, SETTINGS_FILE, type Setting } from "./settings.ts";
import { answer, type Terminal } from "./terminal.ts";

const NAME = "ADMIN_SECOND_FACTOR";

interface Deciding {
  terminal: Terminal;
  env: NodeJS.ProcessEnv;
  /** The folder of .deploy.vars. */
  folder: string;
  /** The names of the secrets that Cloudflare has. */
  stored: Set<string>;
}

/**
 * Decides whether administrators need a second factor, where nobody has decided yet. In a new deployment administrators
 * need one. For an older deployment the person is asked; without a terminal the setting stays off, so that an upgrade
 * locks nobody out.
 * @returns the settings with the decision, which is saved
 */
export async function decideSecondFactor(
  { terminal, env, folder, stored }: Deciding,
  settings: Setting[],
): Promise<Setting[]> {
  const undecided = settings.some(({ name, source }) => name === NAME && source === "wrangler.toml");
  const isNew = !stored.has("BETTER_AUTH_SECRET");
  // If Cloudflare has this secret, an earlier run set "required", and the answers of that run were not kept.
  const isRequired = isNew || stored.has("ADMIN_TOTP_SECRET");
  if (!undecided || (!isRequired && !terminal.isInteractive)) return settings;
  const value = isRequired ? "required" : await ask(terminal, env);
  const decided: Setting = { name: NAME, value, source: SETTINGS_FILE };
  saveSetting(folder, decided);
  return settings.map((setting) => (setting.name === NAME ? decided : setting));
}

function ask(terminal: Terminal, env: NodeJS.ProcessEnv): Promise<string> {
  return answer(terminal, env, {
    name: NAME,
    text:
      "Shall administrators need a second factor from now on? required or off. With required, the first administrator " +
      "gets a QR code for an authenticator app in a moment, and the others set a passkey or an app up in their accounts.",
    fallback: "required",
    check: (value) => (/^(required|off)$/.test(value) ? null : "it must be required or off."),
  });
}

/**
 * The secret of the first administrator's app: from the environment, or a new secret, which is shown once as a QR code.
 * @param username names the account in the app @returns base32
 * @throws DeployError without either a terminal or the variable: a job's log must not show a secret
 */
export async function chooseTotpSecret(terminal: Terminal, env: NodeJS.ProcessEnv, username: string): Promise<string> {
  if (env.ADMIN_TOTP_SECRET || !terminal.isInteractive) {
    return answer({ ...terminal, isInteractive: false }, env, {
      name: "ADMIN_TOTP_SECRET",
      text: `The secret of the first administrator's authenticator app, 32 characters of base32. ${NAME}=off does without.`,
      check: (secret) => (/^[A-Z2-7]{32,128}$/.test(secret) ? null : "it must be 32 to 128 characters of base32."),
    });
  }
  const { secret, address } = newFactor(username);
  terminal.print(
    `\n  Scan this with an authenticator app now, because it is shown only once. The login at /admin asks for its code.\n\n` +
      `${renderUnicodeCompact(address)}\n\n  Or type this key for ${PRODUCT_NAME} (${username}): ${secret}\n`,
  );
  return secret;
}
