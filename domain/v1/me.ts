import * as z from "zod/mini";
import { KEY_SCOPES } from "../api-keys.ts";
import { EXPIRATIONS } from "../expiry.ts";
import { PLAN_IDS } from "../plans.ts";
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
