import { AwsV4Signer } from "aws4fetch";
import { PART_CONTENT_TYPE } from "#domain/parts.ts";

export interface S3Settings {
  /** The endpoint without the bucket, e.g. https://ACCOUNT.r2.cloudflarestorage.com. */
  endpoint: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
}

const PRESIGNED_URL_TTL_SECONDS = 3600;

interface SignedBody {
  contentType: string;
  contentLength: number;
}

/** Presigns URLs (SigV4 in the query). Content type and length are signed, so storage rejects other values. */
export interface Signer {
  putUrl(key: string, body: SignedBody): Promise<string>;
  partUrl(key: string, r2UploadId: string, part: number, contentLength: number): Promise<string>;
}

/** Caches SigV4 signing keys, which are valid for a day. */
export function createSigner(settings: S3Settings): Signer {
  const cache = new Map<string, ArrayBuffer>();

  async function sign(key: string, query: Record<string, string>, body: SignedBody): Promise<string> {
    const search = new URLSearchParams({ ...query, "X-Amz-Expires": String(PRESIGNED_URL_TTL_SECONDS) });
    const signed = await new AwsV4Signer({
      method: "PUT",
      url: `${settings.endpoint}/${settings.bucket}/${key}?${search.toString()}`,
      headers: { "content-type": body.contentType, "content-length": String(body.contentLength) },
      accessKeyId: settings.accessKeyId,
      secretAccessKey: settings.secretAccessKey,
      service: "s3",
      region: "auto",
      signQuery: true,
      allHeaders: true,
      cache,
    }).sign();
    return signed.url.toString();
  }

  return {
    putUrl: (key, body) => sign(key, {}, body),
    partUrl: (key, r2UploadId, part, contentLength) =>
      sign(key, { partNumber: String(part), uploadId: r2UploadId }, { contentType: PART_CONTENT_TYPE, contentLength }),
  };
}
