// A static import: a dynamic one would bundle every command of the SDK.
import { PutBucketCorsCommand, S3Client } from "@aws-sdk/client-s3";
import * as z from "zod/mini";
import { corsRule } from "./bucket-rules.ts";
import type { S3Settings } from "./signing.ts";

/** wrangler serves the local bucket on the app's own origin, which needs no CORS. */
const LOCAL_STORE = "/cdn-cgi/local/r2/s3";

export function isBuiltInStore({ endpoint }: S3Settings, origin: string): boolean {
  return endpoint === origin + LOCAL_STORE;
}

/** Idempotent. @throws Error with the store's status, code and message */
export async function putCorsRules(settings: S3Settings, origin: string): Promise<void> {
  const client = new S3Client({
    endpoint: settings.endpoint,
    region: "auto",
    forcePathStyle: true,
    credentials: { accessKeyId: settings.accessKeyId, secretAccessKey: settings.secretAccessKey },
  });
  // The SDK parses errors with DOMParser, which a Worker lacks, and would hide the store's own message.
  client.middlewareStack.add(
    (next) => async (args) => {
      const output = await next(args);
      const failed = errorResponse.safeParse(output.response);
      if (failed.success) throw new Error(await describeS3Error(failed.data));
      return output;
    },
    { step: "deserialize", priority: "low" },
  );
  const { origins, methods, headers, exposeHeaders, maxAgeSeconds } = corsRule(origin);
  const rule = {
    AllowedOrigins: origins,
    AllowedMethods: methods,
    AllowedHeaders: headers,
    ExposeHeaders: exposeHeaders,
    MaxAgeSeconds: maxAgeSeconds,
  };
  await client.send(new PutBucketCorsCommand({ Bucket: settings.bucket, CORSConfiguration: { CORSRules: [rule] } }));
}

const errorResponse = z.object({ statusCode: z.number().check(z.gte(400)), body: z.unknown() });

async function describeS3Error({ statusCode, body }: z.infer<typeof errorResponse>): Promise<string> {
  const text = await new Response(body as BodyInit | null).text();
  const details = ["Code", "Message"].flatMap((name) => new RegExp(`<${name}>([^<]*)<`).exec(text)?.[1] ?? []);
  return [`the store answered ${statusCode}`, ...details].join(": ");
}
