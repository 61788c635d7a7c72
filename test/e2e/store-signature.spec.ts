import { randomBytes } from "node:crypto";
import { GetObjectCommand, HeadObjectCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { expect, test, type APIRequestContext } from "@playwright/test";
import { SINGLE_PUT_MAX_BYTES } from "#domain/parts.ts";
import type { CompleteUploadAnswer, CompletedPart, SignPartsAnswer, StartUploadAnswer } from "#domain/wire.ts";
import { putCorsRules } from "#worker/storage/bucket-rules.ts";
import { newEmail } from "./support/accounts.ts";

const ORIGIN = process.env.E2E_ORIGIN ?? "";
const BUCKET = "mayfly";
const PART_TYPE = "application/octet-stream";

/** With the keys of wrangler.toml. Without checksums, because a presigned URL is signed before its body is known. */
const s3 = new S3Client({
  endpoint: `${ORIGIN}/cdn-cgi/local/r2/s3`,
  region: "auto",
  forcePathStyle: true,
  requestChecksumCalculation: "WHEN_REQUIRED",
  credentials: { accessKeyId: "mayfly-local", secretAccessKey: "mayfly-local-secret" },
});

interface Put {
  url: string;
  type: string;
  body: Uint8Array<ArrayBuffer>;
}

/** Requests that differ from what was signed. */
const TAMPERED: Record<string, (put: Put) => Put> = {
  "a longer body": (put) => ({ ...put, body: new Uint8Array([...put.body, 0]) }),
  "a shorter body": (put) => ({ ...put, body: put.body.subarray(1) }),
  "another type": (put) => ({ ...put, type: "text/html" }),
  "another key": (put) => ({ ...put, url: put.url.replace("?", "x?") }),
  "another signature": (put) => ({ ...put, url: put.url.replace(/(?<=X-Amz-Signature=)./, otherDigit) }),
  "a longer life": (put) => withQuery(put, "X-Amz-Expires", "86400"),
  "fewer signed headers": (put) => withQuery(put, "X-Amz-SignedHeaders", "host"),
};

function otherDigit(digit: string): string {
  return digit === "0" ? "1" : "0";
}

function withQuery(put: Put, name: string, value: string): Put {
  const url = new URL(put.url);
  url.searchParams.set(name, value);
  return { ...put, url: url.toString() };
}

async function send({ url, type, body }: Put): Promise<Response> {
  return fetch(url, { method: "PUT", headers: { "content-type": type }, body });
}

async function expectOnlySignedRequestAccepted(put: Put): Promise<Response> {
  for (const [difference, tamper] of Object.entries(TAMPERED))
    expect((await send(tamper(put))).status, difference).toBe(403);
  const response = await send(put);
  expect(response.status).toBe(200);
  return response;
}

/** Presigns a PUT with the SDK, with signed type and length. */
function presign(key: string, { type, body }: Omit<Put, "url">, signedAt = new Date()): Promise<string> {
  const command = new PutObjectCommand({
    Bucket: BUCKET,
    Key: key,
    ContentType: type,
    ContentLength: body.byteLength,
  });
  return getSignedUrl(s3, command, {
    expiresIn: 60,
    signingDate: signedAt,
    signableHeaders: new Set(["host", "content-type", "content-length"]),
  });
}

test("storage accepts exactly the request that the SDK signed @everyday", async () => {
  const key = `signature-test/${crypto.randomUUID()}`;
  const content = { type: "text/plain", body: randomBytes(1000) };
  const put = { ...content, url: await presign(key, content) };
  expect(new URL(put.url).searchParams.get("X-Amz-SignedHeaders")).toBe("content-length;content-type;host");

  const twoMinutesAgo = new Date(Date.now() - 120_000);
  const expired = { ...content, url: await presign(key, content, twoMinutesAgo) };
  expect((await send(expired)).status).toBe(403);
  const unsigned = { ...put, url: put.url.replace(/\?.*/, "") };
  expect((await send(unsigned)).status).toBe(400);
  await expect(s3.send(new HeadObjectCommand({ Bucket: BUCKET, Key: key }))).rejects.toMatchObject({
    name: "NotFound",
  });

  await expectOnlySignedRequestAccepted(put);
  const stored = await s3.send(new GetObjectCommand({ Bucket: BUCKET, Key: key }));
  expect(stored.ContentType).toBe("text/plain");
  expect(await stored.Body?.transformToByteArray()).toEqual(new Uint8Array(put.body));
});

test("storage accepts the signature of the call that sets CORS rules, which it does not implement", async () => {
  const settings = { endpoint: `${ORIGIN}/cdn-cgi/local/r2/s3`, bucket: BUCKET, accessKeyId: "mayfly-local" };
  const send = (secretAccessKey: string) => putCorsRules({ ...settings, secretAccessKey }, ORIGIN);
  await expect(send("another-secret")).rejects.toThrow("the store answered 403: SignatureDoesNotMatch: ");
  await expect(send("mayfly-local-secret")).rejects.toThrow("the store answered 501: NotImplemented: PutBucketCors ");
});

test("a small file's URL accepts only that file, and a second use changes nothing [API-15, DEC-10] @everyday", async ({
  request,
}) => {
  const body = randomBytes(1000);
  const start = await startUpload(request, body.byteLength);
  expect(start.multipart).toBeUndefined();
  expectOurSignature(start.presignedUrl);
  const put = { url: start.presignedUrl, type: start.fileData.contentType, body };
  await expectOnlySignedRequestAccepted(put);
  const { downloadUrl } = await complete(request, start, []);
  expect(await download(request, downloadUrl)).toEqual(body);

  // The URL still works, but for a key that nothing reads.
  expect((await send({ ...put, body: randomBytes(1000) })).status).toBe(200);
  expect(await download(request, downloadUrl)).toEqual(body);
  await complete(request, start, []);
  expect(await download(request, downloadUrl)).toEqual(body);
});

test("a part's URL accepts only that part, and nothing after the upload has finished [API-15, DEC-10]", async ({
  request,
}) => {
  const file = randomBytes(SINGLE_PUT_MAX_BYTES + 1000);
  const start = await startUpload(request, file.byteLength);
  const { partSizeBytes, partCount } = start.multipart ?? { partSizeBytes: 0, partCount: 0 };
  expect(partCount).toBe(3);
  const parts = Array.from({ length: partCount }, (_, index) => index + 1);
  const { urls } = await post<SignPartsAnswer>(request, "sign-parts", { downloadId: start.downloadId, parts });
  const puts = urls.map(({ part, url }) => {
    expectOurSignature(url);
    return { part, url, type: PART_TYPE, body: file.subarray((part - 1) * partSizeBytes, part * partSizeBytes) };
  });

  const receipts: CompletedPart[] = [];
  for (const put of puts) {
    // Only the last part is small: a rejected body of megabytes may end in a connection error.
    const response = put.part === partCount ? await expectOnlySignedRequestAccepted(put) : await send(put);
    receipts.push({ part: put.part, etag: response.headers.get("etag") ?? "" });
  }
  const [last] = puts.slice(-1);
  if (!last) throw new Error("no part was signed");
  const asFirst = withQuery(last, "partNumber", "1");
  expect((await send(asFirst)).status).toBe(403);

  const { downloadUrl } = await complete(request, start, receipts);
  expect((await download(request, downloadUrl)).equals(file)).toBe(true);
  expect((await send({ ...last, body: randomBytes(last.body.byteLength) })).status).toBe(404);
  expect((await download(request, downloadUrl)).equals(file)).toBe(true);
});

/** Type and length are signed, and the URL is valid for an hour. */
function expectOurSignature(url: string): void {
  const { searchParams } = new URL(url);
  expect(searchParams.get("X-Amz-SignedHeaders")).toBe("content-length;content-type;host");
  expect(searchParams.get("X-Amz-Expires")).toBe("3600");
}

/** Registers an account for it. */
async function startUpload(request: APIRequestContext, fileSize: number): Promise<StartUploadAnswer> {
  const registration = { email: newEmail(), password: "a good password" };
  expect((await request.post(`${ORIGIN}/api/auth/register`, { data: registration })).status()).toBe(201);
  const file = { filename: "signed.txt", fileType: "text/plain", fileSize, expiration: "1d" };
  return post<StartUploadAnswer>(request, "presigned-url", file);
}

function complete(
  request: APIRequestContext,
  { downloadId }: StartUploadAnswer,
  receipts: CompletedPart[],
): Promise<CompleteUploadAnswer> {
  return post<CompleteUploadAnswer>(request, "complete", { downloadId, receipts });
}

async function post<Answer>(request: APIRequestContext, call: string, data: object): Promise<Answer> {
  const response = await request.post(`${ORIGIN}/api/direct-upload/${call}`, { data });
  expect(response.status(), await response.text()).toBe(200);
  return (await response.json()) as Answer;
}

async function download(request: APIRequestContext, url: string): Promise<Buffer> {
  const response = await request.get(url);
  expect(response.status()).toBe(200);
  return response.body();
}
