import { INCOMING_RETENTION_MS } from "#domain/upload-lifetime.ts";
import { DAY_MS } from "#domain/units.ts";
import { INCOMING_PREFIX } from "./keys.ts";

/** Independent of the two APIs that set it (S3, Cloudflare). */
export interface CorsRule {
  origins: string[];
  methods: string[];
  headers: string[];
  exposeHeaders: string[];
  maxAgeSeconds: number;
}

/** Allows one origin's presigned PUTs and nothing else (decision 016). */
export function corsRule(origin: string): CorsRule {
  return {
    origins: [origin],
    methods: ["PUT"],
    headers: ["content-type"],
    exposeHeaders: ["ETag"],
    maxAgeSeconds: 3600,
  };
}

/** A rule that R2 applies without us. Its smallest unit is a day. */
export interface LifecycleRule {
  name: string;
  /** Empty for every object. */
  prefix: string;
  action: "expire" | "abort-multipart";
  afterDays: number;
}

/**
 * Fallbacks for the sweep. We abort a multipart upload a day after its last part, but R2 counts from its start, so the
 * rule allows a week, R2's default.
 */
export const LIFECYCLE_RULES: readonly LifecycleRule[] = [
  { name: "incoming", prefix: INCOMING_PREFIX, action: "expire", afterDays: INCOMING_RETENTION_MS / DAY_MS },
  { name: "unfinished", prefix: "", action: "abort-multipart", afterDays: 7 },
];
