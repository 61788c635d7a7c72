// By name, and not when it is needed: a dynamic import would bring every command of the SDK along.
import { PutBucketCorsCommand, S3Client } from "@aws-sdk/client-s3";
import * as z from "zod/mini";
import { corsRule } from "./bucket-rules.ts";
import type { S3Settings } from "./signing.ts";

/** Where wrangler serves the local store: on the app's own origin, which needs no rules. */
const LOCAL_STORE = "/cdn-cgi/local/r2/s3";

/** Whether the store is the one that comes with local development. */
export function isBuiltInStore({ endpoint }: S3Settings, origin: string): boolean {
  return endpoint === origin + LOCAL_STORE;
}

/**
 * Sets the bucket's CORS rules to what the browser engine needs of this one origin, and nothing else (decisions, Public
 * diagnostics). Harmless to repeat.
 * @throws what the store answers when it refuses
 */
export async function putCorsRules(settings: S3Settings, origin: string): Promise<void> {
  const client = new S3Client({
    endpoint: settings.endpoint,
    region: "auto",
    forcePathStyle: true,
    credentials: { accessKeyId: settings.accessKeyId, secretAccessKey: settings.secretAccessKey },
  });
  // The SDK reads refusals with a DOMParser, which the Worker has not: it would say that, and not what the store said.
  client.middlewareStack.add(
    (next) => async (args) => {
      const output = await next(args);
      const refusal = refusalSchema.safeParse(output.response);
      if (refusal.success) throw new Error(await translateError(refusal.data));
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

/** An answer that is a refusal, as the SDK's handler hands it over. */
const refusalSchema = z.object({ statusCode: z.number().check(z.gte(400)), body: z.unknown() });

/** The store's own code and message, which it answers in XML (S3 API, error responses). */
async function translateError({ statusCode, body }: z.infer<typeof refusalSchema>): Promise<string> {
  const text = await new Response(body as BodyInit | null).text();
  const said = ["Code", "Message"].flatMap((name) => new RegExp(`<${name}>([^<]*)<`).exec(text)?.[1] ?? []);
  return [`the store answered ${statusCode}`, ...said].join(": ");
}
