import { env } from "cloudflare:workers";
import { KIB } from "#domain/units.ts";
import { withMethod } from "./worker-with-env.ts";

/** A stream that counts the bytes read from it. */
export function countedBody(bytes: Uint8Array): { stream: ReadableStream<Uint8Array>; readBytes(): number } {
  let offset = 0;
  const stream = new ReadableStream(
    {
      // As a request's own body is.
      type: "bytes",
      pull(controller) {
        const chunk = bytes.slice(offset, offset + 16 * KIB);
        offset += chunk.byteLength;
        if (chunk.byteLength > 0) {
          controller.enqueue(chunk);
          return;
        }
        controller.close();
        controller.byobRequest?.respond(0);
      },
    },
    { highWaterMark: 0 },
  );
  return { stream, readBytes: () => offset };
}

/** The real bucket; reports the size of each uploaded part. */
export function countingBucket(onPart: (bytes: number) => void): R2Bucket {
  const counting = (upload: R2MultipartUpload): R2MultipartUpload =>
    withMethod(upload, "uploadPart", async (part: number, body: ArrayBufferView) => {
      const receipt = await upload.uploadPart(part, body);
      onPart(body.byteLength);
      return receipt;
    });
  return withMethod(env.BUCKET, "resumeMultipartUpload", (key: string, id: string) =>
    counting(env.BUCKET.resumeMultipartUpload(key, id)),
  );
}
