import * as z from "zod/mini";
import { SUMMARY_MAX } from "../summary-limits.ts";

const count = z.number().check(z.int(), z.nonnegative(), z.maximum(SUMMARY_MAX.count));
const seconds = z.number().check(z.int(), z.nonnegative(), z.maximum(SUMMARY_MAX.seconds));

/** Why a part was sent again. `stalled`: it had stopped while others moved. */
export const RESEND_CAUSES = ["network", "timeout", "rejected", "stalled"] as const;
export type ResendCause = (typeof RESEND_CAUSES)[number];

/**
 * How an upload of a single file went, as its sender saw it. Numbers and fixed words only: no address, no name. Nothing
 * depends on it; an administrator reads it.
 */
export const uploadSummary = z.strictObject({
  /** How the parts travelled; `both`: some of them each way. */
  transport: z.enum(["direct", "proxy", "both"]),
  seconds,
  /** How many parts, by cause. */
  sentAgain: z.strictObject({ network: count, timeout: count, rejected: count, stalled: count }),
  /** How often nothing moved for two seconds or more. */
  stalls: count,
  /** All of them together. */
  stalledSeconds: seconds,
  /** Percent: the mean speed, of the best that the upload saw for three seconds. */
  lineShare: z.number().check(z.int(), z.nonnegative(), z.maximum(100)),
});
export type UploadSummary = z.infer<typeof uploadSummary>;
