import * as z from "zod/mini";
import { KEY_SCOPES, KEY_NAME_MAX_LENGTH } from "../api-keys.ts";
import { DEVICE_GRANT } from "../device-codes.ts";
import { EXPIRATIONS } from "../expiry.ts";
import { messageName } from "../field-messages.ts";
import { PLAN_IDS } from "../plans.ts";
import { requiredName } from "../wire/checks.ts";
import type { V1Call } from "./call.ts";
import { at, bytes, count, described } from "./fields.ts";

const whole = z.number().check(z.int(), z.positive());

const me = z.object({
  email: z.string(),
  plan: z.enum(PLAN_IDS),
  limits: z.object({
    fileSize: bytes,
    monthBytes: bytes,
    monthTransfers: count,
    entries: described(count, "Files in one transfer."),
    longestExpiry: z.enum(EXPIRATIONS),
    stored: described(z.nullable(bytes), "At the same time. Null: as much as you like."),
  }),
  month: z.object({ bytes, transfers: count, endsAt: at("When the next month begins.") }),
  key: z.object({
    id: z.string(),
    name: z.string(),
    lastFour: z.string(),
    scopes: z.array(z.enum(KEY_SCOPES)),
    expiresAt: described(z.nullable(z.iso.datetime()), "Null: never."),
    limits: z.object({
      callsPerMinute: whole,
      monthBytes: described(z.nullable(bytes), "Null: only the plan's limit."),
      largestFileBytes: described(z.nullable(bytes), "Null: only the plan's limit."),
    }),
    monthUsed: described(bytes, "That this key has sent this month."),
  }),
});

export const ME_CALLS = {
  readMe: {
    method: "GET",
    path: "/me",
    tag: "Account",
    summary: "See the plan, what the month has taken, and this key",
    scope: "any",
    limit: null,
    status: 200,
    answer: me,
    errors: [],
    example: {
      answer: {
        email: "ada@example.com",
        plan: "free",
        limits: {
          fileSize: 524_288_000,
          monthBytes: 2_147_483_648,
          monthTransfers: 20,
          entries: 1000,
          longestExpiry: "3d",
          stored: null,
        },
        month: { bytes: 5, transfers: 1, endsAt: "2026-12-23T12:00:00.000Z" },
        key: {
          id: "0d3f6f2e-6f0a-4a43-9e0b-5b1a0a6a7c11",
          name: "Backups",
          lastFour: "jyrI",
          scopes: ["upload"],
          expiresAt: "2027-02-21T12:00:00.000Z",
          limits: { callsPerMinute: 300, monthBytes: null, largestFileBytes: null },
          monthUsed: 5,
        },
      },
    },
  },
} as const satisfies Record<string, V1Call>;

/** Characters that are not allowed in a stranger's device name, because they could hide or turn the words around it. */
const INVISIBLE = /[\p{Cc}\p{Cf}\u2028\u2029]/u;

const deviceName = described(
  requiredName("notDeviceName", KEY_NAME_MAX_LENGTH, "notDeviceName").check(
    z.refine((text) => !INVISIBLE.test(text), messageName("notDeviceName")),
  ),
  "The page shows it to whoever agrees, and the key is called by it.",
);

const EXAMPLE_DEVICE_CODE = "4sNfLBh1SkTcmBYyMbKtWvqPzV1HnXr7Jd0uGoEQa2i";

/** Calls by which programs without a browser get a key: OAuth's device flow (RFC 8628), with its names, in JSON. */
export const DEVICE_CALLS = {
  startDevice: {
    method: "POST",
    path: "/device",
    tag: "Account",
    summary: "Begin to sign a program in",
    description:
      "Show `user_code` and `verification_uri` to the person, and ask `/device/token` until they have agreed on that page. Requests from web pages are refused.",
    scope: null,
    limit: "startDevice",
    body: z.object({ device_name: deviceName }),
    status: 200,
    answer: z.object({
      device_code: described(z.string(), "A secret of the program."),
      user_code: described(z.string(), "What the person types: eight letters and a dash."),
      verification_uri: described(z.url(), "The page that asks for the code."),
      verification_uri_complete: described(
        z.url(),
        "The same page: the code is always typed, so that nobody agrees to what somebody else has sent them.",
      ),
      expires_in: described(count, "Seconds."),
      interval: described(count, "Seconds between two questions."),
    }),
    errors: ["CROSS_SITE"],
    example: {
      body: { device_name: "ada-laptop" },
      answer: {
        device_code: EXAMPLE_DEVICE_CODE,
        user_code: "BCDF-GHJK",
        verification_uri: "https://files.example/device",
        verification_uri_complete: "https://files.example/device",
        expires_in: 600,
        interval: 5,
      },
    },
  },
  pollDevice: {
    method: "POST",
    path: "/device/token",
    tag: "Account",
    summary: "Get the key once the person has agreed",
    description:
      "A code gives one key. Until then `error` says what to do, as in RFC 8628: `authorization_pending` and `slow_down` mean to ask again, the latter with five seconds more between two questions; `access_denied` and `expired_token` are the end.",
    scope: null,
    limit: "pollDevice",
    body: z.object({ grant_type: z.literal(DEVICE_GRANT), device_code: z.string().check(z.maxLength(200)) }),
    status: 200,
    answer: z.object({
      access_token: described(z.string(), "The API key."),
      token_type: z.literal("Bearer"),
      expires_in: described(count, "Seconds."),
      scope: described(z.string(), "What the key may do, with spaces between."),
    }),
    errors: ["AUTHORIZATION_PENDING", "SLOW_DOWN", "ACCESS_DENIED", "EXPIRED_TOKEN", "PLAN_LIMIT_EXCEEDED"],
    example: {
      body: { grant_type: DEVICE_GRANT, device_code: EXAMPLE_DEVICE_CODE },
      answer: {
        access_token: "mayfly_…",
        token_type: "Bearer",
        expires_in: 7_776_000,
        scope: "upload files:read files:write requests",
      },
    },
  },
  endKey: {
    method: "DELETE",
    path: "/key",
    tag: "Account",
    summary: "Revoke this key",
    description: "Only a key that a program got by signing in ends itself. Its owner revokes all others.",
    scope: "any",
    limit: null,
    status: 204,
    errors: ["FORBIDDEN"],
    example: {},
  },
} as const satisfies Record<string, V1Call>;
