import * as z from "zod/mini";

const required = (name: string) => z.string().check(z.minLength(1, `${name} is not set`));

/** The environment's variables and secrets, parsed once. docs/operations.md says what each means. */
const settingsSchema = z.object({
  APP_ENV: z._default(z.enum(["production", "development", "test"]), "production"),
  APP_ORIGIN: z.url("APP_ORIGIN must be the address people open, such as https://files.example.com"),
  BETTER_AUTH_SECRET: z.string().check(z.minLength(32, "BETTER_AUTH_SECRET must hold at least 32 characters")),
  EMAIL_VERIFICATION: z.enum(["required", "off"]),
  S3_ENDPOINT: z.url("S3_ENDPOINT must be the S3 API's address, without the bucket"),
  S3_BUCKET: required("S3_BUCKET"),
  S3_ACCESS_KEY_ID: required("S3_ACCESS_KEY_ID"),
  S3_SECRET_ACCESS_KEY: required("S3_SECRET_ACCESS_KEY"),
});

export interface Settings {
  appEnv: "production" | "development" | "test";
  /** Scheme, host and port, without a trailing slash. Links and tokens are built on it, never on the Host header. */
  origin: string;
  authSecret: string;
  emailVerification: "required" | "off";
  s3: { endpoint: string; bucket: string; accessKeyId: string; secretAccessKey: string };
}

/**
 * Reads the settings from the environment.
 * @throws Error naming every setting that is missing or wrong
 */
export function readSettings(env: Env): Settings {
  const result = settingsSchema.safeParse(env);
  if (!result.success) {
    const faults = result.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
    throw new Error(`The settings are not complete. ${faults.join("; ")}`);
  }
  const vars = result.data;
  return {
    appEnv: vars.APP_ENV,
    origin: new URL(vars.APP_ORIGIN).origin,
    authSecret: vars.BETTER_AUTH_SECRET,
    emailVerification: vars.EMAIL_VERIFICATION,
    s3: {
      endpoint: vars.S3_ENDPOINT.replace(/\/$/, ""),
      bucket: vars.S3_BUCKET,
      accessKeyId: vars.S3_ACCESS_KEY_ID,
      secretAccessKey: vars.S3_SECRET_ACCESS_KEY,
    },
  };
}
