import { AwsV4Signer } from "aws4fetch";
import { PART_CONTENT_TYPE } from "#domain/parts.ts";

export interface S3Settings {
  /** Without the bucket: https://ACCOUNT.r2.cloudflarestorage.com, or the local store's address. */
  endpoint: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/** How long a presigned URL works (design, One picture). */
export const PRESIGNED_URL_TTL_SECONDS = 3600;

export interface SignedBody {
  contentType: string;
  contentLength: number;
}

/** Signs S3 requests with SigV4 in the query. Content type and length are signed too: the store refuses others. */
export interface Signer {
  /** A URL that takes one PUT of the whole object. */
  putUrl(key: string, body: SignedBody): Promise<string>;
  /** A URL that takes one part of a multipart upload. */
  partUrl(key: string, r2UploadId: string, part: number, contentLength: number): Promise<string>;
}

/** A signer for one bucket. Derived signing keys are kept for the day they are good for. */
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
