/** The last result per environment. `servicesFor` caches by object identity, so equal results must be one object. */
const lastResults = new WeakMap<Env, { origin: string; env: Env }>();

/**
 * Fills an empty APP_ORIGIN or S3_ENDPOINT from the request's URL, for local development. Never affects a deployment:
 * only `.dev.vars` sets APP_ENV to development, and the host must be this machine.
 * @param request null for the cron, which uses the URL of the last request
 */
export function withLocalOrigin(env: Env, request: Request | null): Env {
  if (env.APP_ENV !== "development" || (env.APP_ORIGIN !== "" && env.S3_ENDPOINT !== "")) return env;
  const last = lastResults.get(env);
  if (request === null) return last?.env ?? env;
  const { origin, hostname } = new URL(request.url);
  if (!isLocalhost(hostname)) return env;
  if (last?.origin === origin) return last.env;
  const result = {
    ...env,
    APP_ORIGIN: env.APP_ORIGIN || origin,
    S3_ENDPOINT: env.S3_ENDPOINT || `${origin}/cdn-cgi/local/r2/s3`,
  };
  lastResults.set(env, { origin, env: result });
  return result;
}

/** Host names of this machine (RFC 6761, 6.3). */
function isLocalhost(hostname: string): boolean {
  return ["localhost", "127.0.0.1", "[::1]"].includes(hostname) || hostname.endsWith(".localhost");
}
