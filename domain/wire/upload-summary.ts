import * as z from "zod/mini";
import { SUMMARY_MAX } from "../summary-limits.ts";

const count = z.number().check(z.int(), z.nonnegative(), z.maximum(SUMMARY_MAX.count));
const seconds = z.number().check(z.int(), z.nonnegative(), z.maximum(SUMMARY_MAX.seconds));

/** Why a part was sent again. `stalled`: it had stopped while others moved. */
export const RESEND_CAUSES = ["network", "timeout", "rejected", "stalled"] as const;
export type ResendCause = (typeof RESEND_CAUSES)[number];

/** What held an upload up while nothing was on the line. `person`: a file could not be read, or had changed. */
export const UPLOAD_WAITS = ["files", "server", "person"] as const;
export type UploadWait = (typeof UPLOAD_WAITS)[number];

/**
 * How an upload went, as its sender saw it. Numbers and fixed words only: no address, no name. Nothing depends on it; an
 * administrator reads it.
 */
export const uploadSummary = z.strictObject({
  /** How the parts travelled; `both`: some of them `direct`, some by `proxy`. */
  transport: z.enum(["direct", "proxy", "both", "chunks"]),
  seconds,
  /** How many parts, by cause. */
  sentAgain: z.strictObject({ network: count, timeout: count, rejected: count, stalled: count }),
  /** Seconds without anything on the line, by what held the upload up. */
  waited: z.optional(z.strictObject({ files: seconds, server: seconds, person: seconds })),
  /** How often nothing moved for two seconds or more, although something was on the line. */
  stalls: count,
  /** All of them together. */
  stalledSeconds: seconds,
  /** Percent: the mean speed while something was on the line, of the best that the upload saw for three seconds. */
  lineShare: z.number().check(z.int(), z.nonnegative(), z.maximum(100)),
});
export type UploadSummary = z.infer<typeof uploadSummary>;
