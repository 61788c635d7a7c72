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

/**
 * The addresses of the bucket, each ending with a slash. R2 has two: the bucket in the path, and in the host name
 * (https://developers.cloudflare.com/r2/api/s3/presigned-urls/). A store whose endpoint has a path, such as wrangler's,
 * or that does not speak TLS, has only the address with the bucket in the path.
 */
export function bucketUrls({ endpoint, bucket }: Pick<S3Settings, "endpoint" | "bucket">): string[] {
  const { protocol, host, pathname } = new URL(endpoint);
  const isWhole = protocol === "https:" && pathname === "/";
  return [`${endpoint}/${bucket}/`, ...(isWhole ? [`https://${bucket}.${host}/`] : [])];
}

interface SignedBody {
  contentType: string;
  contentLength: number;
}

/**
 * Presigns URLs (SigV4 in the query). Content type and length are signed, so storage rejects other values. Parts that
 * follow each other get different hosts: over HTTP/2 a browser opens one connection to each host
 * (docs/decisions/047-parts-on-a-line.md).
 */
export interface Signer {
  putUrl(key: string, body: SignedBody): Promise<string>;
  partUrl(key: string, r2UploadId: string, part: number, contentLength: number): Promise<string>;
}

/** Caches SigV4 signing keys, which are valid for a day. */
export function createSigner(settings: S3Settings): Signer {
  const cache = new Map<string, ArrayBuffer>();
  const [inPath = "", inHost = inPath] = bucketUrls(settings);

  async function sign(
    key: string,
    query: Record<string, string>,
    body: SignedBody,
    bucketUrl = inPath,
  ): Promise<string> {
    const search = new URLSearchParams({ ...query, "X-Amz-Expires": String(PRESIGNED_URL_TTL_SECONDS) });
    const signed = await new AwsV4Signer({
      method: "PUT",
      url: `${bucketUrl}${key}?${search.toString()}`,
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
    partUrl: (key, r2UploadId, part, contentLength) => {
      const query = { partNumber: String(part), uploadId: r2UploadId };
      const body = { contentType: PART_CONTENT_TYPE, contentLength };
      return sign(key, query, body, (part + lastDigitOf(key)) % 2 === 0 ? inHost : inPath);
    },
  };
}

/**
 * The last digit of a key, by which the first parts of different objects get different hosts: the keys of a transfer's
 * objects end with their numbers, and many of these objects have one part.
 */
function lastDigitOf(key: string): number {
  return Number.parseInt(key.slice(-1), 16);
}
