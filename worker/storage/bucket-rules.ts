import { INCOMING_RETENTION_MS } from "#domain/upload-lifetime.ts";
import { DAY_MS } from "#domain/units.ts";
import { INCOMING_PREFIX } from "./keys.ts";

/** Two APIs set it: S3 and Cloudflare. */
export interface CorsRule {
  origins: string[];
  methods: string[];
  headers: string[];
  exposeHeaders: string[];
  maxAgeSeconds: number;
}

/** Allows only presigned PUTs (decision 016). */
export function corsRule(origin: string): CorsRule {
  return {
    origins: [origin],
    methods: ["PUT"],
    headers: ["content-type"],
    exposeHeaders: ["ETag"],
    maxAgeSeconds: 3600,
  };
}

/** R2 applies the rule by itself. Its smallest unit is a day. */
export interface LifecycleRule {
  name: string;
  /** Empty for every object. */
  prefix: string;
  action: "expire" | "abort-multipart";
  afterDays: number;
}

/**
 * Fallback for the sweep, which aborts a multipart upload a day after its last part. R2 counts from the upload's start,
 * so the rule allows a week, R2's default.
 */
export const LIFECYCLE_RULES: readonly LifecycleRule[] = [
  { name: "incoming", prefix: INCOMING_PREFIX, action: "expire", afterDays: INCOMING_RETENTION_MS / DAY_MS },
  { name: "unfinished", prefix: "", action: "abort-multipart", afterDays: 7 },
];
