import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { text } from "node:stream/consumers";
import { PutBucketCorsCommand, S3Client } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { putCorsRules } from "#worker/storage/bucket-rules.ts";

interface Arrived {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingHttpHeaders;
  body: string;
}

const arrived: Arrived[] = [];
let answer = { status: 200, body: "" };

const store = createServer((request, response) => {
  void text(request).then((body) => {
    arrived.push({ method: request.method, url: request.url, headers: request.headers, body });
    response.writeHead(answer.status).end(answer.body);
  });
});

const keys = { accessKeyId: "key", secretAccessKey: "secret" };
const ORIGIN = "https://files.example.com";

function settings() {
  const address = store.address();
  if (address === null || typeof address === "string") throw new Error("the store does not listen");
  return { endpoint: `http://localhost:${address.port}`, bucket: "bucket", ...keys };
}

beforeAll(async () => {
  store.listen(0);
  await once(store, "listening");
});

afterAll(async () => {
  store.close();
  await once(store, "close");
});

beforeEach(() => {
  arrived.length = 0;
  answer = { status: 200, body: "" };
});

describe("PutBucketCors", () => {
  it("has the rule as XML, as the AWS SDK writes it [DEC-19]", async () => {
    await putCorsRules(settings(), ORIGIN);
    const sdk = new S3Client({ ...settings(), region: "auto", forcePathStyle: true, credentials: keys });
    const rule = {
      AllowedOrigins: ["https://files.example.com"],
      AllowedMethods: ["PUT"],
      AllowedHeaders: ["content-type"],
      ExposeHeaders: ["ETag"],
      MaxAgeSeconds: 3600,
    };
    await sdk.send(new PutBucketCorsCommand({ Bucket: "bucket", CORSConfiguration: { CORSRules: [rule] } }));
    sdk.destroy();
    const [ours, theirs] = arrived;
    expect([ours?.method, ours?.url]).toEqual(["PUT", "/bucket?cors"]);
    expect(partsOf(ours?.body)).toEqual(partsOf(theirs?.body));
    expect(ours?.headers["content-type"]).toBe(theirs?.headers["content-type"]);
  });

  it("signs checksums of what it sends, and none that R2 lacks", async () => {
    await putCorsRules(settings(), ORIGIN);
    const { headers = {}, body = "" } = arrived[0] ?? {};
    expect(headers["content-md5"]).toBe(createHash("md5").update(body).digest("base64"));
    expect(headers["x-amz-content-sha256"]).toBe(createHash("sha256").update(body).digest("hex"));
    expect(headers.authorization).toContain("SignedHeaders=content-md5;host;x-amz-content-sha256;x-amz-date,");
    expect(Object.keys(headers).filter((name) => name.includes("checksum"))).toEqual([]);
  });

  it("escapes an origin that XML could not hold", async () => {
    await putCorsRules(settings(), "https://a&b.example.com");
    expect(arrived[0]?.body).toContain("<AllowedOrigin>https://a&#38;b.example.com</AllowedOrigin>");
  });

  it("fails with the store's status, code and message", async () => {
    answer = { status: 403, body: "<Error><Code>AccessDenied</Code><Message>Access Denied.</Message></Error>" };
    await expect(putCorsRules(settings(), ORIGIN)).rejects.toThrow(
      /^the store answered 403: AccessDenied: Access Denied\.$/,
    );
    answer = { status: 502, body: "" };
    await expect(putCorsRules(settings(), ORIGIN)).rejects.toThrow(/^the store answered 502$/);
  });
});

/** The elements in no order: S3 has none within a rule. */
function partsOf(xml = ""): string[] {
  return (xml.replace(/^<\?xml[^>]*>\s*/, "").match(/<[^/][^<]*/g) ?? []).sort();
}
