/** What the environment was filled in to, by the address it was last asked at. */
const filledIn = new WeakMap<Env, { origin: string; env: Env }>();

/**
 * In local development APP_ORIGIN and S3_ENDPOINT may be empty: they are then the address that was opened, and the local
 * store there. This never happens in a deployment: APP_ENV has to be development, which `.dev.vars` alone says, and the
 * address has to be this machine's, at which Cloudflare serves nobody.
 * @param request what came in; null for the cron, which takes the address that was opened last
 */
export function atLocalAddress(env: Env, request: Request | null): Env {
  if (env.APP_ENV !== "development" || (env.APP_ORIGIN !== "" && env.S3_ENDPOINT !== "")) return env;
  const last = filledIn.get(env);
  if (request === null) return last?.env ?? env;
  const { origin, hostname } = new URL(request.url);
  if (!isThisMachine(hostname)) return env;
  if (last?.origin === origin) return last.env;
  const filled = {
    ...env,
    APP_ORIGIN: env.APP_ORIGIN || origin,
    S3_ENDPOINT: env.S3_ENDPOINT || `${origin}/cdn-cgi/local/r2/s3`,
  };
  filledIn.set(env, { origin, env: filled });
  return filled;
}

/** RFC 6761 (6.3) keeps localhost and the names under it for the machine itself. */
function isThisMachine(hostname: string): boolean {
  return ["localhost", "127.0.0.1", "[::1]"].includes(hostname) || hostname.endsWith(".localhost");
}
