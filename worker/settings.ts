import * as z from "zod/mini";
import { DATA_LOCATIONS } from "#domain/data-locations.ts";
import { emailAddress, parseSender } from "#domain/email-address.ts";
import { parseKinds, RISKY_KINDS, type RiskyKind } from "#domain/moderation/risky-kinds.ts";
import { parseScanner, SCAN_MODES, type ScanMode, type Scanner } from "#domain/moderation/scan.ts";
import { DAY_MS } from "#domain/units.ts";
import type { BillingMode } from "#domain/wire.ts";
import { readProviders, type LoginProvider } from "./login-providers.ts";

const required = z.string().check(z.minLength(1));

function wholeNumber(name: string, least: number, most: number) {
  const isWithin = (text: string) => /^\d+$/.test(text) && Number(text) >= least && Number(text) <= most;
  return z.string().check(z.refine(isWithin, `${name} must be a whole number from ${least} to ${most}`));
}

/** The environment variables, each of which docs/operations.md describes. */
const settingsSchema = z.object({
  APP_ENV: z._default(z.enum(["production", "development", "test"]), "production"),
  APP_ORIGIN: z.url("APP_ORIGIN must be the address people open, such as https://files.example.com"),
  BETTER_AUTH_SECRET: z.string().check(z.minLength(32, "BETTER_AUTH_SECRET must hold at least 32 characters")),
  DATA_KEY: z.string().check(z.minLength(32, "DATA_KEY must hold at least 32 characters")),
  DATA_KEY_FORMER: z._default(
    z
      .string()
      .check(z.refine((text) => text === "" || text.length >= 32, "DATA_KEY_FORMER must hold at least 32 characters")),
    "",
  ),
  ADMIN_USERNAME: z._default(z.string(), ""),
  ADMIN_PASSWORD: z._default(z.string(), ""),
  ADMIN_SECOND_FACTOR: z._default(z.enum(["required", "off"], "ADMIN_SECOND_FACTOR must be required or off"), "off"),
  ADMIN_TOTP_SECRET: z._default(
    z.string().check(z.regex(/^([A-Z2-7]{32,128})?$/, "ADMIN_TOTP_SECRET must be 32 to 128 characters of base32")),
    "",
  ),
  EMAIL_VERIFICATION: z.enum(["required", "off"]),
  MAIL_LINKS: z._default(z.enum(["on", "off"], "MAIL_LINKS must be on or off"), "on"),
  LOGIN_PROVIDERS: z._default(z.string(), ""),
  ANONYMOUS_UPLOADS: z.enum(["on", "off"]),
  RATE_LIMITS: z.enum(["on", "off"]),
  // The least value is 17, because tus clients are told to send 16 MiB per request, which is 16.8 MB.
  MAX_REQUEST_MB: wholeNumber("MAX_REQUEST_MB", 17, 5000),
  UPLOAD_LOG_DAYS: wholeNumber("UPLOAD_LOG_DAYS", 7, 3650),
  ENDED_FILE_DAYS: wholeNumber("ENDED_FILE_DAYS", 7, 3650),
  NEW_ACCOUNT_DOWNLOADS: wholeNumber("NEW_ACCOUNT_DOWNLOADS", 1, 1_000_000_000),
  NEW_ACCOUNT_RECIPIENTS: wholeNumber("NEW_ACCOUNT_RECIPIENTS", 1, 1_000_000),
  DATABASE_LIMIT_MB: wholeNumber("DATABASE_LIMIT_MB", 1, 1_000_000),
  MAIL_TRANSPORT: z.enum(["cloudflare", "resend", "local"]),
  MAIL_FROM: z
    .string()
    .check(z.refine((text) => parseSender(text) !== null, "MAIL_FROM must be an address, or a name and <an address>")),
  MAILS_A_DAY: wholeNumber("MAILS_A_DAY", 0, 10_000_000),
  CONTACT_EMAIL: emailAddress("CONTACT_EMAIL must be the address that people may write to"),
  RESEND_API_URL: z.url("RESEND_API_URL must be the mail provider's address"),
  RESEND_API_KEY: z._default(z.string(), ""),
  SCAN: z._default(z.enum(SCAN_MODES, `SCAN must be ${SCAN_MODES.join(", ")}`), "off"),
  SCANNER: z._default(z.string(), ""),
  SCANNER_KEY: z._default(z.string(), ""),
  SCAN_MAX_MB: z._default(wholeNumber("SCAN_MAX_MB", 1, 100_000), "100"),
  REFUSED_KINDS: z._default(
    z
      .string()
      .check(z.refine((text) => parseKinds(text) !== null, `REFUSED_KINDS must be of ${RISKY_KINDS.join(", ")}`)),
    "",
  ),
  TURNSTILE_SITE_KEY: z._default(z.string(), ""),
  TURNSTILE_SECRET_KEY: z._default(z.string(), ""),
  TURNSTILE_URL: z._default(
    z.url("TURNSTILE_URL must be the address of Turnstile's siteverify"),
    "https://challenges.cloudflare.com/turnstile/v0/siteverify",
  ),
  THROWAWAY_MAIL: z._default(z.enum(["refused", "allowed"], "THROWAWAY_MAIL must be refused or allowed"), "refused"),
  BILLING: z._default(z.enum(["stripe", "manual"]), "stripe"),
  STRIPE_SECRET_KEY: z._default(z.string(), ""),
  STRIPE_WEBHOOK_SECRET: z._default(z.string(), ""),
  STRIPE_PUBLISHABLE_KEY: z._default(z.string(), ""),
  STRIPE_API_URL: z._default(z.url("STRIPE_API_URL must be the address of Stripe's API"), "https://api.stripe.com"),
  DATA_LOCATION: z._default(
    z.enum(DATA_LOCATIONS, `DATA_LOCATION must be ${DATA_LOCATIONS.slice(1).join(", ")}, or empty`),
    "",
  ),
  S3_ENDPOINT: z.url("S3_ENDPOINT must be the S3 API's address, without the bucket"),
  S3_BUCKET: required,
  S3_ACCESS_KEY_ID: required,
  S3_SECRET_ACCESS_KEY: required,
});

export interface Settings {
  appEnv: "production" | "development" | "test";
  /**
   * The site's origin: scheme, host and port, without a trailing slash. In development, `withLocalOrigin` fills in an
   * empty origin.
   */
  origin: string;
  authSecret: string;
  dataKey: string;
  /**
   * The key that opens secrets which were sealed before `DATA_KEY` was last replaced. Empty when no secret needs a
   * former key.
   */
  formerDataKey: string;
  emailVerification: "required" | "off";
  /** The first administrator; null if not configured. `totpSecret`: base32, "" without an authenticator app. */
  admin: { username: string; password: string; totpSecret: string } | null;
  /** "off": an administrator without a second factor can sign in with a password alone. */
  adminSecondFactor: "required" | "off";
  /** Whether people can sign in by mailed links and codes. */
  mailLinks: boolean;
  /** OAuth and OpenID providers through which people sign in. */
  providers: LoginProvider[];
  anonymousUploads: boolean;
  /** "off" lifts the limits on calls, never the plans' quotas. */
  rateLimits: "on" | "off";
  /** The largest body of one request by a program such as curl or a tus client, in bytes. */
  maxRequestBytes: number;
  /** How long the log of uploads is kept. */
  uploadLogMs: number;
  /** How long the row of a file is kept after its bytes were deleted, or after its upload ended without a file. */
  endedFileMs: number;
  /** How often the links of a new account may be downloaded in a UTC day, all together. */
  newAccountDownloads: number;
  /** To how many addresses a new account may mail links within 24 hours. */
  newAccountRecipients: number;
  /** The size at which the database is full, in bytes. */
  databaseLimitBytes: number;
  mail: MailSettings;
  /** The address that the privacy page names. */
  contactEmail: string;
  billing: BillingSettings;
  /** How ready links are scanned; null if they are not. */
  scan: ScanSettings | null;
  /** The kinds of files that nobody may send. */
  refusedKinds: RiskyKind[];
  /** How strangers show that they are people; null if they need not. */
  turnstile: { siteKey: string; secretKey: string; url: string } | null;
  /** Whether accounts may have throw-away addresses. */
  throwawayMail: boolean;
  s3: { endpoint: string; bucket: string; accessKeyId: string; secretAccessKey: string };
}

interface ScanSettings {
  mode: Exclude<ScanMode, "off">;
  scanner: Scanner;
  /** Files above this size are not scanned. */
  maxBytes: number;
}

export interface MailSettings {
  transport: "cloudflare" | "resend" | "local";
  /** An address, or a name and an address in angle brackets. */
  from: string;
  /** How many mails the provider takes in a day; null if that is not known. */
  mailsADay: number | null;
  resendApiUrl: string;
  resendApiKey: string;
}

export interface BillingSettings {
  /** How plans are paid. "off": the operator wants to use Stripe, but has given no key yet. */
  mode: BillingMode;
  stripeSecretKey: string;
  stripeWebhookSecret: string;
  /** Null if not configured, so that browsers get no Stripe key. */
  stripePublishableKey: string | null;
  stripeApiUrl: string;
}

/** @throws Error naming every missing or invalid setting */
export function readSettings(env: object): Settings {
  const result = settingsSchema.safeParse(env);
  if (!result.success) {
    const faults = result.error.issues.map(({ path, message }) => {
      const name = path.join(".");
      return Reflect.get(env, name) ? `${name}: ${message}` : `${name} is missing`;
    });
    throw new Error(`The settings are not complete. ${faults.join("; ")}`);
  }
  const vars = result.data;
  if (vars.APP_ENV === "production" && vars.RATE_LIMITS === "off") {
    throw new Error("RATE_LIMITS is off, which APP_ENV production does not allow.");
  }
  if (vars.APP_ENV === "production" && vars.MAIL_TRANSPORT === "local") {
    throw new Error("MAIL_TRANSPORT is local, which APP_ENV production does not allow: everybody could read the mail.");
  }
  return {
    appEnv: vars.APP_ENV,
    origin: new URL(vars.APP_ORIGIN).origin,
    authSecret: vars.BETTER_AUTH_SECRET,
    dataKey: vars.DATA_KEY,
    formerDataKey: vars.DATA_KEY_FORMER,
    emailVerification: vars.EMAIL_VERIFICATION,
    admin: adminSettings(vars),
    adminSecondFactor: vars.ADMIN_SECOND_FACTOR,
    mailLinks: vars.MAIL_LINKS === "on",
    providers: readProviders(vars.LOGIN_PROVIDERS, vars.APP_ENV),
    anonymousUploads: vars.ANONYMOUS_UPLOADS === "on",
    rateLimits: vars.RATE_LIMITS,
    maxRequestBytes: Number(vars.MAX_REQUEST_MB) * 1_000_000,
    uploadLogMs: Number(vars.UPLOAD_LOG_DAYS) * DAY_MS,
    endedFileMs: Number(vars.ENDED_FILE_DAYS) * DAY_MS,
    newAccountDownloads: Number(vars.NEW_ACCOUNT_DOWNLOADS),
    newAccountRecipients: Number(vars.NEW_ACCOUNT_RECIPIENTS),
    databaseLimitBytes: Number(vars.DATABASE_LIMIT_MB) * 1_000_000,
    mail: {
      transport: vars.MAIL_TRANSPORT,
      from: vars.MAIL_FROM,
      mailsADay: Number(vars.MAILS_A_DAY) || null,
      resendApiUrl: vars.RESEND_API_URL.replace(/\/$/, ""),
      resendApiKey: vars.RESEND_API_KEY,
    },
    contactEmail: vars.CONTACT_EMAIL,
    billing: billingSettings(vars),
    scan: scanSettings(vars),
    refusedKinds: parseKinds(vars.REFUSED_KINDS) ?? [],
    turnstile: turnstileSettings(vars),
    throwawayMail: vars.THROWAWAY_MAIL === "allowed",
    s3: {
      endpoint: vars.S3_ENDPOINT.replace(/\/$/, ""),
      bucket: vars.S3_BUCKET,
      accessKeyId: vars.S3_ACCESS_KEY_ID,
      secretAccessKey: vars.S3_SECRET_ACCESS_KEY,
    },
  };
}

const ADMIN_PASSWORD_MIN_LENGTH = 8;

function adminSettings(vars: z.infer<typeof settingsSchema>): Settings["admin"] {
  const { ADMIN_USERNAME, ADMIN_PASSWORD: password, ADMIN_TOTP_SECRET: totpSecret } = vars;
  const username = ADMIN_USERNAME.trim();
  if (username === "" && password === "") return null;
  if (username === "" || password.length < ADMIN_PASSWORD_MIN_LENGTH) {
    throw new Error(
      `Set both ADMIN_USERNAME and ADMIN_PASSWORD, which holds at least ${ADMIN_PASSWORD_MIN_LENGTH} characters.`,
    );
  }
  return { username, password, totpSecret };
}

function scanSettings(vars: z.infer<typeof settingsSchema>): ScanSettings | null {
  const mode = vars.SCAN;
  if (mode === "off") return null;
  const scanner = parseScanner(vars.SCANNER, vars.SCANNER_KEY);
  if (!scanner) {
    throw new Error("SCANNER must be clamd://host:port, clamds://host:port, or the https:// address of a scanner.");
  }
  return { mode, scanner, maxBytes: Number(vars.SCAN_MAX_MB) * 1_000_000 };
}

function turnstileSettings(vars: z.infer<typeof settingsSchema>): Settings["turnstile"] {
  const { TURNSTILE_SITE_KEY: siteKey, TURNSTILE_SECRET_KEY: secretKey, TURNSTILE_URL: url } = vars;
  if (siteKey === "" && secretKey === "") return null;
  if (siteKey === "" || secretKey === "") throw new Error("Set both TURNSTILE_SITE_KEY and TURNSTILE_SECRET_KEY.");
  return { siteKey, secretKey, url };
}

function billingSettings(vars: z.infer<typeof settingsSchema>): BillingSettings {
  const hasKey = vars.STRIPE_SECRET_KEY !== "";
  if (hasKey && vars.STRIPE_WEBHOOK_SECRET === "") {
    throw new Error("STRIPE_WEBHOOK_SECRET is not set: no payment would become a plan.");
  }
  return {
    mode: hasKey ? "stripe" : vars.BILLING === "manual" ? "manual" : "off",
    stripeSecretKey: vars.STRIPE_SECRET_KEY,
    stripeWebhookSecret: vars.STRIPE_WEBHOOK_SECRET,
    stripePublishableKey: vars.STRIPE_PUBLISHABLE_KEY || null,
    stripeApiUrl: vars.STRIPE_API_URL.replace(/\/$/, ""),
  };
}
