import { env } from "cloudflare:workers";
import { KIB } from "#domain/units.ts";
import { bound } from "./serving.ts";

/** A body that counts what has been taken of it. */
export function countedBody(bytes: Uint8Array): { stream: ReadableStream<Uint8Array>; readBytes(): number } {
  let offset = 0;
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const piece = bytes.subarray(offset, offset + 16 * KIB);
        offset += piece.byteLength;
        if (piece.byteLength === 0) controller.close();
        else controller.enqueue(piece);
      },
    },
    { highWaterMark: 0 },
  );
  return { stream, readBytes: () => offset };
}

/** The real store, which tells how much each part brought. */
export function countingBucket(note: (bytes: number) => void): R2Bucket {
  const counting = (upload: R2MultipartUpload): R2MultipartUpload =>
    bound(upload, "uploadPart", async (part: number, body: ArrayBufferView) => {
      const receipt = await upload.uploadPart(part, body);
      note(body.byteLength);
      return receipt;
    });
  return bound(env.BUCKET, "resumeMultipartUpload", (key: string, id: string) =>
    counting(env.BUCKET.resumeMultipartUpload(key, id)),
  );
}
