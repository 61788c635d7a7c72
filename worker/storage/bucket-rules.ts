import { createHash } from "node:crypto";
import { AwsV4Signer } from "aws4fetch";
import { DAY_MS } from "#domain/units.ts";
import { INCOMING_RETENTION_MS } from "#domain/upload-lifetime.ts";
import { escapeXml } from "#domain/xml.ts";
import { INCOMING_PREFIX } from "./keys.ts";
import { bucketUrls, type S3Settings } from "./signing.ts";

/** A CORS rule of a bucket, set through the S3 API or the Cloudflare API. */
export interface CorsRule {
  origins: string[];
  methods: string[];
  headers: string[];
  exposeHeaders: string[];
  maxAgeSeconds: number;
}

/** The CORS rule that allows only presigned PUTs (decision 016). */
export function corsRule(origin: string): CorsRule {
  return {
    origins: [origin],
    methods: ["PUT"],
    headers: ["content-type"],
    exposeHeaders: ["ETag"],
    maxAgeSeconds: 3600,
  };
}

/** A rule by which R2 itself deletes old objects. R2's smallest unit is a day. */
export interface LifecycleRule {
  name: string;
  /** The start of the objects' keys; empty for every object. */
  prefix: string;
  action: "expire" | "abort-multipart";
  afterDays: number;
}

/**
 * The fallback for the sweep, which aborts a multipart upload a day after its last part. R2 counts from the start of a
 * multipart upload, so the rule allows a week, which is R2's default.
 */
export const LIFECYCLE_RULES: readonly LifecycleRule[] = [
  { name: "incoming", prefix: INCOMING_PREFIX, action: "expire", afterDays: INCOMING_RETENTION_MS / DAY_MS },
  { name: "unfinished", prefix: "", action: "abort-multipart", afterDays: 7 },
];

/**
 * The path under which wrangler serves the local bucket, on the app's own origin. Requests to the same origin need no
 * CORS.
 */
const LOCAL_STORE = "/cdn-cgi/local/r2/s3";

export function isBuiltInStore({ endpoint }: S3Settings, origin: string): boolean {
  return endpoint === origin + LOCAL_STORE;
}

/** The origins of storage. @returns no origin if the app itself serves storage */
export function storageOrigins({ s3, origin }: { s3: S3Settings; origin: string }): string[] {
  return isBuiltInStore(s3, origin) ? [] : bucketUrls(s3).map((url) => new URL(url).origin);
}

/**
 * Replaces the bucket's CORS rules (https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketCors.html). Idempotent.
 * @throws Error with the store's status, code and message
 */
export async function putCorsRules(settings: S3Settings, origin: string): Promise<void> {
  const xml = corsXml(origin);
  const { url, method, headers, body } = await new AwsV4Signer({
    method: "PUT",
    url: `${settings.endpoint}/${settings.bucket}?cors`,
    headers: {
      "content-type": "application/xml",
      // S3 demands a checksum of the rules. For this call, R2 does not support the newer x-amz-sdk-checksum-algorithm.
      "content-md5": createHash("md5").update(xml).digest("base64"),
      "x-amz-content-sha256": createHash("sha256").update(xml).digest("hex"),
    },
    body: xml,
    accessKeyId: settings.accessKeyId,
    secretAccessKey: settings.secretAccessKey,
    service: "s3",
    region: "auto",
  }).sign();
  const response = await fetch(url, { method, headers, body: body ?? null });
  const answer = await response.text();
  if (!response.ok) throw new Error(describeS3Error(response.status, answer));
}

function corsXml(origin: string): string {
  const { origins, methods, headers, exposeHeaders, maxAgeSeconds } = corsRule(origin);
  const rule = [
    ...elements("AllowedOrigin", origins),
    ...elements("AllowedMethod", methods),
    ...elements("AllowedHeader", headers),
    ...elements("ExposeHeader", exposeHeaders),
    ...elements("MaxAgeSeconds", [String(maxAgeSeconds)]),
  ];
  const namespace = "http://s3.amazonaws.com/doc/2006-03-01/";
  return `<CORSConfiguration xmlns="${namespace}"><CORSRule>${rule.join("")}</CORSRule></CORSConfiguration>`;
}

function elements(name: string, values: string[]): string[] {
  return values.map((value) => `<${name}>${escapeXml(value)}</${name}>`);
}

function describeS3Error(status: number, answer: string): string {
  const details = ["Code", "Message"].flatMap((name) => new RegExp(`<${name}>([^<]*)<`).exec(answer)?.[1] ?? []);
  return [`the store answered ${status}`, ...details].join(": ");
}
