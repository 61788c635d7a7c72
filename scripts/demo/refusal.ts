/** Settings with which the demo would write to something else than this machine. */
const FOREIGN = ["S3_ENDPOINT", "STRIPE_API_URL", "STRIPE_SECRET_KEY"];

/**
 * Says why the demo must not run: it makes accounts with known passwords, so it stays on this machine.
 * @param env of the process @returns null when the demo may run
 */
export function refusalOf(env: Record<string, string | undefined>): string | null {
  const { APP_ENV = "development" } = env;
  if (APP_ENV !== "development") return `The demo runs in development only, and APP_ENV is "${APP_ENV}".`;
  const found = FOREIGN.find((name) => env[name]);
  if (found !== undefined) return `The demo uses nothing but this machine. Unset ${found} and start it again.`;
  return null;
}
