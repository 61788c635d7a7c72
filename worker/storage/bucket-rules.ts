import { INCOMING_RETENTION_MS } from "#domain/upload-lifetime.ts";
import { DAY_MS } from "#domain/units.ts";
import { INCOMING_PREFIX } from "./keys.ts";

/** A bucket's one CORS rule, spelled for neither of the two APIs that set it. */
export interface CorsRule {
  origins: string[];
  methods: string[];
  headers: string[];
  exposeHeaders: string[];
  maxAgeSeconds: number;
}

/** What the browser engine needs of one origin, and nothing else (decisions, Public diagnostics). */
export function corsRule(origin: string): CorsRule {
  return {
    origins: [origin],
    methods: ["PUT"],
    headers: ["content-type"],
    exposeHeaders: ["ETag"],
    maxAgeSeconds: 3600,
  };
}

/** What the store does by itself, should nobody of ours come by. Days are the least that R2 counts in. */
export interface LifecycleRule {
  name: string;
  /** Empty for every object. */
  prefix: string;
  action: "expire" | "abort-multipart";
  afterDays: number;
}

/**
 * The bucket's lifecycle rules. Leftovers go when the sweep would take them. A multipart upload lives on while parts
 * arrive, and its Durable Object and the cron end it a day after the last; the store counts from its beginning, so it is
 * given the week that R2 gives every new bucket.
 */
export const LIFECYCLE_RULES: readonly LifecycleRule[] = [
  { name: "incoming", prefix: INCOMING_PREFIX, action: "expire", afterDays: INCOMING_RETENTION_MS / DAY_MS },
  { name: "unfinished", prefix: "", action: "abort-multipart", afterDays: 7 },
];
